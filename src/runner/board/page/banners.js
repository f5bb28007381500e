// What must be seen at once: a fault, an offer, the end of the game, the handover screen.

import { seatName } from './names.js';
import { playerName } from './seats.js';
import { app, ask, forgetSpoken, send, sentence } from './store.js';
import { byId, html, update } from './svg.js';

/**
 * @param {string} kind
 * @param {string} text
 * @param {...(HTMLElement | false | null | undefined)} buttons
 */
function banner(kind, text, ...buttons) {
  return html('div', { class: `banner ${kind}`, role: kind === 'fault' ? 'alert' : 'group', 'aria-label': kind }, html('p', {}, text), html('div', { class: 'banner-buttons' }, ...buttons));
}

/** @param {string} text @param {() => void} run @param {string} [id] */
function button(text, run, id) {
  return html('button', { type: 'button', id, onclick: run }, text);
}

let drawn = '';

/** @param {() => void} newGame */
export function drawBanners(newGame) {
  const { state } = app;
  const key = JSON.stringify([state?.fault, state?.offer, state?.result, state?.saved_error, state?.you, app.game]);
  if (key === drawn) return;
  drawn = key;
  const parts = [];
  if (state?.fault) parts.push(faultBanner(state.fault));
  if (state?.offer) parts.push(offerBanner(state.offer));
  if (state?.saved_error) parts.push(banner('warning', `The game could not be saved: ${state.saved_error}`));
  if (state?.result && state.phase === 'over') {
    parts.push(banner('result', resultText(state.result), state.you.seats.length > 0 && button('Rematch', () => void ask({ do: 'rematch' }), 'rematch'), state.you.host && button('New game', newGame)));
  }
  update(byId('banners'), ...parts);
}

/** @param {GameResult} result */
export function resultText(result) {
  const winners = (result.places ?? []).flatMap((place, index) => (place === 1 ? [playerName(`p${index + 1}`)] : []));
  const who = winners.length === 1 ? `${winners[0]} wins` : result.result === 'draw' || winners.length === result.places?.length ? 'Draw' : `${winners.join(' and ')} share the first place`;
  const why = /** @type {Record<string, string>} */ ({ resign: 'by resignation', overtime: 'on time' })[result.reason];
  return why ? `${who} ${why}` : `${who}: ${result.why}`;
}

/** @param {Fault} fault */
function faultBanner(fault) {
  const seat = fault.seat ?? '';
  const host = Boolean(app.state?.you.host && seat);
  const engine = app.state?.seats.find((known) => known.seat === seat)?.engine ?? 0;
  const where = seat && app.table ? ` (${seatName(app.table, seat)})` : '';
  const others = app.welcome?.menu?.find((entry) => entry.game === app.state?.menu)?.engines ?? [];
  return banner(
    'fault',
    `${sentence(fault.engine)}${where}: ${fault.text}. The game waits.`,
    host && button('Start it again', () => void ask({ do: 'seat', seat, to: { kind: 'engine', engine } }), 'restart-engine'),
    ...(host ? others.filter((other) => other.engine !== engine).map((other) => button(`Let ${other.name} play`, () => void ask({ do: 'seat', seat, to: { kind: 'engine', engine: other.engine } }))) : []),
    host && button('Play this seat myself', () => void ask({ do: 'seat', seat, to: { kind: 'here' } }), 'take-seat'),
  );
}

/** @param {Offer} offer */
function offerBanner(offer) {
  const isMine = offer.wait.some((seat) => app.state?.you.seats.includes(seat));
  const what = offer.kind === 'undo' ? 'take back the last move' : offer.kind;
  if (!isMine) return banner('offer', `${playerName(offer.by)} asks to ${what}: waiting for ${offer.wait.map(playerName).join(' and ')}.`);
  const answer = (/** @type {boolean} */ yes) => () => send({ do: 'answer', yes });
  return banner('offer', `${playerName(offer.by)} asks to ${what}.`, button('Accept', answer(true)), button('Refuse', answer(false)));
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
  if (place.dataset.seat === seat && place.childElementCount > 0) return;
  place.dataset.seat = seat;
  forgetSpoken();
  const show = button(`Show what ${playerName(seat)} may see`, () => void ask({ do: 'show', seat }), 'show-view');
  place.replaceChildren(html('p', {}, 'Pass the screen to ', html('strong', {}, playerName(seat)), '.'), show);
  show.focus();
}
