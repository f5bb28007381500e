// Lessons and puzzles: a position, a task, and what is said of each move. The engine of the game has
// told what is right; the position stands on a board that nobody plays on.

import { noteDone, progress } from './keeping.js';
import { t } from './language.js';
import { openDialog } from './dialogs.js';
import { play as sound } from './sound.js';
import { app, announce, ask } from './store.js';
import { byId, html, update } from './svg.js';
import { pathWords, plainWords } from './wording.js';

/** @typedef {import('./board.js').BoardArrow} BoardArrow */

/**
 * One thing to do.
 * @typedef {object} Task
 * @property {string} menu
 * @property {'lessons' | 'puzzles'} kind
 * @property {string} id of the lesson or puzzle
 * @property {string} title
 * @property {LessonStep} step
 * @property {Record<string, number>} [loss]
 * @property {(() => void) | null} next what comes after it
 * @property {() => void} list
 */

/** How long the answer of the others waits, in milliseconds. */
const PAUSE = 600;

const view = {
  /** @type {Task | null} */ task: null,
  /** What is right now. @type {Solution | null} */ solution: null,
  /** What is said. */ said: '',
  /** @type {'' | 'right' | 'wrong'} */ judgement: '',
  isDone: false,
  isShown: false,
  /** The path of the solution, once it is asked for. @type {PathMessage | null} */ shown: null,
  game: '',
  /** The right token that is on its way to the board. */ played: '',
};

/** Whether the page shows a task. */
export const isTask = () => view.task !== null && app.game === view.game;

/** Leaves the task; its board ends. */
export function endTask() {
  if (view.game && view.game !== 'new') void app.connection?.ask({ do: 'end', game: view.game }).catch(() => {});
  Object.assign(view, { task: null, game: '' });
}

/** @param {Task} task */
async function begin(task) {
  const before = view.game;
  Object.assign(view, { task, solution: task.step.solution ?? null, said: '', judgement: '', isDone: !task.step.solution, isShown: false, shown: null, game: '', played: '' });
  const { rules, position } = task.step;
  view.game = 'new';
  const answer = await ask({ do: 'new', menu: task.menu, rules, start: position, analysis: true });
  if (before && before !== 'new') void ask({ do: 'end', game: before });
  if (!answer) endTask();
}

/** The board of a task has come. @param {string} game whether it is one */
export function taskBegins(game) {
  if (view.game !== 'new') {
    if (view.game && game !== view.game) endTask();
    return;
  }
  view.game = game;
}

/**
 * What becomes of a move: whether it is to be played.
 * @param {string} token
 */
export function judge(token) {
  const { task, solution } = view;
  if (!task || !solution || view.isDone) return true;
  if (solution.accept.includes(token)) {
    view.played = token;
    return true;
  }
  const { no } = task.step;
  const wrong = typeof no === 'object' ? (no[token] ?? no['']) : no;
  const cost = task.loss?.[token];
  view.said = wrong ?? (cost ? t('That costs {percent} % of the game. Try again.', { percent: (cost / 10).toFixed(1) }) : t('That is not it. Try again.'));
  view.judgement = 'wrong';
  sound('card');
  announce(view.said);
  drawTask();
  return false;
}

/** How many moves a line has at most. @param {Solution} solution @returns {number} */
const length = (solution) => 1 + Math.max(0, ...Object.values(solution.replies ?? {}).map(length));

/** Once a right move stands on the board the others answer, or it is done. */
export async function followTask() {
  const { task, solution, played } = view;
  if (!task || !solution || !played || app.tree.nodes.get(app.position?.node ?? 0)?.token !== played) return;
  view.played = '';
  const replies = Object.entries(solution.replies ?? {});
  Object.assign(view, { shown: null, isShown: false });
  if (replies.length === 0) {
    finish();
    return;
  }
  const [reply, then] = replies.reduce((best, other) => (length(other[1]) > length(best[1]) ? other : best));
  Object.assign(view, { said: t('Right. Go on.'), judgement: 'right' });
  drawTask();
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (view.task !== task) return;
  view.solution = then;
  if (!(await ask({ do: 'play', node: app.position?.node, token: reply }))) view.solution = solution;
}

function finish() {
  const { task } = view;
  if (!task) return;
  Object.assign(view, { isDone: true, said: task.step.yes ?? t('Right!'), judgement: 'right' });
  sound('word');
  announce(view.said);
  if (task.kind === 'puzzles' || !task.next) noteDone(task.menu, task.kind, task.id);
  drawTask();
}

/** Shows the first right move. */
async function showSolution() {
  const token = view.solution?.accept[0];
  if (!token) return;
  view.shown = await ask({ do: 'path', node: app.position?.node, token });
  view.isShown = true;
  drawTask();
  onShown();
}

let onShown = () => {};
/** @param {() => void} listener called when arrows have changed */
export const onTaskShown = (listener) => void (onShown = listener);

/** What a task points out on the board. @returns {{arrows: BoardArrow[], frames: string[]}} */
export function taskArrows() {
  if (!isTask() || !view.task) return { arrows: [], frames: [] };
  const { marks = [], arrows = [] } = view.task.step;
  const isStart = app.position?.node === app.state?.live;
  const moves = (view.shown?.show ?? []).flatMap((change) => ('move' in change && change.move[0] !== change.move[1] ? [change.move] : []));
  const cells = moves.length > 0 ? [] : (view.shown?.path ?? []);
  return {
    arrows: [...moves.map(([from, to]) => ({ from, to, rank: 0 })), ...(isStart ? arrows : []).map(([from, to]) => ({ from, to, rank: 1 }))],
    frames: [...cells, ...(isStart ? marks : [])],
  };
}

export function drawTask() {
  const place = byId('task');
  const { task } = view;
  place.hidden = !isTask();
  byId('game').classList.toggle('has-task', !place.hidden);
  if (!task || place.hidden) {
    place.replaceChildren();
    return;
  }
  const { step } = task;
  const again = () => void begin(task);
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ run, primary = false, disabled = false) =>
    html('button', { type: 'button', id, class: primary ? 'primary' : undefined, disabled, onclick: run }, text);
  const told = view.isShown && view.shown ? (view.shown.words.length > 0 ? pathWords(view.shown, false) : plainWords(view.shown.token)) : '';
  update(
    place,
    html('h2', {}, task.title),
    html('p', { id: 'task-text' }, step.text),
    html('p', { id: 'task-said', class: view.judgement, role: 'status' }, view.said || (told && t('The move is {move}.', { move: told }))),
    html('div', { class: 'dialog-buttons' },
      view.isDone && task.next && button('task-next', t('Next'), task.next, true),
      view.isDone && !task.next && button('task-list', t('Done'), task.list, true),
      !view.isDone && step.hint && button('task-hint', t('Hint'), () => { view.said = step.hint ?? ''; view.judgement = ''; drawTask(); }),
      // The position comes after the task: until then no move can be asked for.
      !view.isDone && button('task-show', t('Show the move'), () => void showSolution(), false, !app.position),
      step.solution && app.position?.node !== app.state?.live && button('task-again', t('Again'), again),
      !view.isDone && task.next && button('task-skip', t('Skip'), task.next),
      !(view.isDone && !task.next) && button('task-list', t('List'), task.list)),
  );
}

/** The lessons of a game, to choose from. @param {string} menu @param {string} title */
export async function openLessons(menu, title) {
  const answer = /** @type {LessonsMessage | null} */ (await ask({ do: 'lessons', menu }));
  if (!answer) return;
  const done = progress(menu).lessons ?? [];
  const list = () => void openLessons(menu, title);
  const start = (/** @type {number} */ number, at = 0) => {
    const lesson = answer.lessons[number];
    const step = lesson.steps[at];
    const isLast = at + 1 === lesson.steps.length;
    const next = isLast ? null : () => start(number, at + 1);
    const end = () => {
      if (view.isDone) noteDone(menu, 'lessons', lesson.id);
      list();
    };
    void begin({ menu, kind: 'lessons', id: lesson.id, title: t('{title}, {at} of {of}', { title: lesson.title, at: at + 1, of: lesson.steps.length }), step, next, list: isLast ? end : list });
  };
  const first = answer.lessons.findIndex(({ id }) => !done.includes(id));
  const rows = answer.lessons.map(({ id, title }, number) =>
    html('li', {}, html('button', { type: 'button', class: number === first ? 'primary' : undefined, 'data-lesson': id, onclick: () => start(number) }, title), done.includes(id) && html('span', { class: 'done' }, `✓ ${t('done')}`)));
  openDialog(t('Learn {title}', { title }),
    answer.lessons.length > 0 ? html('ol', { class: 'task-list' }, ...rows) : html('p', {}, t('This engine has no lessons.')));
}

/** How many puzzles are asked for at once. */
const PAGE = 50;

/** The puzzles of a game, from the easiest on. @param {string} menu @param {string} title */
export async function openPuzzles(menu, title) {
  const done = new Set(progress(menu).puzzles ?? []);
  /** @type {Puzzle[]} */
  const known = [];
  let count = 0;
  const more = async () => {
    const answer = /** @type {PuzzlesMessage | null} */ (await ask({ do: 'puzzles', menu, from: known.length, count: PAGE }));
    count = answer?.count ?? 0;
    known.push(...(answer?.puzzles ?? []));
    return (answer?.puzzles.length ?? 0) > 0;
  };
  const list = () => void openPuzzles(menu, title);
  const start = async (/** @type {number} */ number) => {
    if (number >= known.length && !(await more())) {
      list();
      return;
    }
    const { id, rules, position, seat, text, solution, loss, rating } = known[number];
    const next = number + 1 < count ? () => void start(number + 1) : null;
    const step = { text, rules, position, seat, solution };
    void begin({ menu, kind: 'puzzles', id, title: t('Puzzle {number} of {count}, rating {rating}', { number: number + 1, count, rating }), step, loss, next, list });
  };
  if (!(await more())) {
    openDialog(t('Puzzles of {title}', { title }), html('p', {}, t('This engine has no puzzles.')));
    return;
  }
  while (known.every(({ id }) => done.has(id)) && known.length < count && (await more()));
  const first = Math.max(0, known.findIndex(({ id }) => !done.has(id)));
  const cells = () => known.map(({ id, rating, level }, number) =>
    html('button', { type: 'button', class: done.has(id) ? 'solved' : undefined, 'data-puzzle': String(number), 'aria-label': t('Puzzle {number}, rating {rating}, level {level}', { number: number + 1, rating, level }) + (done.has(id) ? `, ${t('solved')}` : ''), onclick: () => void start(number) }, String(number + 1)));
  const grid = html('div', { class: 'puzzle-grid' }, ...cells());
  const rest = html('div', { class: 'dialog-buttons' });
  const drawRest = () => {
    const left = count - known.length;
    const show = async () => {
      const before = known.length;
      await more();
      grid.replaceChildren(...cells());
      /** @type {HTMLElement | undefined} */ (grid.children[before])?.focus();
      drawRest();
    };
    rest.replaceChildren(left > 0 ? html('button', { type: 'button', id: 'more-puzzles', onclick: () => void show() }, t('{count} more', { count: left })) : '');
  };
  drawRest();
  openDialog(t('Puzzles of {title}', { title }),
    html('p', {}, t('{solved} of {count} solved, from the easiest to the hardest.', { solved: done.size, count })),
    html('div', { class: 'dialog-buttons' }, html('button', { type: 'button', class: 'primary', id: 'next-puzzle', onclick: () => void start(first) }, t('Puzzle {number}', { number: first + 1 }))),
    grid, rest);
}
