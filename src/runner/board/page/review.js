// What a review teaches: how well each side has played, where it went wrong, what was better and why.

import { levelOf } from './keeping.js';
import { look } from './moves.js';
import { t } from './language.js';
import { seatName } from './names.js';
import { levelsOf } from './newgame.js';
import { playerName } from './seats.js';
import { app, ask } from './store.js';
import { byId, html, update } from './svg.js';
import { isTask } from './task.js';
import { lineWords, pathWords, plainWords, wordsOf } from './wording.js';

/** @typedef {import('./board.js').BoardArrow} BoardArrow */

/** @type {Record<string, string>} */
const MARKS = { inaccuracy: 'An inaccuracy', mistake: 'A mistake', blunder: 'A blunder' };

/** What is counted of them: the mark, one, several. @type {[string, string, string][]} */
export const COUNTS = [['inaccuracy', '1 inaccuracy', '{count} inaccuracies'], ['mistake', '1 mistake', '{count} mistakes'], ['blunder', '1 blunder', '{count} blunders']];

/** The paths of better moves, by game, node and token. @type {Map<string, PathMessage | null>} */
const paths = new Map();
let onPath = () => {};

/** @param {() => void} listener called when the path of a better move has come */
export const onBetterKnown = (listener) => void (onPath = listener);

/** The move of the main line after a node, if a review has something better. @param {number} node */
function missed(node) {
  const next = app.tree.nodes.get(app.tree.children(node)[0] ?? -1);
  return next?.mark && next.best ? next : null;
}

/** The path of the better move at a node; asked for once. @param {number} node @param {string} token */
function better(node, token) {
  const key = `${app.game} ${node} ${token}`;
  if (!paths.has(key)) {
    paths.set(key, null);
    void app.connection?.ask({ do: 'path', node, token }).then((answer) => {
      paths.set(key, answer);
      onPath();
    }, () => {});
  }
  return paths.get(key) ?? null;
}

/** Arrows of what was better where the page looks. @returns {{arrows: BoardArrow[], frames: string[]}} */
export function betterArrows() {
  const node = app.position?.node ?? 0;
  const next = missed(node);
  const path = next?.best ? better(node, next.best) : null;
  if (!path) return { arrows: [], frames: [] };
  const moves = path.show.flatMap((change) => ('move' in change && change.move[0] !== change.move[1] ? [change.move] : []));
  return { arrows: moves.map(([from, to]) => ({ from, to, rank: 0 })), frames: moves.length > 0 ? [] : path.path };
}

/** Whether a review has gone through the game. */
export const isReviewed = () => [...app.tree.nodes.values()].some((node) => node.best !== undefined);

/**
 * How well a seat has played, in percent: by what each decision lost, on the curve of lichess.
 * @param {string} seat
 */
export function accuracy(seat) {
  const all = app.tree.line(app.state?.live ?? 0).filter((node) => node.by === seat && node.origin !== 'chance' && app.tree.nodes.get(node.parent ?? -1)?.shares);
  if (all.length === 0) return null;
  const of = (/** @type {number} */ loss) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-0.04354 * loss) - 3.1669));
  return all.reduce((sum, node) => sum + of((node.loss ?? 0) / 10), 0) / all.length;
}

/** Goes to before the next move that was marked. */
function nextMistake() {
  const line = app.tree.line(app.position?.node ?? 0);
  const at = line.findIndex((node) => node.node === app.position?.node);
  const marked = (/** @type {TreeNode} */ node) => Boolean(node.mark);
  const next = line.slice(at + 2).find(marked) ?? line.find(marked);
  if (!next || next.parent === null) return;
  look(next.parent);
  // The board and what was better below it are to be seen together.
  if (isSmall()) byId('status').scrollIntoView({ block: 'start' });
}

/** Play goes on from a node; against engines at the own level, where the game was only looked at. @param {GameState} state @param {number} node */
async function tryAgain({ phase, menu }, node) {
  const level = phase === 'analysis' ? levelOf(menu, await levelsOf(menu)) : 0;
  await ask({ do: 'goon', node, ...(level > 0 ? { level } : {}) });
}

/** Why the better move is better. @param {TreeNode} next */
function reason(next) {
  const { table } = app;
  const before = app.tree.nodes.get(next.parent ?? -1);
  const seat = Number(next.by?.slice(1)) - 1;
  const path = next.best ? better(next.parent ?? 0, next.best) : null;
  const move = path?.words.length ? pathWords(path, false) : plainWords(next.best ?? '');
  const share = before?.shares?.[seat];
  const words = { move, seat: table && next.by ? seatName(table, next.by) : '', loss: ((next.loss ?? 0) / 10).toFixed(0) };
  const parts = [t('Better was {move}.', words)];
  if (share !== undefined && next.loss !== undefined) {
    parts.push(t('It keeps {before} % of the game for {seat}; what was played keeps {after} %.', { ...words, before: Math.round(share / 10), after: Math.round((share - next.loss) / 10) }));
  }
  const line = lineWords(next.parent ?? 0, (next.line ?? []).slice(0, 5)).slice(1);
  if (line.length > 0) parts.push(t('It would go on {line}.', { line: line.join('; ') }));
  return parts.join(' ');
}

/** Whether the board would scroll away below what is told beside it. */
const isSmall = () => matchMedia('(max-width: 820px)').matches;

/** What was better where the page looks: on a small screen it stands below the board. */
export function drawWhy() {
  const parts = isSmall() ? mistakeParts() : [];
  update(byId('why-place'), ...parts);
}

/** @returns {HTMLElement[]} */
function mistakeParts() {
  const { state, position, table } = app;
  if (!state || !table || !position || state.phase === 'play' || isTask() || !isReviewed()) return [];
  const next = missed(position.node);
  // A game of a record can go on where its engine is in the menu.
  const isKnown = state.phase === 'over' || app.welcome?.menu?.some((entry) => entry.game === state.menu);
  const may = next && state.you.host && isKnown && !state.secrets && state.seats.every((seat) => seat.kind !== 'link');
  const isMarked = app.tree.line(state.live).some((node) => node.mark);
  return [
    html('div', { class: 'analysis-row' },
      isMarked && html('button', { type: 'button', id: 'next-mistake', onclick: nextMistake }, t('Next mistake')),
      may && html('button', { type: 'button', id: 'try-again', onclick: () => void tryAgain(state, position.node) }, t('Try again from here'))),
    ...(next ? [html('p', { id: 'why', role: 'status' }, html('b', {}, t('{mark}: {move}.', { mark: t(MARKS[next.mark ?? 'mistake']), move: wordsOf(next) })), ' ', reason(next))] : []),
  ];
}

/** What the page says of the review. @returns {HTMLElement[]} */
export function reviewPanel() {
  const { state, position, table } = app;
  if (!state || !table || !position || state.phase === 'play' || !isReviewed()) return [];
  const seats = (table.seats ?? []).map(({ seat }) => ({ seat, value: accuracy(seat) })).filter(({ value }) => value !== null);
  const marks = app.tree.line(state.live).filter((node) => node.mark);
  return [
    html('dl', { class: 'accuracy', 'aria-label': t('Accuracy') }, ...seats.map(({ seat, value }) => {
      const of = (/** @type {string} */ mark) => marks.filter((node) => node.by === seat && node.mark === mark).length;
      const counts = COUNTS.flatMap(([mark, one, several]) => (of(mark) === 0 ? [] : [of(mark) === 1 ? t(one) : t(several, { count: of(mark) })])).join(', ');
      return html('div', {}, html('dt', {}, playerName(seat)), html('dd', {}, html('b', {}, `${(value ?? 0).toFixed(0)} %`), ' ', html('small', {}, counts)));
    })),
    ...(isSmall() ? [] : mistakeParts()),
  ];
}
