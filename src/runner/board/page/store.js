// What the page knows about the game it shows, and the ways to speak: to the server, to the person.

import { t } from './language.js';
import { named } from './names.js';
import { byId, html } from './svg.js';

/** @typedef {import('./connection.js').Connection} Connection */

/** The tree of a game: the moves played and the variations. */
export class Tree {
  /** @type {Map<number, TreeNode>} */
  nodes = new Map();
  /** @type {Map<number | null, number[]>} */
  #children = new Map();
  #live = 0;

  /** @param {TreeMessage} message */
  update(message) {
    if (message.reset) this.nodes.clear();
    for (const node of message.nodes) this.nodes.set(node.node, node);
    this.#order();
  }

  /** Makes the line to a node the main line. @param {number} node where play goes on */
  follow(node) {
    if (this.#live === node) return;
    this.#live = node;
    this.#order();
  }

  /** The first child of a node is the main line: what was played, else what came first. */
  #order() {
    const played = new Set();
    for (let at = this.nodes.get(this.#live); at; at = at.parent === null ? undefined : this.nodes.get(at.parent)) played.add(at.node);
    this.#children.clear();
    for (const { node, parent } of [...this.nodes.values()].sort((a, b) => Number(played.has(b.node)) - Number(played.has(a.node)) || a.node - b.node)) {
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), node]);
    }
  }

  /** @param {number | null} node */
  children(node) {
    return this.#children.get(node) ?? [];
  }

  /** The nodes from the root to a node, and on along the main line. @param {number} node */
  line(node) {
    const line = [];
    for (let at = this.nodes.get(node); at; at = at.parent === null ? undefined : this.nodes.get(at.parent)) line.unshift(at);
    for (let next = this.children(node)[0]; next !== undefined; next = this.children(next)[0]) {
      line.push(/** @type {TreeNode} */ (this.nodes.get(next)));
    }
    return line;
  }
}

/** The one game that the page shows, and what the server has to offer. */
export const app = {
  /** @type {Connection | null} */
  connection: null,
  /** @type {Welcome | null} */
  welcome: null,
  game: '',
  /** @type {Table | null} */
  table: null,
  tree: new Tree(),
  /** @type {GameState | null} */
  state: null,
  stateAt: 0,
  /** @type {PositionMessage | null} */
  position: null,
  /** The kind of the pointer that was used last. */
  pointer: 'mouse',
};

/** What an engine says, with the names of the seats. @param {string} text */
export const withNames = (text) => (app.table ? named(app.table, text) : text);

/** Forgets the game. */
export function forgetGame() {
  Object.assign(app, { game: '', table: null, tree: new Tree(), state: null, position: null });
}

/** @param {Record<string, unknown>} message */
export function send(message) {
  app.connection?.send(message);
}

/**
 * Asks the server; a refusal is shown and the answer is null.
 * @param {Record<string, unknown>} message
 * @returns {Promise<any>}
 */
export async function ask(message) {
  try {
    return await app.connection?.ask(message);
  } catch (error) {
    complain(error);
    return null;
  }
}

/** Shows why the server refused; a lost connection is told at the head of the page. @param {unknown} error */
export function complain(error) {
  const { code, message } = /** @type {{code?: string, message: string}} */ (error);
  if (code !== 'lost') toast(sentence(withNames(message.replace(/^choice \d+ /, ''))), 'error');
}

/** With a capital first. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The most characters of a message that are shown. */
const LONGEST = 300;

/** Shows a short message for a while, above an open dialog too. @param {string} text @param {'note' | 'error'} kind */
export function toast(text, kind = 'note') {
  const place = byId('toasts');
  while (place.childElementCount > 2) place.firstElementChild?.remove();
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
  const message = html('p', { class: `toast ${kind}` }, shown);
  place.append(message);
  // What is shown last is on top.
  if (place.matches(':popover-open')) place.hidePopover();
  place.showPopover();
  setTimeout(() => message.remove(), kind === 'error' ? 7000 : 3500);
}

/** Says something to a screen reader. @param {string} text */
export function announce(text) {
  const live = byId('live');
  live.append(html('p', {}, text));
  while (live.childElementCount > 6) live.firstElementChild?.remove();
}

/** Takes away what was said: the next person at this screen must not read it. */
export function forgetSpoken() {
  for (const id of ['toasts', 'live', 'help', 'entry', 'diagram', 'note', 'prompt']) byId(id).replaceChildren();
  document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
}

/** Copies text where a page may, and by hand where the address is no secure context. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: -1 });
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) {
      toast(t('The browser does not allow copying here: mark the text and copy it.'), 'error');
      return;
    }
  }
  toast(t('Copied'));
}

/** Offers text as a file. @param {string} name @param {string} text */
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = html('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
