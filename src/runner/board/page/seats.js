// The seats: who plays, whose turn it is, clocks, and the numbers of the board's panel.

import { seatName, turnSeat } from './names.js';
import { roleClass, seatRole } from './pieces.js';
import { app, copy } from './store.js';
import { byId, html, update } from './svg.js';

/** Numbers up to this are shown as dots. */
const DOTS = 6;

/** How a seat is called: its colour or place, and who sits there. @param {string} seat */
export function playerName(seat) {
  const name = app.table ? seatName(app.table, seat) : seat.replace(/^p/, 'Player ');
  const person = app.state?.seats.find((known) => known.seat === seat)?.name;
  return person && person !== name ? `${person} (${name})` : name;
}

/** @param {SeatState} seat */
function who(seat) {
  if (seat.kind === 'engine') {
    const player = seat.player && seat.player !== 'engine' && seat.player !== seat.name ? `, ${seat.player}` : '';
    return `${seat.name || 'engine'}${player}`;
  }
  if (seat.name) return seat.name;
  if (seat.kind === 'link') return seat.yours ? 'You' : 'By link';
  return app.state?.seats.filter((other) => other.kind === 'here').length === 1 && seat.yours ? 'You' : 'A person here';
}

/** @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  if (left < 10_000) return `0:${two(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0(\d)/, '$1');
}

export function drawSeats() {
  const { state, table, position } = app;
  const place = byId('seats');
  if (!table) return;
  const seats = state?.seats.length ? state.seats : (table.seats ?? []).map(({ seat }) => /** @type {SeatState} */ ({ seat, kind: 'none' }));
  const panel = position?.board?.panel ?? [];
  const isOver = state?.phase === 'over' && position?.node === state.live;
  const turn = turnSeat(position?.board?.turn ?? state?.turn ?? '');
  update(
    place,
    ...seats.map((seat) => {
      const number = Number(seat.seat.slice(1));
      const items = panel.find((known) => known.seat === seat.seat)?.items ?? [];
      const isTurn = seat.seat === turn && !isOver;
      const head = html(
        'div',
        { class: 'seat-head' },
        html('span', { class: `chip ${roleClass(seatRole(table, number))}`, 'aria-hidden': 'true' }, String(number)),
        html('strong', {}, seatName(table, seat.seat)),
        (seat.kind !== 'none' || seat.name) && html('span', { class: 'who' }, who(seat)),
        isTurn && html('span', { class: 'turn-mark' }, seat.thinking ? 'thinking' : 'to move'),
        seat.kind === 'link' && !seat.online && html('span', { class: 'quiet' }, 'not here yet'),
        clock(seat.seat),
      );
      const rank = state?.result?.places?.[number - 1];
      if (rank) head.append(html('span', { class: 'place' }, `${rank}.`));
      const box = html('div', { class: `seat${isTurn ? ' on-turn' : ''}` }, head);
      if (items.length) box.append(html('dl', {}, ...items.map(panelItem)));
      if (seat.link) box.append(link(seat.link));
      return box;
    }),
  );
}

/** @param {PanelItem} item */
function panelItem(item) {
  const value = Number(item.value);
  const isDots = item.of !== undefined && item.of <= DOTS && Number.isInteger(value) && value >= 0 && value <= item.of;
  const text = item.of === undefined ? String(item.value) : `${item.value}/${item.of}`;
  const shown = isDots
    ? html('span', { class: 'dots', role: 'img', 'aria-label': `${item.value} of ${item.of}` }, '●'.repeat(value) + '○'.repeat(/** @type {number} */ (item.of) - value))
    : text;
  return html('div', {}, html('dt', {}, item.name), html('dd', {}, shown));
}

/** @param {string} address */
function link(address) {
  const mark = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
  const field = html('input', { readonly: true, value: address, 'aria-label': 'Link for this seat', onfocus: mark });
  const isHereOnly = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
  const warning = isHereOnly && html('p', { class: 'warning' }, 'This link works on this computer alone. For other devices start: parlor board --listen 0.0.0.0');
  return html('div', { class: 'seat-link' }, warning, field, html('button', { type: 'button', onclick: () => void copy(address) }, 'Copy link'));
}

/** @param {string} seat */
function clock(seat) {
  const clocks = app.state?.clocks;
  if (!clocks) return null;
  return html('span', { class: 'clock', 'data-seat': seat, role: 'timer', 'aria-label': 'Clock' }, '');
}

/** Lets the clocks run. */
export function tickClocks() {
  const clocks = app.state?.clocks;
  if (!clocks) return;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.clock'))) {
    const seat = element.dataset.seat ?? '';
    const isRunning = clocks.running === seat;
    const spent = isRunning ? performance.now() - app.stateAt : 0;
    const text = clockText((clocks.left[Number(seat.slice(1)) - 1] ?? 0) - spent);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('running', isRunning);
  }
}
