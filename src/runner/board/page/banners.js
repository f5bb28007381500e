// What must be seen at once: a fault, an offer, the end of the game, the handover screen.

import { countResult, evenLevel, inTurn, isJustKept, keepGame } from './keeping.js';
import { t } from './language.js';
import { placeWords, seatName } from './names.js';
import { levelsOf, quickGame } from './newgame.js';
import { isAlone, levels, playerName } from './seats.js';
import { play as sound } from './sound.js';
import { app, ask, forgetSpoken, send, sentence } from './store.js';
import { byId, html, update } from './svg.js';
import { forgetWords } from './wording.js';

/** What the kinds of banners are called. @type {Record<string, string>} */
export const KINDS = { fault: 'A fault', warning: 'A warning', offer: 'An offer', result: 'The result' };

/**
 * @param {string} kind of `KINDS`
 * @param {string} text
 * @param {...(HTMLElement | false | null | undefined)} buttons
 */
function banner(kind, text, ...buttons) {
  return html('div', { class: `banner ${kind}`, role: kind === 'fault' ? 'alert' : 'group', 'aria-label': t(KINDS[kind]) }, html('p', {}, text), html('div', { class: 'banner-buttons' }, ...buttons));
}

/** @param {string} text @param {() => void} run @param {string} [id] */
function button(text, run, id) {
  return html('button', { type: 'button', id, onclick: run }, text);
}

let drawn = '';

/** @param {() => void} newGame */
export function drawBanners(newGame) {
  const { state } = app;
  // The names come with the table, and may change.
  const names = state?.seats.map(({ seat }) => playerName(seat));
  const key = JSON.stringify([state?.fault, state?.offer, state?.result, state?.saved_error, state?.you, names, app.game]);
  if (key === drawn) return;
  drawn = key;
  const parts = [];
  if (state?.fault) parts.push(faultBanner(state.fault));
  if (state?.offer) parts.push(offerBanner(state.offer));
  if (state?.saved_error) parts.push(banner('warning', t('The game could not be saved: {reason}', { reason: state.saved_error })));
  if (state?.result && state.phase === 'over') parts.push(resultBanner(state, state.result, newGame));
  update(byId('banners'), ...parts);
}

/** Another level that is offered after the game. @type {{game: string, level: number | null}} */
let offered = { game: '', level: null };

/** Another level, where the next seat has a harder or an easier game. @param {GameState} state */
function rematchLevel(state) {
  const next = `p${(Number(state.you.seats[0]?.slice(1)) % state.seats.length) + 1}`;
  return isAlone(state) ? { level: evenLevel(app.table, next, levels(state).equal) } : {};
}

/** @param {GameState} state @param {GameResult} result @param {() => void} newGame */
function resultBanner(state, result, newGame) {
  const { you } = state;
  const level = offered.game === `${state.game} ${state.round}` ? offered.level : null;
  const places = placesText(result);
  const shown = banner(
    'result',
    resultText(result),
    you.seats.length > 0 && button(t('Rematch'), () => void ask({ do: 'rematch', ...rematchLevel(state) }), 'rematch'),
    level !== null && button(t('Play level {level}', { level }), () => void quickGame(state.menu, level), 'next-level'),
    you.review && button(t('Review'), () => void ask({ do: 'review', on: true, movetime: 200 }), 'review-now'),
    you.host && button(t('New game'), newGame),
  );
  if (places) shown.querySelector('p')?.after(html('p', { class: 'places' }, places));
  return shown;
}

/** Why games end, by the words of the engines; `{name}` lost or won. @type {Record<string, string>} */
export const REASONS = {
  'watering-holes': 'three animals at the water', 'no-moves': 'no move is left', 'repetition': 'the same position for the third time',
  'markers': 'more markers', 'last-chevrons': 'the last chevrons are gone', 'no-more-gain': 'nobody can gain any more', 'no-gain': 'nobody has gained for long', 'blocked': 'nobody can move', 'last-round': 'the last round is over',
  'eggs-home': 'the eggs are home', 'egg-captured': 'an egg was captured', 'egg-stranded': 'an egg cannot get home', 'porrika-taken': "the por'rika was taken", 'axes-sealed': 'the axes are sealed', 'nobody-moves': 'nobody can move',
  'finish': 'the finish is reached', 'last-arrow': 'the last arrow is placed', 'max-plies': 'the limit of moves is reached', 'resign': 'by resignation', 'overtime': 'on time', 'agreed': 'by agreement', 'all-home': 'all pawns are home',
};

/**
 * Who has won, in the words of the person here where that is one of several.
 * @param {Pick<GameResult, 'places' | 'reason' | 'why'>} result
 * @param {string[]} you the seats of who reads it
 * @param {(seat: string) => string} name
 */
export function resultText(result, you = app.state?.you.seats ?? [], name = playerName) {
  const places = result.places ?? [];
  const winners = places.flatMap((place, index) => (place === 1 ? [`p${index + 1}`] : []));
  const reason = REASONS[result.reason] ? t(REASONS[result.reason]) : result.why;
  const mine = you.length === 1 && places.length > 1 ? places[Number(you[0].slice(1)) - 1] : 0;
  if (winners.length === places.length) return t('A draw: {reason}', { reason });
  if (winners.length > 1) return t('{names} share the first place: {reason}', { names: winners.map((seat) => name(seat)).join(t(' and ')), reason });
  if (mine === 1) return t('You won: {reason}', { reason });
  if (mine > 1 && places.length === 2) return t('You lost: {reason}', { reason });
  return t('{name} won: {reason}', { name: name(winners[0] ?? 'p1'), reason });
}

/** The places of more than two seats. @param {GameResult} result */
function placesText(result) {
  const places = result.places ?? [];
  if (places.length <= 2) return '';
  const order = places.map((place, index) => ({ place, seat: `p${index + 1}` })).sort((a, b) => a.place - b.place);
  return order.map(({ place, seat }) => `${placeWords(place)}: ${playerName(seat)}`).join(', ');
}

/** Counts and keeps a game that has just ended. @param {GameState} state @param {GameResult} result */
export async function noteEnd(state, result) {
  sound('end');
  if (state.you.seats.length === 0) return;
  const answer = await app.connection?.ask({ do: 'text', node: state.live, what: 'record' }).catch(() => null);
  await inTurn(() => countEnd(state, result, answer?.text ?? null));
}

/** @param {GameState} state @param {GameResult} result @param {string | null} record */
async function countEnd(state, result, record) {
  if (record !== null && isJustKept(state.menu, record)) return;
  const mine = state.you.seats;
  // An even game counts as one at the person's own level.
  const level = levels(state).equal;
  const key = `${state.game} ${state.round}`;
  if (state.you.host && isAlone(state) && state.live > 0) {
    const place = result.places[Number(mine[0].slice(1)) - 1];
    const isShared = result.places.filter((other) => other === place).length > 1;
    const most = await levelsOf(state.menu);
    offered = { game: key, level: countResult(state.menu, level, most, isShared ? 0 : place === 1 ? 1 : -1) };
    drawn = '';
    onOffer();
  }
  if (record === null) return;
  keepGame({
    id: `${Date.now()}-${key}`, menu: state.menu, title: state.title, when: Date.now(), seats: state.seats.map((seat) => seat.name), mine: mine.map((seat) => Number(seat.slice(1))),
    places: result.places, result: resultText(result), level, plies: app.tree.line(state.live).length - 1, record,
  });
}

let onOffer = () => {};
/** @param {() => void} listener called when another level is offered */
export const onLevelOffered = (listener) => void (onOffer = listener);

/** @param {Fault} fault */
function faultBanner(fault) {
  const seat = fault.seat ?? '';
  const host = Boolean(app.state?.you.host && seat);
  const engine = app.state?.seats.find((known) => known.seat === seat)?.engine ?? 0;
  const where = seat && app.table ? ` (${seatName(app.table, seat)})` : '';
  const others = app.welcome?.menu?.find((entry) => entry.game === app.state?.menu)?.engines ?? [];
  return banner(
    'fault',
    t('{engine}: {fault}. The game waits.', { engine: `${sentence(fault.engine)}${where}`, fault: fault.text }),
    host && button(t('Start it again'), () => void ask({ do: 'seat', seat, to: { kind: 'engine', engine } }), 'restart-engine'),
    ...(host ? others.filter((other) => other.engine !== engine).map((other) => button(t('Let {name} play', { name: other.name }), () => void ask({ do: 'seat', seat, to: { kind: 'engine', engine: other.engine } }))) : []),
    host && button(t('Play this seat myself'), () => void ask({ do: 'seat', seat, to: { kind: 'here' } }), 'take-seat'),
  );
}

/** @param {Offer} offer */
function offerBanner(offer) {
  const isMine = offer.wait.some((seat) => app.state?.you.seats.includes(seat));
  const name = playerName(offer.by);
  const text = offer.kind === 'draw' ? t('{name} offers a draw.', { name }) : t('{name} asks to take back the last move.', { name });
  if (!isMine) return banner('offer', `${text} ${t('Waiting for {names}.', { names: offer.wait.map(playerName).join(t(' and ')) })}`);
  const answer = (/** @type {boolean} */ yes) => () => send({ do: 'answer', yes });
  return banner('offer', text, button(t('Accept'), answer(true), 'accept'), button(t('Refuse'), answer(false), 'refuse'));
}

/** The handover screen between two people who share the page. */
export function drawHandover() {
  const seat = app.state?.you.curtain ?? null;
  const place = byId('handover');
  place.hidden = seat === null;
  byId('game').classList.toggle('handed-over', seat !== null);
  if (seat === null) {
    place.replaceChildren();
    return;
  }
  const name = playerName(seat);
  if (place.dataset.name === name && place.childElementCount > 0) return;
  place.dataset.name = name;
  forgetSpoken();
  forgetWords();
  const show = button(t('Show what {name} may see', { name }), () => void ask({ do: 'show', seat }), 'show-view');
  place.replaceChildren(html('p', {}, t('Pass the screen to {name}.', { name })), show);
  show.focus();
}
