// The seats: who plays, whose turn it is, clocks, and the numbers of the board's panel.

import { openDialog } from './dialogs.js';
import { evenLevel, levelOf } from './keeping.js';
import { t } from './language.js';
import { placeWords, seatName, turnSeat } from './names.js';
import { roleClass, seatRole } from './pieces.js';
import { qrPicture } from './qr.js';
import { app, ask, copy, send } from './store.js';
import { byId, html, update } from './svg.js';

/** Numbers up to this are shown as dots. */
const DOTS = 6;

/** How a seat is called: its colour or place, and who sits there. @param {string} seat */
export function playerName(seat) {
  const name = seatName(app.table, seat);
  const person = app.state?.seats.find((known) => known.seat === seat)?.name;
  return person && person !== name ? `${person} (${name})` : name;
}

/** @param {SeatState} seat */
function who(seat) {
  if (seat.kind === 'engine') {
    const player = seat.player && seat.player !== 'engine' && seat.player !== seat.name ? `, ${seat.player}` : '';
    const level = seat.level ? `, ${t('level {level}', { level: seat.level })}` : '';
    return `${seat.name || t('the engine')}${player}${level}`;
  }
  if (seat.name) return seat.name;
  if (seat.kind === 'link') return seat.yours ? t('You') : t('By link');
  return app.state?.seats.filter((other) => other.kind === 'here').length === 1 && seat.yours ? t('You') : t('A person here');
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
  const isFar = seats.some(({ kind }) => kind === 'link');
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
        isTurn && html('span', { class: 'turn-mark' }, seat.thinking ? t('thinking') : t('to move')),
        isFar && presence(seat),
        clock(seat.seat),
      );
      const rank = state?.result?.places?.[number - 1];
      if (rank) head.append(html('span', { class: 'place' }, placeWords(rank)));
      const box = html('div', { class: `seat${isTurn ? ' on-turn' : ''}` }, head);
      if (items.length) box.append(html('dl', {}, ...items.map(panelItem)));
      if (seat.link && state?.phase !== 'over') box.append(link(seat.link, t('Link for {name}', { name: seatName(table, seat.seat) })));
      return box;
    }),
    evened(),
    talk(),
  );
}

/** Whether somebody is there, where people play at several places. @param {SeatState} seat */
function presence({ kind, online, ready }) {
  if (kind === 'engine') return null;
  const [name, text] = !online ? ['away', t('away')] : ready ? ['ready', t('ready')] : ['here', t('here')];
  return html('span', { class: `presence ${name}` }, text);
}

/** Whether one person plays against engines at a level. @param {GameState} state */
export const isAlone = ({ seats, you }) => you.seats.length === 1 && seats.every((seat) => (seat.kind === 'engine' ? seat.level : seat.seat === you.seats[0]));

/** The level of the engines, and the one on equal terms: where the person has the harder game, the own one. @param {GameState} state */
export function levels({ menu, seats, you }) {
  const level = Math.max(0, ...seats.map((seat) => seat.level ?? 0));
  const own = levelOf(menu, Infinity);
  return { level, equal: level === evenLevel(app.table, you.seats[0] ?? '', own) ? own : level };
}

/** Says that the level of the engine makes up for the harder game of the only person. */
function evened() {
  if (!app.state || !isAlone(app.state)) return null;
  const { level, equal } = levels(app.state);
  return level !== equal && evenNote(seatName(app.table, app.state.you.seats[0]), level);
}

/** @param {string} name @param {number} level */
export const evenNote = (name, level) => html('p', { class: 'quiet even' }, t('{name} has the harder game: level {level} makes it even.', { name, level }));

/** @param {PanelItem} item */
function panelItem(item) {
  const value = Number(item.value);
  const isDots = item.of !== undefined && item.of <= DOTS && Number.isInteger(value) && value >= 0 && value <= item.of;
  const text = item.of === undefined ? t(String(item.value)) : `${item.value}/${item.of}`;
  const shown = isDots
    ? html('span', { class: 'dots', role: 'img', 'aria-label': t('{value} of {of}', { value: item.value, of: /** @type {number} */ (item.of) }) }, '●'.repeat(value) + '○'.repeat(/** @type {number} */ (item.of) - value))
    : text;
  return html('div', {}, html('dt', {}, t(item.name)), html('dd', {}, shown));
}

/** Whether an address leads to this computer alone. @param {string} address */
const isHereOnly = (address) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);

/** @param {string} address @param {string} label */
function link(address, label) {
  const mark = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
  const field = html('input', { readonly: true, value: address, 'aria-label': label, onfocus: mark });
  return html('div', { class: 'seat-link' }, field,
    html('button', { type: 'button', onclick: () => void copy(address) }, t('Copy link')),
    html('button', { type: 'button', class: 'show-qr', 'aria-label': t('QR code: {label}', { label }), onclick: () => openQr(address, label) }, t('QR')));
}

/** The code of a link, to be read with the camera of a phone. @param {string} address @param {string} label */
function openQr(address, label) {
  openDialog(label, qrPicture(address, t('QR code: {label}', { label })), html('p', { class: 'address' }, address));
}

/** What people may say to each other. @type {[Phrase, string][]} */
const PHRASES = [['hello', 'Hello!'], ['ready', 'I am ready.'], ['luck', 'Good luck!'], ['nice', 'Nice move!'], ['thanks', 'Thank you!'], ['oops', 'Oops!'], ['moment', 'One moment, please.'], ['bye', 'Goodbye!']];

/** What somebody says, as a sentence. @param {Said} said */
export function saidText({ by, phrase }) {
  const text = t(PHRASES.find(([name]) => name === phrase)?.[1] ?? '');
  return t('{name}: {text}', { name: by.length > 0 ? by.map(playerName).join(t(' and ')) : t('A spectator'), text });
}

/** Where people play at several places: phrases, draw offers, the link of spectators. */
function talk() {
  const { state } = app;
  if (!state?.seats.some((seat) => seat.kind === 'link')) return null;
  const { you, watch } = state;
  const say = (/** @type {Event} */ event) => {
    const select = /** @type {HTMLSelectElement} */ (event.currentTarget);
    if (select.value) send({ do: 'say', phrase: select.value });
    select.value = '';
  };
  const phrases = html('select', { id: 'say', 'aria-label': t('Say something'), onchange: say }, html('option', { value: '' }, t('Say …')), ...PHRASES.map(([name, text]) => html('option', { value: name }, t(text))));
  const isDead = state.seats.some((seat) => seat.link && isHereOnly(seat.link));
  const warning = isDead && html('p', { class: 'warning' }, t('The links work on this computer alone. For other devices start: parlor board --listen 0.0.0.0'));
  const isStart = state.phase === 'play' && app.tree.line(state.live).every((node) => node.parent === null || node.origin === 'chance');
  const isReady = state.seats.every((seat) => seat.ready || !seat.yours);
  const looking = state.spectators === 1 ? t('1 spectator') : t('{count} spectators', { count: state.spectators });
  return html('div', { class: 'talk' }, warning,
    isStart && !isReady && html('button', { type: 'button', id: 'ready', class: 'primary', onclick: () => send({ do: 'say', phrase: 'ready' }) }, t('I am ready.')),
    phrases,
    you.draw && html('button', { type: 'button', id: 'offer-draw', onclick: () => void ask({ do: 'draw' }) }, t('Offer a draw')),
    watch && html('button', { type: 'button', id: 'spectators', onclick: () => openWatch(watch) }, t('Spectators')),
    state.spectators > 0 && html('span', { class: 'quiet', id: 'looking' }, looking));
}

/** @param {string} address */
function openWatch(address) {
  openDialog(t('Link for spectators'), html('p', {}, t('Whoever has this link sees what all may see, and can do nothing.')), qrPicture(address, t('QR code: {label}', { label: t('Link for spectators') })), link(address, t('Link for spectators')));
}

/** @param {string} seat */
function clock(seat) {
  const clocks = app.state?.clocks;
  if (!clocks) return null;
  return html('span', { class: 'clock', 'data-seat': seat, role: 'timer', 'aria-label': t('Clock') }, '');
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
