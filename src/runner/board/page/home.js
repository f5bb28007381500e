// The first page: an unfinished game, the games of the menu, games that are open, saved or finished,
// recorded games.

import { resultText } from './banners.js';
import { openDialog, picture } from './dialogs.js';
import { levelOf, myGames, progress } from './keeping.js';
import { t } from './language.js';
import { exploreFile, moveCount, openMyGames } from './mygames.js';
import { seatName } from './names.js';
import { aboutGame, openNewGame, quickGame } from './newgame.js';
import { app, ask } from './store.js';
import { byId, html } from './svg.js';
import { openLessons, openPuzzles } from './task.js';

/** At most this many records are listed at once. */
const PAGE = 50;

/** What the games of this program are, and for how long, by their names in the menu. @type {Record<string, [string, string]>} */
const ABOUT = {
  barca: ['Lead three of your animals to water, past those that they fear.', '20 min'],
  barbarossa: ['Shape words in clay, ask, and guess those of the others.', '60 min'],
  'chowka-bhara': ['An Indian race with cowrie shells: spiral home, and take what stands in your way.', '20 min'],
  pacru: ['Chevrons claim fields, turn and grow until most of the board is yours.', '40 min'],
  porrika: ['Two eggs want to cross a board of triangles; four birds hunt them.', '20 min'],
  shacru: ['Go field by field and leave your markers behind: the most markers win.', '10 min'],
  azacru: ['Markers give chevrons power, and lines of them replace those of others.', '20 min'],
};

export function drawHome() {
  const place = byId('home');
  const welcome = app.welcome;
  if (!welcome) return;
  place.replaceChildren(
    ...unfinished(welcome),
    html('h2', { class: 'home-title' }, t('Choose a game')),
    html('div', { class: 'menu' }, ...(welcome.menu ?? []).map(menuCard)),
    html('div', { class: 'home-lists' }, ...openGames(welcome), ...savedGames(welcome), records(welcome)),
  );
}

/** Where there is no key, or one that leads nowhere: why, and a field for another. @param {string} why */
export function drawKeyless(why) {
  const field = html('input', { id: 'key', 'aria-label': t('Address'), placeholder: 'http://…/#…', autocomplete: 'off', required: true });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const key = field.value.match(/[0-9a-f]{32}\s*$/)?.[0].trim();
    // The page begins anew with it.
    if (key === location.hash.slice(1)) location.reload();
    else if (key) location.hash = key;
    else field.select();
  };
  const place = byId('home');
  place.hidden = false;
  place.replaceChildren(html('h2', { class: 'home-title' }, t('The board is not open here')), html('p', {}, why),
    html('form', { class: 'keyless', onsubmit: submit }, html('label', { for: 'key' }, t('Address')), field, html('button', { type: 'submit', class: 'primary' }, t('Open'))),
    myGames().length > 0 ? html('p', {}, html('button', { type: 'button', onclick: openMyGames }, t('My games'))) : '');
}

/** The game that was begun last and can go on. @param {Welcome} welcome @returns {HTMLElement[]} */
function unfinished({ open = [], saved = [] }) {
  const played = open.filter(({ phase, plies }) => phase === 'play' && plies > 0);
  const [game, going] = [played[0], saved[0]];
  const isOpen = game && (!going || game.when >= going.when);
  const last = isOpen ? game : going;
  if (!last) return [];
  const run = () => void ask(isOpen ? { do: 'open', game: game.game } : { do: 'continue', saved: going.saved });
  return [html('section', { class: 'go-on', 'aria-label': t('Unfinished game') }, describeGame(last), html('button', { type: 'button', class: 'primary', id: 'resume', onclick: run }, t('Play on')))];
}

/** Facts in a line, each kept together. @param {string[]} facts */
const factLine = (facts) => facts.filter(Boolean).map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ');

/** @param {MenuEntry} entry */
function menuCard(entry) {
  const title = html('h3', {}, entry.game);
  const frame = html('div', { class: 'menu-picture' });
  const engines = entry.engines.length > 1 ? html('p', { class: 'quiet' }, entry.engines.map((engine) => engine.name).join(', ')) : '';
  const [line, time] = ABOUT[entry.game] ?? ['', ''];
  // What comes later has its room at once, so that nothing moves away from who presses it.
  const usual = factLine([t('{count} players', { count: '2–4' }), time, t('level {level}', { level: 3 })]);
  const facts = html('p', { class: 'quiet facts waiting' }, line && usual);
  const more = html('div', { class: 'menu-buttons' }, line && html('button', { type: 'button', class: 'waiting', disabled: true }, t('Learn')));
  const card = html(
    'article',
    { class: 'menu-card', 'data-game': entry.game },
    frame,
    title,
    line && html('p', {}, t(line)),
    facts,
    engines,
    html(
      'div',
      { class: 'menu-buttons' },
      html('button', { type: 'button', class: 'primary play-now', onclick: () => void quickGame(entry.game) }, t('Play')),
      html('button', { type: 'button', class: 'set-up', onclick: () => void openNewGame(entry.game) }, t('Set up')),
    ),
    more,
  );
  void describe(entry.game).then((about) => {
    if (!about) return;
    const { title: name } = about;
    title.textContent = name;
    const play = card.querySelector('.play-now');
    const [engine] = about.engines;
    play?.setAttribute('aria-label', t('Play {title}', { title: name }));
    card.querySelector('.set-up')?.setAttribute('aria-label', t('Set up a game of {title}', { title: name }));
    if (about.table?.cells.length) frame.replaceChildren(picture(about.table, about.board, t('The start of {title}', { title: name })));
    const failed = about.engines.filter((one) => !one.ok);
    if (failed.length) card.append(html('p', { class: 'warning' }, failed.map((one) => `${one.name}: ${one.text ?? t('does not start')}`).join('; ')));
    const level = engine?.levels ? t('level {level}', { level: levelOf(entry.game, engine.levels) }) : '';
    facts.classList.remove('waiting');
    facts.textContent = factLine([t('{count} players', { count: players(about) }), time, level]);
    if (!line) return;
    const done = progress(entry.game);
    const button = (/** @type {string} */ kind, /** @type {string} */ text, /** @type {number} */ count, /** @type {() => void} */ run) =>
      html('button', { type: 'button', class: kind, 'aria-label': `${text}: ${name}`, onclick: run }, text, count > 0 && html('small', {}, ` ✓ ${count}`));
    more.replaceChildren(
      button('learn', t('Learn'), done.lessons?.length ?? 0, () => void openLessons(entry.game, name)),
      ...(about.puzzles > 0 ? [button('puzzles', t('Puzzles'), done.puzzles?.length ?? 0, () => void openPuzzles(entry.game, name))] : []));
  });
  return card;
}

/** For how many a game is. @param {About} about */
function players(about) {
  const choices = about.rules.find((rule) => rule.name === 'Players')?.choices?.map(Number).filter(Boolean) ?? [];
  const [least, most] = [Math.min(about.seats, ...choices), Math.max(about.seats, ...choices)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** Answers come one after another: each starts an engine. @type {Promise<unknown>} */
let line = Promise.resolve();
/** @param {string} menu @returns {Promise<About | null>} */
function describe(menu) {
  const answer = line.then(() => aboutGame(menu));
  line = answer;
  return answer;
}

/** What a list says of a game. @param {{title: string, plies: number, seats: string[], when: number, result?: GameResult}} game */
function describeGame({ title, plies, seats, when, result }) {
  const nameless = seats.filter((seat) => /^p\d$/.test(seat));
  const names = seats.map((seat) => (!/^p\d$/.test(seat) ? seat : nameless.length === 1 ? t('you') : seatName(null, seat)));
  /** Names that several bear tell nothing of who won. @param {string} seat */
  const named = (seat) => {
    const name = names[Number(seat.slice(1)) - 1];
    return names.filter((other) => other === name).length > 1 ? `${seatName(null, seat)} (${name})` : name;
  };
  const end = result && resultText(result, nameless.length === 1 ? nameless : [], named);
  const parts = [title, names.join(' – '), end ?? moveCount(plies)];
  return html('span', {}, parts.join(', '), html('small', {}, ` ${new Date(when).toLocaleString(document.documentElement.lang)}`));
}

/** @param {Welcome} welcome @returns {HTMLElement[]} */
function openGames({ open = [] }) {
  if (open.length === 0) return [];
  const rows = open.map((game) =>
    html('li', {}, describeGame(game),
      html('button', { type: 'button', 'aria-label': t('Open {title}', { title: game.title }), 'data-open': game.game, onclick: () => void ask({ do: 'open', game: game.game }) }, t('Open')),
      html('button', { type: 'button', 'aria-label': t('Close {title}', { title: game.title }), 'data-end': game.game, onclick: () => void ask({ do: 'end', game: game.game }) }, t('Close'))),
  );
  return [html('section', { 'aria-label': t('Open games') }, html('h2', {}, t('Open games')), html('ul', { class: 'game-list' }, ...rows))];
}

/** @param {Welcome} welcome @returns {HTMLElement[]} */
function savedGames({ saved = [] }) {
  if (saved.length === 0) return [];
  const rows = saved.map((game) =>
    html('li', {},
      describeGame(game),
      html('button', { type: 'button', 'aria-label': t('Continue {title}', { title: game.title }), onclick: () => void ask({ do: 'continue', saved: game.saved }) }, t('Continue')),
      html('button', { type: 'button', 'aria-label': t('Discard {title}', { title: game.title }), onclick: () => void ask({ do: 'discard', saved: game.saved }) }, t('Discard'))),
  );
  return [html('section', { 'aria-label': t('Unfinished games') }, html('h2', {}, t('Unfinished games')), html('ul', { class: 'game-list' }, ...rows))];
}

/** @param {Welcome} welcome */
function records({ records }) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ run, /** @type {string} */ id) => html('button', { type: 'button', id, onclick: run }, text);
  return html(
    'section',
    { 'aria-label': t('Finished and recorded games') },
    html('h2', {}, t('Finished and recorded games')),
    html('p', {}, button(t('My games'), openMyGames, 'open-my-games'), records ? button(t('{count} games of {name}', records), () => void openRecords(0), 'open-records') : '', button(t('Load a record …'), openImport, 'open-import')),
  );
}

/** How a recorded game ended, in words. @param {RecordEntry} record */
function recordedResult({ result, reason, seats }) {
  const won = Number(/^p(\d+)win$/.exec(result)?.[1] ?? 0);
  if (won === 0 && result !== 'draw') return result;
  const places = seats.map((_, index) => (won === 0 || index + 1 === won ? 1 : 2));
  return resultText({ places, reason, why: reason.replaceAll('-', ' ') }, [], (seat) => seats[Number(seat.slice(1)) - 1]);
}

/** @param {number} from */
async function openRecords(from) {
  const answer = await ask({ do: 'records', from, count: PAGE });
  if (!answer) return;
  const rows = /** @type {RecordEntry[]} */ (answer.list).map((record) =>
    html('tr', {},
      html('td', {}, html('button', { type: 'button', class: 'record', onclick: () => void load(record.record) }, String(record.game))),
      html('td', {}, record.seats.join(' – ')), html('td', {}, recordedResult(record)), html('td', {}, String(record.plies))),
  );
  const head = html('thead', {}, html('tr', {}, ...['Game', 'Seats', 'Result', 'Moves'].map((name) => html('th', { scope: 'col' }, t(name)))));
  const more = html('p', { class: 'dialog-buttons' },
    from > 0 && html('button', { type: 'button', onclick: () => void openRecords(Math.max(0, from - PAGE)) }, t('Earlier')),
    from + rows.length < answer.count && html('button', { type: 'button', onclick: () => void openRecords(from + PAGE) }, t('Later')));
  const dialog = openDialog(t('Recorded games'), html('table', { class: 'records' }, head, html('tbody', {}, ...rows)), more);
  const load = async (/** @type {number} */ record) => {
    if (await ask({ do: 'load', record })) dialog.close();
  };
}

/**
 * The games of a text of records, each with the header before it; none of a text of another kind.
 * @param {string} text
 */
function gamesOf(text) {
  if (!text.trimStart().startsWith('{')) return [];
  let header = '';
  /** @type {{name: string, text: string}[]} */
  const games = [];
  for (const line of text.trim().split('\n')) {
    try {
      const value = JSON.parse(line);
      if (value.parlor !== undefined) header = `${line}\n`;
      else if (Array.isArray(value.moves)) games.push({ name: [value.game ?? games.length + 1, ...(value.seating ?? [])].join(' – '), text: `${header}${line}` });
    } catch {
      // The server says what is wrong.
      return [];
    }
  }
  return games;
}

function openImport() {
  const menu = html('select', { 'aria-label': t('Game') }, ...(app.welcome?.menu ?? []).map(({ game }) => html('option', { value: game }, game)));
  for (const option of menu.options) void aboutGame(option.value).then((about) => about && (option.textContent = about.title));
  const file = html('input', { type: 'file', 'aria-label': t('File') });
  const text = html('textarea', { rows: 6, 'aria-label': t('Record, position line or list of moves'), placeholder: t('a record of parlor match, a position line, or a list of moves') });
  const which = html('select', { 'aria-label': t('Which game') });
  const choice = html('label', { class: 'field', hidden: true }, t('Game of the file'), which);
  /** @type {string[]} */
  let games = [];
  const list = () => {
    const found = gamesOf(text.value);
    games = found.map((game) => game.text);
    which.replaceChildren(...found.map(({ name }, index) => html('option', { value: index }, name)));
    choice.hidden = games.length < 2;
    const named = text.value.match(/^\[Game "(.*)"\]$/m)?.[1];
    for (const option of menu.options) if (option.textContent === named) menu.value = option.value;
  };
  text.addEventListener('input', list);
  file.addEventListener('change', async () => {
    text.value = (await file.files?.[0]?.text()) ?? '';
    list();
  });
  const load = async () => {
    if (games.length > 0) exploreFile(menu.value, file.files?.[0]?.name ?? t('File'), games);
    if (await ask({ do: 'import', menu: menu.value, text: games[Number(which.value)] ?? text.value })) dialog.close();
  };
  const dialog = openDialog(t('Load a record'), html('label', { class: 'field' }, t('Game'), menu), html('label', { class: 'field' }, t('File'), file), text, choice,
    html('div', { class: 'dialog-buttons' }, html('button', { type: 'button', class: 'primary', id: 'import', onclick: () => void load() }, t('Load'))));
}
