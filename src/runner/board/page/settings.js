// What a person likes: theme, speed of pieces, confirmation. Kept in the browser.

import { setLanguage, translatePage } from './language.js';

const KEY = 'parlor-settings';

/**
 * @typedef {object} Settings
 * @property {'auto' | 'light' | 'dark' | 'contrast'} theme
 * @property {number} speed milliseconds of a moving piece; 0: none
 * @property {'touch' | 'always' | 'never'} confirm
 * @property {boolean} hints whether what may be chosen is marked
 * @property {boolean} labels whether coordinates are shown
 * @property {boolean} sound
 * @property {boolean} tokens whether moves stand in the notation of the protocol
 * @property {string} language `auto`: that of the browser
 * @property {'plain' | 'wood' | 'slate' | 'paper'} board what it is made of
 * @property {'figures' | 'letters'} pieces
 */

/** @type {Settings} */
export const settings = { theme: 'auto', speed: 200, confirm: 'touch', hints: true, labels: true, sound: true, tokens: false, language: 'auto', board: 'plain', pieces: 'figures' };

/** @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} listener called after a change */
export const onSettings = (listener) => void listeners.push(listener);

/** Reads what was kept. */
export function loadSettings() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    for (const key of /** @type {(keyof Settings)[]} */ (Object.keys(settings))) {
      if (typeof kept[key] === typeof settings[key]) Object.assign(settings, { [key]: kept[key] });
    }
  } catch {
    // Private windows may refuse storage; the defaults hold.
  }
  apply();
}

/** @param {Partial<Settings>} change */
export function changeSettings(change) {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // As above.
  }
  apply();
  listeners.forEach((listener) => listener());
}

function apply() {
  const root = document.documentElement;
  const theme = settings.theme === 'auto' && matchMedia('(prefers-contrast: more)').matches ? 'contrast' : settings.theme;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.classList.toggle('no-labels', !settings.labels);
  root.dataset.board = settings.board;
  setLanguage(settings.language);
  translatePage();
}

/** How long a piece moves now. */
export function duration() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : settings.speed;
}

/** Whether a finished move waits for a second press. @param {string} pointer the kind of the last pointer */
export function confirms(pointer) {
  return settings.confirm === 'always' || (settings.confirm === 'touch' && pointer === 'touch');
}
