// Sounds, made as they are heard: no files.

import { settings } from './settings.js';

/** @type {AudioContext | null} */
let context = null;

/** A tone that dies away. @param {number} hertz @param {number} at seconds from now @param {number} length @param {OscillatorType} form @param {number} loud */
function tone(hertz, at, length, form, loud) {
  if (!context) return;
  const start = context.currentTime + at;
  const [wave, gain] = [context.createOscillator(), context.createGain()];
  wave.type = form;
  wave.frequency.setValueAtTime(hertz, start);
  wave.frequency.exponentialRampToValueAtTime(hertz * 0.7, start + length);
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  wave.connect(gain).connect(context.destination);
  wave.start(start);
  wave.stop(start + length);
}

/** A rattle: many short knocks. @param {number} count */
function rattle(count) {
  for (let index = 0; index < count; index++) tone(900 + 500 * ((index * 7) % 5), 0.055 * index, 0.04, 'square', 0.05);
}

/** @typedef {'move' | 'capture' | 'throw' | 'card' | 'end' | 'word'} Sound */

/** @type {Record<Sound, () => void>} */
const SOUNDS = {
  move: () => tone(330, 0, 0.09, 'triangle', 0.35),
  capture: () => { tone(220, 0, 0.12, 'triangle', 0.4); tone(150, 0.05, 0.14, 'square', 0.12); },
  throw: () => rattle(6),
  card: () => tone(520, 0, 0.12, 'sine', 0.2),
  word: () => { tone(660, 0, 0.1, 'sine', 0.2); tone(880, 0.09, 0.14, 'sine', 0.2); },
  end: () => [392, 523, 659].forEach((hertz, index) => tone(hertz, 0.16 * index, 0.35, 'triangle', 0.3)),
};

/** @param {Sound} name */
export function play(name) {
  if (!settings.sound || document.hidden) return;
  try {
    context ??= new AudioContext();
    // Before a first click a browser lets nothing be heard.
    if (context.state === 'suspended') void context.resume();
    SOUNDS[name]();
  } catch {
    // No sound where there is no device.
  }
}
