// The games that were finished in this browser: list, search, statistics, export, and what was
// played in a position.

import { openDialog } from './dialogs.js';
import { dropGame, myGames } from './keeping.js';
import { t } from './language.js';
import { seatName } from './names.js';
import { app, ask, save } from './store.js';
import { html } from './svg.js';
import { lineWords } from './wording.js';

/** @typedef {import('./keeping.js').MyGame} MyGame */

/** At most this many games are listed. */
const MOST = 100;

/** How a game went for the people here. @param {MyGame} game @returns {'won' | 'lost' | 'drawn' | ''} */
function outcome({ mine, places }) {
  if (mine.length !== 1) return '';
  const place = places[mine[0] - 1];
  if (places.filter((other) => other === place).length > 1) return place === 1 ? 'drawn' : 'lost';
  return place === 1 ? 'won' : 'lost';
}

/** @param {MyGame} game */
function names({ seats, mine }) {
  return seats.map((name, index) => name || (mine.length === 1 && mine[0] === index + 1 ? t('you') : seatName(null, `p${index + 1}`)));
}

/** @param {number} plies */
export const moveCount = (plies) => (plies === 1 ? t('1 move') : t('{count} moves', { count: plies }));

/** The game as a text that people read. @param {MyGame} game */
export function gameText(game) {
  const [header, value] = game.record.trim().split('\n').map((line) => JSON.parse(line));
  const rules = /** @type {string[]} */ (header?.config?.rules ?? []);
  const tag = (/** @type {string} */ name, /** @type {string} */ text) => `[${name} "${text.replace(/["\\]/g, '')}"]`;
  const tags = [tag('Game', game.title), tag('Date', new Date(game.when).toISOString().slice(0, 10).replaceAll('-', '.')), ...names(game).map((name, index) => tag(`Seat${index + 1}`, name)), ...rules.map((rule) => tag('Rule', rule)), tag('Result', value.result ?? ''), tag('Reason', value.reason ?? '')];
  if (value.start && value.start !== 'startpos') tags.push(tag('Start', value.start));
  const moves = (value.moves ?? []).map((/** @type {{token: string}} */ move, /** @type {number} */ index) => `${index + 1}. ${move.token}`);
  return `${tags.join('\n')}\n\n${moves.join(' ')}\n`;
}

/** @param {MyGame} game @param {string} ending */
const fileName = (game, ending) => `${game.menu}-${new Date(game.when).toISOString().slice(0, 16).replace(/[T:]/g, '-')}.${ending}`;

export function openMyGames() {
  const body = html('div', { class: 'my-games' });
  const search = html('input', { type: 'search', id: 'search-games', 'aria-label': t('Search'), placeholder: t('game, name, result'), autocomplete: 'off' });
  const open = async (/** @type {MyGame} */ game) => {
    if (await ask({ do: 'import', menu: game.menu, text: game.record })) dialog.close();
  };
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (/** @type {MyGame} */ game) => [game.title, ...names(game), game.result, t(outcome(game)), new Date(game.when).toLocaleDateString(document.documentElement.lang)].join(' ').toLowerCase();
    const found = myGames().filter((game) => words.every((word) => text(game).includes(word)));
    const rows = found.slice(0, MOST).map((game) =>
      html('li', { 'data-game-id': game.id },
        html('span', {}, html('b', {}, game.title), ` ${names(game).join(' – ')}${game.level ? `, ${t('level {level}', { level: game.level })}` : ''}`, html('br'), game.result, html('small', {}, `${new Date(game.when).toLocaleString(document.documentElement.lang)}, ${moveCount(game.plies)}`)),
        app.welcome?.role === 'host' && html('button', { type: 'button', class: 'open-game', onclick: () => void open(game) }, t('Look')),
        html('button', { type: 'button', class: 'export-game', onclick: () => openExport(game) }, t('Export')),
        html('button', { type: 'button', class: 'drop-game', 'aria-label': t('Delete {title}', { title: game.title }), onclick: () => { dropGame(game.id); draw(); } }, t('Delete'))));
    body.replaceChildren(
      statistics(found),
      rows.length > 0 ? html('ul', { class: 'game-list' }, ...rows) : html('p', { class: 'quiet' }, t('No finished games yet. They are kept in this browser.')),
      found.length > MOST ? html('p', { class: 'quiet' }, t('and {count} more: search', { count: found.length - MOST })) : '');
  };
  search.addEventListener('input', draw);
  draw();
  const dialog = openDialog(t('My games'), search, body);
}

/** Results by game and level. @param {MyGame[]} games */
function statistics(games) {
  /** @type {Map<string, Record<string, number>>} */
  const table = new Map();
  for (const game of games) {
    const result = outcome(game);
    if (!result) continue;
    const key = `${game.title}${game.level ? `, ${t('level {level}', { level: game.level })}` : ''}`;
    const row = table.get(key) ?? { won: 0, drawn: 0, lost: 0 };
    row[result] += 1;
    table.set(key, row);
  }
  if (table.size === 0) return html('div', {});
  const head = ['Game', 'won', 'drawn', 'lost'].map((name) => html('th', { scope: 'col' }, t(name)));
  const rows = [...table].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { won, drawn, lost }]) => html('tr', {}, html('th', { scope: 'row' }, name), ...[won, drawn, lost].map((count) => html('td', {}, String(count)))));
  return html('table', { class: 'records', id: 'statistics' }, html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...rows));
}

/** @param {MyGame} game */
function openExport(game) {
  const button = (/** @type {string} */ what, /** @type {string} */ text, /** @type {() => void} */ run) => html('button', { type: 'button', 'data-export': what, onclick: run }, text);
  openDialog(t('Export'),
    html('div', { class: 'dialog-buttons' },
      button('record', t('Record'), () => save(fileName(game, 'jsonl'), game.record)),
      button('text', t('Text'), () => save(fileName(game, 'txt'), gameText(game)))),
    html('p', { class: 'quiet' }, t('Pictures: look at the game, then Copy or save.')));
}

/** @type {WeakMap<MyGame, {token: string, seat: number}[]>} */
const read = new WeakMap();

/** The moves of a game from the usual start; none of others, and none where a record was changed. @param {MyGame} game */
function movesOf(game) {
  const known = read.get(game);
  if (known) return known;
  let found = [];
  try {
    const { moves = [], start = 'startpos' } = JSON.parse(game.record.trim().split('\n').at(-1) ?? '{}');
    if (start === 'startpos') found = moves;
  } catch {
    // It tells nothing.
  }
  read.set(game, found);
  return found;
}

/** @typedef {{moves: {token: string, seat: number}[], places: number[]}} Line */

/** Games of files, by menu and name: what the explorer counts besides one's own. @type {Map<string, Map<string, Line[]>>} */
const loaded = new Map();

/** @param {string} menu @param {string} name @param {Line[]} games */
function exploreGames(menu, name, games) {
  if (games.length > 0) loaded.set(menu, (loaded.get(menu) ?? new Map()).set(name, games));
}

/** The most games of the file of `--replay` that are counted, and how many are asked for at once. */
const MOST_RECORDS = 2000;
const RECORDS = 200;
let isReplayAsked = false;

/** Lets the explorer count the games of the file of `--replay`. @param {{name: string, menu: string, count: number}} records */
async function exploreReplay({ name, menu, count }) {
  isReplayAsked = true;
  /** @type {Line[]} */
  const games = [];
  for (let from = 0; from < Math.min(count, MOST_RECORDS); from += RECORDS) {
    const answer = await ask({ do: 'records', from, count: RECORDS, moves: true });
    for (const { moves, places = [] } of /** @type {RecordEntry[]} */ (answer?.list ?? [])) if (moves) games.push({ moves, places });
  }
  exploreGames(menu, name, games);
  onStart();
}

/** Lets the explorer count the games of a text of records. @param {string} menu @param {string} name of the file @param {string[]} games each with the header before it */
export function exploreFile(menu, name, games) {
  const found = games.flatMap((text) => {
    const { moves = [], start = 'startpos', places = [] } = JSON.parse(text.split('\n').at(-1) ?? '{}');
    return start === 'startpos' ? [{ moves, places }] : [];
  });
  exploreGames(menu, name, found);
}

/** @param {string} menu */
const filed = (menu) => [...(loaded.get(menu)?.values() ?? [])].flat();

/**
 * What was played after the moves of a line, in the games that began alike: one's own, and those of
 * a file.
 * @param {string} menu
 * @param {(string | null | undefined)[]} line
 * @returns {{token: string, count: number, won: number}[]} `won`: games of the seat that moved
 */
export function explore(menu, line) {
  /** @type {Map<string, {count: number, won: number}>} */
  const found = new Map();
  const own = myGames().filter((game) => game.menu === menu).map((game) => ({ moves: movesOf(game), places: game.places }));
  for (const { moves, places } of [...own, ...filed(menu)]) {
    if (moves.length <= line.length || line.some((token, index) => moves[index].token !== token)) continue;
    const { token, seat } = moves[line.length];
    const entry = found.get(token) ?? { count: 0, won: 0 };
    entry.count += 1;
    if (places[seat - 1] === 1) entry.won += 1 / places.filter((place) => place === 1).length;
    found.set(token, entry);
  }
  return [...found].map(([token, entry]) => ({ token, ...entry })).sort((a, b) => b.count - a.count);
}

/** How games of this page began, by their names; '' while it is not known. @type {Map<string, string>} */
const starts = new Map();

/** Whether the game began as games usually do; asked for once. @param {number} root */
function isUsual(root) {
  const { game, connection } = app;
  const known = starts.get(game);
  if (known === undefined) {
    starts.set(game, '');
    void connection?.ask({ do: 'text', node: root, what: 'position' }).then((answer) => {
      starts.set(game, answer.text);
      onStart();
    }, () => {});
  }
  return Boolean(known?.startsWith('startpos'));
}

let onStart = () => {};
/** @param {() => void} listener called when it is known how a game began */
export const onStartKnown = (listener) => void (onStart = listener);

/** The list of what was played where the page looks. @returns {HTMLElement | null} */
export function explorerPanel() {
  const { state, position } = app;
  if (!state || !position || state.secrets) return null;
  const records = app.welcome?.records;
  if (records?.menu === state.menu && !isReplayAsked) void exploreReplay(records);
  const line = app.tree.line(position.node);
  const at = line.findIndex((node) => node.node === position.node);
  const found = explore(state.menu, line.slice(1, at + 1).map((node) => node.token));
  if (found.length === 0 || !isUsual(line[0]?.node ?? 0)) return null;
  const rows = found.slice(0, 8).map(({ token, count, won }) => html('tr', {}, html('td', {}, lineWords(position.node, [token])[0]), html('td', {}, String(count)), html('td', {}, `${Math.round((100 * won) / count)} %`)));
  const files = [...(loaded.get(state.menu)?.keys() ?? [])].join(', ');
  return html('details', { id: 'explorer' }, html('summary', {}, t('What was played here')),
    files && html('p', { class: 'quiet' }, t('Your games and {count} of {name}', { count: filed(state.menu).length, name: files })),
    html('table', { class: 'records' }, html('thead', {}, html('tr', {}, ...['Move', 'Games', 'won'].map((name) => html('th', { scope: 'col' }, t(name))))), html('tbody', {}, ...rows)));
}
