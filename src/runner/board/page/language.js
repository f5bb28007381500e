// The language of the page. English texts are the keys; `words.js` has the others.

import { WORDS } from './words.js';

/** @typedef {'en' | 'de' | 'es' | 'hi'} Language */

/** The languages, by their own names. @type {[Language, string][]} */
export const LANGUAGES = [['en', 'English'], ['de', 'Deutsch'], ['es', 'Español'], ['hi', 'हिन्दी']];

let column = -1;

/** @param {string} wanted a language, or `auto`: that of the browser */
export function setLanguage(wanted) {
  const all = wanted === 'auto' ? navigator.languages : [wanted];
  const known = all.map((name) => LANGUAGES.findIndex(([code]) => name.toLowerCase().split('-')[0] === code)).find((index) => index >= 0) ?? 0;
  document.documentElement.lang = LANGUAGES[known][0];
  column = known - 1;
}

/**
 * A text of the page in the language that was chosen. A name in braces stands for a value.
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
export function t(text, values = {}) {
  const words = WORDS[text]?.[column] ?? text;
  return words.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/** The texts that stand in the page's own file. */
export function translatePage() {
  for (const element of document.querySelectorAll('[data-t]')) {
    const english = /** @type {HTMLElement} */ (element).dataset.t ?? '';
    if (element.hasAttribute('aria-label')) element.setAttribute('aria-label', t(english));
    else element.textContent = t(english);
  }
}
