// Moves in words: what the choices of a token are called where the engine offers them.

import { t } from './language.js';
import { app } from './store.js';

/** How many moves are asked for at once, and the pause after them, in milliseconds: the server takes a hundred messages a second. */
const BATCH = 10;
const PAUSE = 160;

/** What is known, by game, node and token as it is seen. @type {Map<string, string>} */
const known = new Map();
/** What is to be asked, by the same: a token after a node and tokens that a line plays before it. @type {Map<string, {node: number | null, after: string[], token: string, isThrow: boolean}>} */
const wanted = new Map();
/** What is on its way. @type {Set<string>} */
const asked = new Set();
let isAsking = false;
/** @type {(() => void)[]} */
const listeners = [];

/** @param {() => void} listener called when words have come */
export const onWordsKnown = (listener) => void listeners.push(listener);

/** A token that nobody explains: its parts as words. @param {string} token */
export const plainWords = (token) => (/[:_]/.test(token) ? token.replace(/\?/g, t('hidden')).replace(/[:_]/g, ' ') : token);

/**
 * What a path is called: cells are joined by a dash, other choices by a comma.
 * @param {PathMessage} answer
 * @param {boolean} isThrow
 */
export function pathWords({ path, words, show }, isThrow) {
  const cells = new Set(app.table?.cells.map((cell) => cell.id));
  if (isThrow) return t('throws {what}', { what: words.map((word) => word.replace(/^[a-z](?=\d+$)/, '')).join(', ') });
  const text = words.map((word, index) => {
    if (index === 0) return word;
    return `${cells.has(path[index]) && cells.has(path[index - 1]) && word === path[index] ? '–' : ', '}${word}`;
  }).join('');
  // Who arrives where another's piece is taken away has taken it.
  const takes = show.some((change) => 'remove' in change && change.symbol && change.seat && show.some((other) => 'move' in other && other.move[1] === change.remove && other.seat !== change.seat));
  return takes ? t('{move}, takes', { move: text }) : text;
}

/** A move in words, as far as they are known yet. @param {TreeNode} node */
export const wordsOf = (node) => (node.token ? find(node.parent, [], node.token, node.origin === 'chance') : t('hidden'));

/** The moves of a line from a node on. @param {number} node @param {string[]} tokens */
export const lineWords = (node, tokens) => tokens.map((token, index) => find(node, tokens.slice(0, index), token, false));

/** Lines that are not shown any more need no words. */
export function forgetLines() {
  for (const [key, { after }] of wanted) if (after.length > 0) wanted.delete(key);
}

/** @param {number | null} node @param {string[]} after @param {string} token @param {boolean} isThrow */
function find(node, after, token, isThrow) {
  const key = [app.game, node, ...after, token].join(' ');
  const found = known.get(key);
  if (found !== undefined) return found;
  if (token.includes('?')) return plainWords(token);
  if (!asked.has(key)) wanted.set(key, { node, after, token, isThrow });
  if (!isAsking) void askAll();
  return plainWords(token);
}

async function askAll() {
  isAsking = true;
  while (wanted.size > 0) {
    // What has just been played is read first.
    const batch = [...wanted].slice(-BATCH);
    await Promise.all(batch.map(async ([key, { node, after, token, isThrow }]) => {
      wanted.delete(key);
      asked.add(key);
      if (!key.startsWith(`${app.game} `)) return;
      const answer = await app.connection?.ask({ do: 'path', node, ...(after.length > 0 ? { after } : {}), token }).catch(() => null);
      known.set(key, answer?.words.length ? pathWords(answer, isThrow) : plainWords(token));
      asked.delete(key);
    }));
    if (known.size > 20_000) known.clear();
    listeners.forEach((listener) => listener());
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  isAsking = false;
}

/** Forgets what the moves are called: it may be a secret of the person before. */
export function forgetWords() {
  known.clear();
  wanted.clear();
  asked.clear();
}
