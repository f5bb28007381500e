// What a part of the game is about, for newcomers: told when it begins for the first time, and
// behind a button later.

import { t } from './language.js';
import { html, byId, update } from './svg.js';

/** Texts that were told already. @type {Set<string>} */
const told = new Set();
let shown = '';
let isOpen = false;

/** @param {string} text empty where the engine says nothing */
export function drawHelp(text) {
  if (text !== shown) {
    isOpen = text !== '' && !told.has(text);
    told.add(text);
    shown = text;
  }
  const toggle = () => {
    isOpen = !isOpen;
    drawHelp(text);
  };
  const button = html('button', { type: 'button', id: 'help-button', 'aria-expanded': String(isOpen), 'aria-controls': 'help-text', onclick: toggle }, isOpen ? t('Hide the help') : t('Help'));
  update(byId('help'), text && html('p', { id: 'help-text', hidden: !isOpen }, text), text && button);
}
