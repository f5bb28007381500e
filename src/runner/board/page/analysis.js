// Analysis of a game: the evaluation bar, the graph, lines, hints, the review.

import { t } from './language.js';
import { seatName } from './names.js';
import { roleClass, seatRole } from './pieces.js';
import { app, ask, send, toast } from './store.js';
import { byId, html, points, round, svg, update } from './svg.js';
import { look } from './moves.js';
import { explorerPanel } from './mygames.js';
import { betterArrows, drawWhy, reviewPanel } from './review.js';
import { taskArrows, isTask } from './task.js';
import { forgetLines, lineWords, onWordsKnown } from './wording.js';

/** @typedef {import('./board.js').BoardArrow} BoardArrow */

const LINES = [1, 2, 3, 5];

/** What is being looked at. */
const view = {
  isOn: false,
  isAsking: false,
  lines: 3,
  /** @type {AnalysisMessage | null} */
  analysis: null,
  /** @type {HintMessage | null} */
  hint: null,
  /** @type {ReviewMessage | null} */
  review: null,
};

/** The most moves of a line that are shown. */
const LONGEST = 5;

onWordsKnown(() => drawAnalysis());

/** Called when arrows have changed. */
let onArrows = () => {};
/** @param {() => void} listener */
export const onArrowsChanged = (listener) => void (onArrows = listener);

/** A score as chess programs print it. @param {Score | null | undefined} score */
export function scoreText(score) {
  if (!score) return '';
  if ('mate' in score) return `${score.mate < 0 ? '−' : ''}#${Math.abs(score.mate)}`;
  const value = score.cp / 100;
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

/** A new game. */
export function resetAnalysis() {
  Object.assign(view, { isOn: false, analysis: null, hint: null, review: null });
  asked = '';
}

/** Another node is shown: hints are for one position only. */
export function followAnalysis() {
  if (view.hint && view.hint.node !== app.position?.node) view.hint = null;
  if (view.analysis && view.analysis.node !== app.position?.node) view.analysis = null;
  if (!app.state?.you.analyse) view.isOn = false;
  if (view.isOn) requestAnalysis();
}

let asked = '';
function requestAnalysis() {
  const key = `${app.game} ${app.position?.node} ${view.lines}`;
  if (key === asked) return;
  asked = key;
  void ask({ do: 'analyse', on: true, node: app.position?.node, lines: view.lines });
}

function toggleAnalysis() {
  view.isOn = !view.isOn;
  asked = '';
  if (view.isOn) requestAnalysis();
  else send({ do: 'analyse', on: false });
  [view.analysis, view.hint] = [null, null];
  drawAnalysis();
  onArrows();
}

/** @param {AnalysisMessage} message */
export function onAnalysis(message) {
  if (!view.isOn || message.node !== app.position?.node) return;
  view.analysis = message;
  drawAnalysis();
  onArrows();
}

/** @param {ReviewMessage} message */
export function onReview(message) {
  if (view.review?.running && !message.running) toast(t('The review is done.'));
  view.review = message;
  drawAnalysis();
}

async function askHint() {
  if (view.isAsking) return;
  view.isAsking = true;
  drawAnalysis();
  const message = await ask({ do: 'hint', node: app.position?.node });
  view.isAsking = false;
  drawAnalysis();
  if (!message || message.node !== app.position?.node) return;
  view.hint = message;
  drawAnalysis();
  onArrows();
}

/** The arrows and frames to draw. @returns {{arrows: BoardArrow[], frames: string[]}} */
export function arrows() {
  if (isTask()) return taskArrows();
  if (!view.hint && !view.isOn) return betterArrows();
  const lines = view.hint ? [{ rank: 1, ...view.hint }] : (view.analysis?.lines ?? []);
  /** @type {BoardArrow[]} */
  const found = [];
  /** @type {string[]} */
  const frames = [];
  for (const { rank, show = [], path = [] } of lines) {
    const moves = show.flatMap((change) => ('move' in change && change.move[0] !== change.move[1] ? [change.move] : []));
    found.push(...moves.map(([from, to]) => ({ from, to, rank: rank - 1 })));
    if (rank > 1) continue;
    for (const change of show) {
      if ('add' in change) frames.push(change.add);
      else if ('remove' in change) frames.push(change.remove);
      else if ('move' in change && change.move[0] === change.move[1]) frames.push(change.move[0]);
    }
    if (show.length === 0) frames.push(...path);
  }
  return { arrows: found, frames };
}

/** The values of the position for the seats, in permille; null where they are not known. */
function shares() {
  const { state, position } = app;
  const places = position && position.node === state?.live ? state.result?.places : null;
  if (places) {
    const best = Math.min(...places);
    const winners = places.filter((place) => place === best).length;
    return places.map((place) => (place === best ? 1000 / winners : 0));
  }
  return view.analysis?.lines[0]?.shares ?? view.hint?.shares ?? app.tree.nodes.get(app.position?.node ?? -1)?.shares ?? null;
}

/** Whether values are shown: while people play only if they ask for the analysis. */
function isJudged() {
  if (view.isOn) return true;
  return app.state?.phase !== 'play' && [...app.tree.nodes.values()].some((node) => node.shares);
}

export function drawBar() {
  const bar = byId('bar');
  const values = shares();
  const table = app.table;
  bar.hidden = !table || isTask() || !isJudged() || !app.state?.you.analyse;
  if (bar.hidden || !table) return;
  const seats = table.seats ?? [];
  const parts = values ?? seats.map(() => 1000 / seats.length);
  const name = parts.map((value, index) => `${seatName(table, `p${index + 1}`)} ${Math.round(value / 10)} %`).join(', ');
  bar.setAttribute('aria-label', values ? t('Evaluation: {values}', { values: name }) : t('Evaluation: not known'));
  bar.classList.toggle('unknown', !values);
  update(
    bar,
    ...parts
      .map((value, index) => {
        const part = html('div', { class: `part ${roleClass(seatRole(table, index + 1))}` }, values && value > 90 ? String(seats.length > 2 ? index + 1 : Math.round(value / 10)) : '');
        part.style.flexGrow = String(Math.max(value, 1));
        return part;
      })
      .reverse(),
  );
}

export function drawAnalysis() {
  const place = byId('analysis');
  const you = app.state?.you;
  place.hidden = !you?.analyse || isTask();
  drawBar();
  drawWhy();
  // Below everything: it comes when the server has answered, and must not push away what is pressed.
  update(byId('explore'), place.hidden ? null : explorerPanel());
  if (!you?.analyse || place.hidden) {
    place.replaceChildren();
    return;
  }
  const change = (/** @type {Event} */ event) => {
    view.lines = Number(/** @type {HTMLSelectElement} */ (event.currentTarget).value);
    if (view.isOn) requestAnalysis();
  };
  const lines = html('select', { id: 'lines', 'aria-label': t('Number of lines'), onchange: change }, ...LINES.map((count) => html('option', { value: count, selected: count === view.lines }, count === 1 ? t('1 line') : t('{count} lines', { count }))));
  update(
    place,
    html(
      'div',
      { class: 'analysis-row' },
      html('button', { type: 'button', id: 'analyse', 'aria-pressed': String(view.isOn), onclick: toggleAnalysis }, t('Analysis')),
      view.isOn && lines,
      html('button', { type: 'button', id: 'hint', 'aria-busy': String(view.isAsking), onclick: () => void askHint() }, view.isAsking ? t('Thinking …') : t('Hint')),
      (you.review || view.review?.running) && reviewButton(),
    ),
    ...lineList(),
    ...reviewProgress(),
    ...graph(),
    ...reviewPanel(),
  );
}

/** @returns {HTMLElement[]} */
function lineList() {
  const { analysis, hint } = view;
  if (hint) {
    const text = html('li', {}, html('b', {}, scoreText(hint.score)), ` ${lineWords(hint.node, [hint.token])[0]}`);
    return [html('ol', { class: 'lines', 'aria-label': t('Hint') }, text)];
  }
  if (!view.isOn) return [];
  if (!analysis) return [html('p', { class: 'quiet' }, t('Thinking …'))];
  forgetLines();
  const nodes = analysis.nodes === null ? '' : t(', {count} thousand nodes', { count: (analysis.nodes / 1000).toFixed(0) });
  return [
    html('p', { class: 'quiet' }, t('depth {depth}{nodes}', { depth: analysis.depth ?? 0, nodes })),
    html(
      'ol',
      { class: 'lines', 'aria-label': t('Lines of analysis') },
      ...analysis.lines.map((line) => html('li', {}, html('b', {}, scoreText(line.score)), ` ${lineWords(analysis.node, (line.pv ?? []).slice(0, LONGEST)).join('; ')}`)),
    ),
  ];
}

function reviewButton() {
  const isRunning = Boolean(view.review?.running);
  return html(
    'button',
    { type: 'button', id: 'review', 'aria-pressed': String(isRunning), onclick: () => void ask({ do: 'review', on: !isRunning, movetime: 200 }) },
    isRunning ? t('Stop the review') : t('Review the game'),
  );
}

/** @returns {HTMLElement[]} */
function reviewProgress() {
  const { review } = view;
  if (!review?.running) return [];
  const left = review.left_ms === null ? '' : t(', {seconds} s left', { seconds: Math.ceil(review.left_ms / 1000) });
  const bar = html('progress', { max: review.of, value: review.done, 'aria-label': t('Review') });
  return [html('p', { class: 'progress' }, bar, ' ', t('{done} of {of}', { done: review.done, of: review.of }), left)];
}

/** The values over the game. @returns {Element[]} */
function graph() {
  const table = app.table;
  const line = app.tree.line(app.position?.node ?? 0);
  const known = line.flatMap((node, index) => (node.shares ? [{ index, shares: node.shares, node: node.node }] : []));
  if (!table || known.length < 2 || !isJudged()) return [];
  const [width, height] = [100, 30];
  const x = (/** @type {number} */ index) => (width * index) / Math.max(line.length - 1, 1);
  const drawing = svg('svg', { id: 'graph', viewBox: `0 -1 ${width} ${height + 2}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('Values over the game') });
  const seats = table.seats ?? [];
  drawing.append(svg('rect', { class: 'graph-ground', x: 0, y: 0, width, height }));
  drawing.append(svg('line', { class: 'graph-middle', x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const curve = (/** @type {number} */ seat) => known.map(({ index, shares }) => /** @type {Point} */ ([x(index), height * (1 - (shares[seat] ?? 0) / 1000)]));
  if (seats.length <= 2) {
    const top = curve(0);
    drawing.append(svg('polygon', { class: `graph-area ${roleClass(seatRole(table, 1))}`, points: points([[top[0][0], height], ...top, [top[top.length - 1][0], height]]) }));
    drawing.append(svg('polyline', { class: 'graph-line', points: points(top) }));
  } else {
    seats.forEach((_, seat) => {
      const dash = ['none', '4 1.5', '1.5 1.5', '6 1.5 1.5 1.5', '3 3', '1 3'][seat];
      drawing.append(svg('polyline', { class: `graph-seat ${roleClass(seatRole(table, seat + 1))}`, points: points(curve(seat)), 'stroke-dasharray': dash }));
    });
  }
  for (const [index, node] of line.entries()) {
    if (!node.mark) continue;
    drawing.append(svg('line', { class: `graph-mark ${node.mark}`, x1: round(x(index)), x2: round(x(index)), y1: 0, y2: height }));
  }
  const at = line.findIndex((node) => node.node === app.position?.node);
  drawing.append(svg('line', { class: 'graph-now', x1: round(x(at)), x2: round(x(at)), y1: 0, y2: height }));
  drawing.onclick = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const node = line[Math.round(((event.clientX - box.x) / box.width) * (line.length - 1))];
    if (node) look(node.node === app.state?.live ? 'live' : node.node);
  };
  const legend = seats.length > 2 ? [html('p', { class: 'quiet' }, seats.map((seat, index) => `${index + 1} ${seat.name}: ${t(['full', 'dashes', 'dots', 'dash and dot', 'wide dashes', 'wide dots'][index])}`).join(', '))] : [];
  return [drawing, ...legend];
}
