// The moves of a game and its variations, to click through; and the buttons of the replay.

import { playerName } from './seats.js';
import { roleClass, seatRole } from './pieces.js';
import { app, send } from './store.js';
import { byId, html, svg, update } from './svg.js';
import { rove } from './roving.js';

/** @type {Record<string, string>} */
const MARKS = { inaccuracy: '?!', mistake: '?', blunder: '??' };
/** A pause of the replay, in milliseconds. */
const PAUSE = 900;

/** The timer of a replay that runs. */
let replay = 0;

/** @param {number | 'live'} node */
export function look(node) {
  send({ do: 'look', node });
}

export function drawMoves() {
  const place = byId('moves');
  const hadFocus = place.contains(document.activeElement);
  const { tree, position } = app;
  const roots = tree.children(null);
  const list = html('div', { class: 'move-list' });
  const start = roots[0] ?? 0;
  list.append(moveButton(start, 'Start'));
  appendLine(list, start);
  update(place, html('h2', {}, 'Moves'), list);
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
 * The main line after a node, the other lines in brackets.
 * @param {HTMLElement} place
 * @param {number} after
 */
function appendLine(place, after) {
  let [at, round, last] = [after, 0, ''];
  for (;;) {
    const [main, ...others] = app.tree.children(at);
    if (main === undefined) return;
    const seat = app.tree.nodes.get(main)?.by ?? '';
    // A round is over when the seats begin anew.
    const isRound = after === app.tree.children(null)[0] && seat && (!last || seat < last);
    last = seat || last;
    if (isRound) place.append(html('span', { class: 'round' }, html('span', { 'aria-hidden': 'true' }, `${++round}.`), moveButton(main)));
    else place.append(moveButton(main));
    for (const other of others) {
      const variation = html('span', { class: 'variation', role: 'group', 'aria-label': 'Variation' }, moveButton(other));
      appendLine(variation, other);
      place.append(variation);
    }
    at = main;
  }
}

/** @param {number} number @param {string} [name] */
function moveButton(number, name) {
  const node = app.tree.nodes.get(number);
  const isCurrent = app.position?.node === number;
  const seat = node?.by ? Number(node.by.slice(1)) : 0;
  const mark = node?.mark ? MARKS[node.mark] : '';
  const token = name ?? node?.token ?? 'hidden';
  const chip = seat && app.table ? html('span', { class: `chip small ${roleClass(seatRole(app.table, seat))}`, 'aria-hidden': 'true', 'data-text': String(seat) }) : null;
  const spoken = `${node?.ply ? `${node.ply}. ` : ''}${seat ? `${playerName(node?.by ?? '')}: ` : ''}`;
  return html(
    'button',
    {
      type: 'button',
      class: `move${node?.origin === 'chance' ? ' chance' : ''}${number === app.state?.live ? ' live' : ''}`,
      'aria-current': isCurrent ? 'step' : undefined,
      title: node?.best ? `better: ${node.best}` : undefined,
      onclick: () => look(number),
    },
    chip,
    spoken && html('span', { class: 'unseen' }, spoken),
    token,
    mark && html('b', { class: `mark ${node?.mark}`, 'aria-hidden': 'true', 'data-text': mark }),
    mark && html('span', { class: 'unseen' }, `, ${node?.mark}`),
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
  const slider = html('input', { type: 'range', id: 'ply', min: 0, max: Math.max(line.length - 1, 0), 'aria-label': 'Position of the game', oninput: slide });
  slider.value = String(at);
  update(
    place,
    button('first', 'M-7 -7V7M7 -7L-4 0L7 7Z', 'First position', () => go('first')),
    button('back', 'M5 -7L-6 0L5 7Z', 'Back', () => go('back')),
    button('replay', replay ? 'M-4 -7V7M4 -7V7' : 'M-9 -6L-1 0L-9 6ZM1 -6L9 0L1 6Z', replay ? 'Stop' : 'Play through the game', toggleReplay),
    button('on', 'M-5 -7L6 0L-5 7Z', 'On', () => go('on')),
    button('last', 'M7 -7V7M-7 -7L4 0L-7 7Z', 'Last position', () => go('last')),
    slider,
  );
  place.querySelector('#go-replay')?.classList.toggle('running', replay !== 0);
}

/** Arrow keys outside the board go through the moves. @param {KeyboardEvent} event */
export function moveKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, textarea, select, dialog, #board, #entry')) return;
  const where = /** @type {Record<string, 'first' | 'back' | 'on' | 'last'>} */ ({ ArrowLeft: 'back', ArrowRight: 'on' })[event.key];
  if (!where) return;
  event.preventDefault();
  go(where);
}
