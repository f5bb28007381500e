// What is kept in the browser: how far a person has come, and the games that were finished. Where
// a browser keeps nothing, all of it lasts as long as the page.

/** @type {Map<string, string>} */
const unkept = new Map();

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key) ?? unkept.get(key) ?? null;
  } catch {
    return unkept.get(key) ?? null;
  }
}

/** @param {string} key @param {unknown} value whether there was room for it */
function write(key, value) {
  const text = JSON.stringify(value);
  unkept.set(key, text);
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** @template T @param {string} key @param {T} otherwise @returns {T} */
function parsed(key, otherwise) {
  try {
    return JSON.parse(read(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * How far somebody has come with a game. `row` counts wins in a row at that level, below 0 losses.
 * `lessons` and `puzzles` are the names of those that are done.
 * @typedef {{level?: number, row?: number, lessons?: string[], puzzles?: string[]}} Progress
 */

const PROGRESS = 'parlor-progress';
/** Games in a row after which another level is offered, as at the terminal. */
const ROW = 3;
/** The level at which people begin. */
const FIRST = 3;

/** @param {string} menu @returns {Progress} */
export function progress(menu) {
  const all = /** @type {Record<string, Progress>} */ (parsed(PROGRESS, {}));
  return all[menu] ?? {};
}

/** @param {string} menu @param {Progress} change */
export function noteProgress(menu, change) {
  const all = /** @type {Record<string, Progress>} */ (parsed(PROGRESS, {}));
  write(PROGRESS, { ...all, [menu]: { ...all[menu], ...change } });
}

/** @param {string} menu @param {'lessons' | 'puzzles'} what @param {string} id */
export function noteDone(menu, what, id) {
  const done = progress(menu)[what] ?? [];
  if (!done.includes(id)) noteProgress(menu, { [what]: [...done, id] });
}

/** The level at which the engine plays somebody. @param {string} menu @param {number} levels the highest; 0: it has none */
export function levelOf(menu, levels) {
  return Math.min(progress(menu).level ?? FIRST, levels);
}

/**
 * The level at which engines make an even game for somebody: where the seat has the harder game, a lower one.
 * @param {Table | null | undefined} table
 * @param {string} seat of the only person
 * @param {number} level at which they play on equal terms
 */
export function evenLevel(table, seat, level) {
  return table?.seats?.find((known) => known.seat === seat)?.even?.[level - 1] ?? level;
}

/**
 * Counts a game at a level; the level that suits better, if one does.
 * @param {string} menu
 * @param {number} level
 * @param {number} levels
 * @param {number} result 1 won, 0 neither, -1 lost
 * @returns {number | null}
 */
export function countResult(menu, level, levels, result) {
  const before = progress(menu);
  const row = (before.level ?? FIRST) === level ? (before.row ?? 0) : 0;
  const next = result === 0 ? 0 : Math.sign(row) === result ? row + result : result;
  const other = level + Math.sign(next);
  const isOffered = Math.abs(next) >= ROW && other >= 1 && other <= levels;
  noteProgress(menu, { level, row: isOffered ? 0 : next });
  return isOffered ? other : null;
}

const KEYS = 'parlor-keys';

/** The key of this page's last address: that of a host, else that of a guest. @returns {string | undefined} */
export function keptKey() {
  const { host, guest } = /** @type {Record<string, string>} */ (parsed(KEYS, {}));
  return host ?? guest;
}

/** @param {string} role @param {string} key */
export function keepKey(role, key) {
  write(KEYS, { ...parsed(KEYS, {}), [role === 'host' ? 'host' : 'guest']: key });
}

/** @param {string} key that leads nowhere */
export function dropKey(key) {
  write(KEYS, Object.fromEntries(Object.entries(parsed(KEYS, {})).filter(([, kept]) => kept !== key)));
}

/**
 * A finished game. `moves` are its tokens; `places` those of the seats; `mine` the seats of people
 * here; `level` that of the engine, 0 without one.
 * @typedef {object} MyGame
 * @property {string} id
 * @property {string} menu
 * @property {string} title
 * @property {number} when milliseconds since 1970
 * @property {string[]} seats
 * @property {number[]} mine
 * @property {number[]} places
 * @property {string} result
 * @property {number} level
 * @property {number} plies
 * @property {string} record
 */

const GAMES = 'parlor-my-games';
/** The most games that are kept. */
const MOST = 300;

/** @type {MyGame[] | null} */
let games = null;
// Another page of this browser may have finished one.
addEventListener('storage', () => (games = null));

/** The finished games, the newest first. */
export function myGames() {
  games ??= parsed(GAMES, /** @type {MyGame[]} */ ([]));
  return games;
}

/** How long another page may need to hear of the end of a game, in milliseconds. */
const JUST = 60_000;

/** Whether another page of this browser has just kept this game. @param {string} menu @param {string} record */
export function isJustKept(menu, record) {
  games = null;
  return myGames().some((game) => game.menu === menu && game.record === record && Date.now() - game.when < JUST);
}

/** Does something in one page of this browser at a time, where it can say so. @param {() => Promise<void>} work */
export const inTurn = (work) => (navigator.locks ? navigator.locks.request(GAMES, work) : work());

/** Keeps a finished game; the oldest give way. @param {MyGame} game */
export function keepGame(game) {
  games = [game, ...myGames().filter(({ id }) => id !== game.id)].slice(0, MOST);
  while (!write(GAMES, games) && games.length > 1) games.splice(Math.ceil(games.length / 2));
}

/** @param {string} id */
export function dropGame(id) {
  games = myGames().filter((game) => game.id !== id);
  write(GAMES, games);
}
