// What stands beside the board: dice, cards, notes, and a diagram where there is no board.

import { t } from './language.js';
import { seatName } from './names.js';
import { OUTLINE, roleClass, seatRole } from './pieces.js';
import { app, withNames } from './store.js';
import { byId, html, round, svg, update } from './svg.js';
import { rove } from './roving.js';

/** The spots of a die, in a box from -1 to 1. @type {Record<number, Point[]>} */
const SPOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** @param {Dice | undefined} dice */
export function drawDice(dice) {
  const place = byId('dice');
  if (!dice || dice.values.length === 0) {
    place.replaceChildren();
    return;
  }
  const left = [...dice.left];
  const drawn = dice.values.map((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return die(dice.of, value, at >= 0);
  });
  update(place, html('span', { class: 'quiet' }, t('Thrown')), ...drawn);
}

/** Lets the throw roll to its place. @param {number} duration */
export function rollDice(duration) {
  if (duration === 0) return;
  byId('dice').querySelectorAll('.die').forEach((die, index) => {
    die.animate([{ transform: 'rotate(-240deg) scale(0.4)', opacity: 0.2 }, { transform: 'none', opacity: 1 }], { duration: 2 * duration, delay: 40 * index, easing: 'ease-out', fill: 'backwards' });
  });
}

/** Lets clay that has changed take its shape. @param {Card[]} before @param {Card[]} after @param {number} duration */
export function shapeClay(before, after, duration) {
  if (duration === 0) return;
  for (const { id, picture } of after) {
    const old = before.find((card) => card.id === id)?.picture ?? [];
    if (!picture?.length || JSON.stringify(old) === JSON.stringify(picture)) continue;
    byId('cards').querySelector(`[data-clay="${CSS.escape(id)}"]`)?.animate([{ transform: 'scale(1.25, 0.6)' }, { transform: 'scale(0.9, 1.12)', offset: 0.6 }, { transform: 'none' }], { duration: 2 * duration, easing: 'ease-out' });
  }
}

/** @param {string} of @param {number} value @param {boolean} isLeft */
function die(of, value, isLeft) {
  const label = `${value}${isLeft ? '' : t(', used')}`;
  const shape = svg('svg', { class: `die${isLeft ? '' : ' used'}`, viewBox: '-1.8 -1.8 3.6 3.6', role: 'img', 'aria-label': label });
  if (of === 'cowrie') {
    // As many of four shells with the mouth up as the value says; eight: all with the mouth down.
    const up = value >= 8 ? 0 : Math.min(value, 4);
    for (let index = 0; index < 4; index++) shape.append(shell(index, index < up));
    shape.setAttribute('viewBox', '-4.4 -1.8 8.8 3.6');
    shape.classList.add('cowrie');
    return html('span', { class: `throw-value${isLeft ? '' : ' used'}` }, shape, html('b', { 'aria-hidden': 'true' }, String(value)));
  }
  shape.append(svg('rect', { x: -1.7, y: -1.7, width: 3.4, height: 3.4, rx: 0.6 }));
  const spots = SPOTS[value];
  if (spots) shape.append(...spots.map(([x, y]) => svg('circle', { cx: 0.85 * x, cy: 0.85 * y, r: 0.33 })));
  else shape.append(svg('text', { 'font-size': 1.8 }, String(value)));
  return shape;
}

/** @param {number} index @param {boolean} isUp */
function shell(index, isUp) {
  const g = svg('g', { class: isUp ? 'shell up' : 'shell', transform: `translate(${round((index - 1.5) * 2.1)} 0)` });
  g.append(svg('ellipse', { rx: 0.85, ry: 1.4 }));
  if (isUp) g.append(svg('path', { d: 'M0 -1C.25 -.4 .25 .4 0 1C-.25 .4 -.25 -.4 0 -1M-.35 -.5H.35M-.4 0H.4M-.35 .5H.35' }));
  return g;
}

/**
 * @param {Card[]} cards
 * @param {Map<string, string>} choices card, choice
 * @param {string[]} named cards of the last move and of the choices made
 * @param {(choice: string) => void} choose
 */
export function drawCards(cards, choices, named, choose) {
  const place = byId('cards');
  const table = app.table;
  place.hidden = cards.length === 0;
  byId('game').classList.toggle('has-cards', cards.length > 0);
  if (!table || cards.length === 0) {
    place.replaceChildren();
    return;
  }
  const seats = [...new Set(cards.map((card) => card.seat))];
  const draw = () => drawCards(cards, choices, named, choose);
  update(
    place,
    ...seats.map((seat) => {
      const own = cards.filter((card) => card.seat === seat);
      return html(
        'details',
        { class: 'hand', open: isUnfolded(seat, own.some(({ id }) => choices.has(id))), 'aria-label': t('Cards of {name}', { name: seatName(table, seat) }) },
        html(
          'summary',
          { onclick: (event) => toggleHand(/** @type {Event} */ (event), seat, draw) },
          html('span', { class: `chip ${roleClass(seatRole(table, Number(seat.slice(1))))}`, 'aria-hidden': 'true' }, seat.slice(1)),
          html('h2', {}, seatName(table, seat)),
        ),
        html('div', { class: 'hand-cards' }, ...own.map((card) => drawCard(card, choices.get(card.id), named.includes(card.id), choose))),
      );
    }),
  );
  rove(place, '.card-choice');
}

/** Hands that a person has opened or folded, by game and seat. @type {Map<string, boolean>} */
const unfolded = new Map();

/** Whether the cards of a seat are shown: on a small screen one's own, those to choose from, and all at the end. @param {string} seat @param {boolean} isAble */
function isUnfolded(seat, isAble) {
  const isOver = app.state?.phase === 'over';
  const isOwn = isOver || !matchMedia('(max-width: 820px), (max-height: 480px)').matches || seat === app.state?.you.view;
  return isAble || (unfolded.get(`${app.game} ${seat}`) ?? isOwn);
}

/** @param {Event} event @param {string} seat @param {() => void} draw */
function toggleHand(event, seat, draw) {
  event.preventDefault();
  const hand = /** @type {HTMLDetailsElement} */ (/** @type {HTMLElement} */ (event.currentTarget).parentElement);
  unfolded.set(`${app.game} ${seat}`, !hand.open);
  draw();
}

/** The small picture of a card; what it shows stands in the lines. @param {Card} card */
function cardPicture(card) {
  const shapes = (card.picture ?? []).filter((shape) => OUTLINE.test(shape.path));
  const paths = shapes.map((shape) => svg('path', { d: shape.path, class: shape.fill === 'clay' || shape.fill === 'dent' ? shape.fill : 'scratch' }));
  return svg('svg', { viewBox: '-2 -2 104 104', class: 'card-picture', 'data-clay': card.id, 'aria-hidden': 'true' }, ...paths);
}

/**
 * @param {Card} card
 * @param {string | undefined} choice
 * @param {boolean} isNamed
 * @param {(choice: string) => void} choose
 */
function drawCard(card, choice, isNamed, choose) {
  const isHidden = card.title === '?';
  const title = [html('span', { class: 'card-id' }, card.id), html('strong', {}, isHidden ? t('hidden') : card.title === '-' ? t('not chosen yet') : card.title)];
  const head = choice
    ? html('button', { type: 'button', class: 'card-choice', 'data-card': card.id, onclick: () => choose(choice) }, ...title)
    : html('p', { class: 'card-title' }, ...title);
  const lines = (card.lines ?? []).map((line) => html('li', {}, withNames(line)));
  return html(
    'article',
    { class: `card${choice ? ' able' : ''}${isNamed ? ' named' : ''}${isHidden ? ' hidden-card' : ''}` },
    head,
    (card.picture?.length ?? 0) > 0 && cardPicture(card),
    card.secret && !isHidden && card.seat === app.state?.you.view && html('p', { class: 'secret' }, t('only you see this')),
    lines.length > 0 && html('ul', {}, ...lines),
    (card.badges?.length ?? 0) > 0 && html('p', { class: 'badges' }, ...(card.badges ?? []).map((badge) => html('span', {}, withNames(badge)))),
  );
}
