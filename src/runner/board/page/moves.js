// The moves of a game and its variations, to click through; and the buttons of the replay.

import { t } from './language.js';
import { playerName } from './seats.js';
import { roleClass, seatRole } from './pieces.js';
import { changeSettings, settings } from './settings.js';
import { app, send } from './store.js';
import { byId, html, svg, update } from './svg.js';
import { rove } from './roving.js';
import { seatName } from './names.js';
import { onWordsKnown, wordsOf } from './wording.js';

/** @type {Record<string, string>} */
const MARKS = { inaccuracy: '?!', mistake: '?', blunder: '??' };
/** A pause of the replay, in milliseconds. */
const PAUSE = 900;

/** The timer of a replay that runs. */
let replay = 0;

onWordsKnown(() => drawMoves());

/** @param {number | 'live'} node */
export function look(node) {
  send({ do: 'look', node });
}

export function drawMoves() {
  const place = byId('moves');
  const hadFocus = place.contains(document.activeElement);
  const { tree, position } = app;
  const roots = tree.children(null);
  const start = roots[0] ?? 0;
  const list = html('div', { class: 'move-list' }, moveButton(start, t('Start')), ...turnList(start));
  const tokens = html('button', { type: 'button', id: 'notation', 'aria-pressed': String(settings.tokens), onclick: () => { changeSettings({ tokens: !settings.tokens }); drawMoves(); } }, t('Notation'));
  update(place, html('div', { class: 'moves-head' }, html('h2', {}, t('Moves')), tokens), list);
  const current = /** @type {HTMLElement | null} */ (place.querySelector('[aria-current]'));
  rove(place, '.move', current);
  if (current) {
    const box = /** @type {HTMLElement} */ (place.querySelector('.move-list'));
    box.scrollTop = Math.max(0, current.offsetTop - box.clientHeight / 2);
    if (hadFocus) current.focus();
  }
  drawControls();
  if (position && replay && atEnd()) stopReplay();
}

/**
 * What one seat does in a row, with its throws; `others` are the variations beside it.
 * @typedef {{seat: string, nodes: number[], others: number[]}} Turn
 */

/** The turns of the main line after a node. @param {number} after @returns {Turn[]} */
function turns(after) {
  /** @type {Turn[]} */
  const found = [];
  for (let at = after; ;) {
    const [main, ...others] = app.tree.children(at);
    if (main === undefined) return found;
    const seat = app.tree.nodes.get(main)?.by ?? '';
    const last = found.at(-1);
    if (last && last.seat === seat && last.others.length === 0) last.nodes.push(main);
    else found.push({ seat, nodes: [main], others: [] });
    found.at(-1)?.others.push(...others);
    at = main;
  }
}

/** @param {number} start @returns {HTMLElement[]} */
function turnList(start) {
  const all = turns(start);
  const seats = app.table?.seats?.length ?? 0;
  if (seats !== 2 || all.some(({ seat }) => !seat)) {
    return [html('div', { class: 'turns' }, ...all.map((turn) => html('div', { class: 'turn', 'data-seat': turn.seat }, chip(turn.seat), ...turn.nodes.map((node) => moveButton(node)), ...turn.others.map(variation))))];
  }
  const table = /** @type {Table} */ (app.table);
  const cells = [html('span', {}), ...['p1', 'p2'].map((seat) => html('span', { class: 'turn-head' }, chip(seat), seatName(table, seat)))];
  let [round, next] = [0, 'p1'];
  for (const turn of all) {
    if (turn.seat === 'p1' || next === 'p1') cells.push(html('span', { class: 'round', 'aria-hidden': 'true' }, `${++round}.`));
    if (turn.seat === 'p2' && next === 'p1') cells.push(html('span', { class: 'no-move' }, '…'));
    cells.push(html('div', { class: 'turn', 'data-seat': turn.seat }, ...turn.nodes.map((node) => moveButton(node))));
    next = turn.seat === 'p1' ? 'p2' : 'p1';
    if (turn.others.length === 0) continue;
    if (next === 'p2') cells.push(html('span', { class: 'no-move' }, ''));
    cells.push(html('div', { class: 'beside' }, ...turn.others.map(variation)));
    if (next === 'p2' && app.tree.children(turn.nodes.at(-1) ?? 0).length > 0) {
      cells.push(html('span', { class: 'round', 'aria-hidden': 'true' }, ''), html('span', { class: 'no-move' }, '…'));
    }
  }
  return [html('div', { class: 'turns two' }, ...cells)];
}

/** @param {string} seat */
function chip(seat) {
  const number = Number(seat.slice(1));
  if (!number || !app.table) return null;
  return html('span', { class: `chip small ${roleClass(seatRole(app.table, number))}`, 'aria-hidden': 'true', 'data-text': String(number) });
}

/** @param {number} first @returns {HTMLElement} */
function variation(first) {
  const nodes = [first];
  const inner = [];
  for (let at = first; ;) {
    const [main, ...others] = app.tree.children(at);
    if (main === undefined) break;
    nodes.push(main);
    inner.push(...others);
    at = main;
  }
  return html('span', { class: 'variation', role: 'group', 'aria-label': t('Variation') }, ...nodes.map((node) => moveButton(node)), ...inner.map(variation));
}

/** @param {number} number @param {string} [name] */
function moveButton(number, name) {
  const node = app.tree.nodes.get(number);
  const isCurrent = app.position?.node === number;
  const mark = node?.mark ? MARKS[node.mark] : '';
  const text = name ?? (node ? (settings.tokens ? (node.token ?? t('hidden')) : wordsOf(node)) : '');
  const spoken = node?.ply ? `${node.ply}. ${node.by ? `${playerName(node.by)}: ` : ''}` : '';
  return html(
    'button',
    {
      type: 'button',
      class: `move${node?.origin === 'chance' ? ' chance' : ''}${number === app.state?.live ? ' live' : ''}`,
      'aria-current': isCurrent ? 'step' : undefined,
      'data-node': number,
      title: node?.token ?? undefined,
      onclick: () => look(number),
    },
    spoken && html('span', { class: 'unseen' }, spoken),
    text,
    Boolean(mark) && html('b', { class: `mark ${node?.mark}`, 'aria-hidden': 'true', 'data-text': mark }),
    Boolean(mark) && html('span', { class: 'unseen' }, `, ${t(node?.mark ?? '')}`),
  );
}

function current() {
  return app.position?.node ?? 0;
}

function atEnd() {
  return app.tree.children(current()).length === 0;
}

/** @param {'first' | 'back' | 'on' | 'last'} where */
export function go(where) {
  const line = app.tree.line(current());
  const at = line.findIndex((node) => node.node === current());
  const to = { first: line[0], back: line[at - 1], on: line[at + 1], last: line.at(-1) }[where];
  if (!to || to.node === current()) return;
  look(to.node === app.state?.live ? 'live' : to.node);
}

function stopReplay() {
  clearInterval(replay);
  replay = 0;
  drawControls();
}

function toggleReplay() {
  if (replay) {
    stopReplay();
    return;
  }
  replay = window.setInterval(() => (atEnd() ? stopReplay() : go('on')), PAUSE);
  go('on');
  drawControls();
}

/** @param {string} d */
function icon(d) {
  return svg('svg', { class: 'icon', viewBox: '-10 -10 20 20', 'aria-hidden': 'true' }, svg('path', { d }));
}

function drawControls() {
  const place = byId('controls');
  const line = app.tree.line(current());
  const at = line.findIndex((node) => node.node === current());
  const button = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
    html('button', { type: 'button', id: `go-${id}`, 'aria-label': label, title: label, onclick: run }, icon(sign));
  const slide = (/** @type {Event} */ event) => {
    const node = line[Number(/** @type {HTMLInputElement} */ (event.currentTarget).value)]?.node;
    if (node !== undefined) look(node === app.state?.live ? 'live' : node);
  };
  const slider = html('input', { type: 'range', id: 'ply', min: 0, max: Math.max(line.length - 1, 0), 'aria-label': t('Position of the game'), oninput: slide });
  slider.value = String(at);
  update(
    place,
    button('first', 'M-7 -7V7M7 -7L-4 0L7 7Z', t('First position'), () => go('first')),
    button('back', 'M5 -7L-6 0L5 7Z', t('Back'), () => go('back')),
    button('replay', replay ? 'M-4 -7V7M4 -7V7' : 'M-9 -6L-1 0L-9 6ZM1 -6L9 0L1 6Z', replay ? t('Stop') : t('Play through the game'), toggleReplay),
    button('on', 'M-5 -7L6 0L-5 7Z', t('On'), () => go('on')),
    button('last', 'M7 -7V7M-7 -7L4 0L-7 7Z', t('Last position'), () => go('last')),
    slider,
  );
  place.querySelector('#go-replay')?.classList.toggle('running', replay !== 0);
}

/** Arrow keys outside the board go through the moves. @param {KeyboardEvent} event */
export function moveKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, textarea, select, dialog, #board, #entry, #task')) return;
  const where = /** @type {Record<string, 'first' | 'back' | 'on' | 'last'>} */ ({ ArrowLeft: 'back', ArrowRight: 'on' })[event.key];
  if (!where) return;
  event.preventDefault();
  go(where);
}
