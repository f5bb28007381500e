// The first page: the games of the menu, games that are open or were saved, recorded games.

import { openDialog, picture } from './dialogs.js';
import { openNewGame, quickGame } from './newgame.js';
import { app, ask } from './store.js';
import { byId, html } from './svg.js';

/** Answers to `about` that were asked already. @type {Map<string, About>} */
const known = new Map();
/** At most this many records are listed at once. */
const PAGE = 50;

export function drawHome() {
  const place = byId('home');
  const welcome = app.welcome;
  if (!welcome) return;
  place.replaceChildren(
    html('h2', { class: 'home-title' }, 'Choose a game'),
    html('div', { class: 'menu' }, ...(welcome.menu ?? []).map(menuCard)),
    html('div', { class: 'home-lists' }, ...openGames(welcome), ...savedGames(welcome), records(welcome)),
  );
}

/** @param {MenuEntry} entry */
function menuCard(entry) {
  const title = html('h3', {}, known.get(entry.game)?.title ?? entry.game);
  const frame = html('div', { class: 'menu-picture' });
  const engines = entry.engines.length > 1 ? html('p', { class: 'quiet' }, entry.engines.map((engine) => engine.name).join(', ')) : '';
  const card = html(
    'article',
    { class: 'menu-card', 'data-game': entry.game },
    frame,
    title,
    engines,
    html(
      'div',
      { class: 'menu-buttons' },
      html('button', { type: 'button', class: 'primary play-now', onclick: () => void quickGame(entry.game) }, 'Play'),
      html('button', { type: 'button', class: 'set-up', onclick: () => void openNewGame(entry.game) }, 'Set up'),
    ),
  );
  void describe(entry.game).then((about) => {
    if (!about) return;
    title.textContent = about.title;
    card.querySelector('.play-now')?.setAttribute('aria-label', `Play ${about.title}`);
    card.querySelector('.set-up')?.setAttribute('aria-label', `Set up a game of ${about.title}`);
    if (about.table?.cells.length) frame.replaceChildren(picture(about.table, about.board, `The start of ${about.title}`));
    const failed = about.engines.filter((engine) => !engine.ok);
    if (failed.length) card.append(html('p', { class: 'warning' }, failed.map((engine) => `${engine.name}: ${engine.text ?? 'does not start'}`).join('; ')));
  });
  return card;
}

/** Answers come one after another: each starts an engine. */
let line = Promise.resolve();
/** @param {string} menu @returns {Promise<About | null>} */
function describe(menu) {
  const answer = line.then(async () => known.get(menu) ?? /** @type {About | null} */ (await ask({ do: 'about', menu })));
  line = answer.then((about) => {
    if (about) known.set(menu, about);
  });
  return answer;
}

/** What a list says of a game. @param {{title: string, plies: number, seats: string[], when: number}} game @param {string} [result] */
function describeGame({ title, plies, seats, when }, result) {
  const nameless = seats.filter((seat) => /^p\d$/.test(seat)).length;
  const players = seats.map((seat) => (!/^p\d$/.test(seat) ? seat : nameless === 1 ? 'you' : `Player ${seat.slice(1)}`));
  const parts = [title, players.join(' – '), result ?? `${plies} ${plies === 1 ? 'move' : 'moves'}`];
  return html('span', {}, parts.join(', '), html('small', {}, ` ${new Date(when).toLocaleString()}`));
}

/** @param {Welcome} welcome @returns {HTMLElement[]} */
function openGames({ open = [] }) {
  if (open.length === 0) return [];
  const rows = open.map((game) =>
    html('li', {}, describeGame(game, game.result),
      html('button', { type: 'button', 'aria-label': `Open ${game.title}`, 'data-open': game.game, onclick: () => void ask({ do: 'open', game: game.game }) }, 'Open'),
      html('button', { type: 'button', 'aria-label': `Close ${game.title}`, 'data-end': game.game, onclick: () => void ask({ do: 'end', game: game.game }) }, 'Close')),
  );
  return [html('section', { 'aria-label': 'Open games' }, html('h2', {}, 'Open games'), html('ul', { class: 'game-list' }, ...rows))];
}

/** @param {Welcome} welcome @returns {HTMLElement[]} */
function savedGames({ saved = [] }) {
  if (saved.length === 0) return [];
  const rows = saved.map((game) =>
    html('li', {},
      describeGame(game),
      html('button', { type: 'button', 'aria-label': `Continue ${game.title}`, onclick: () => void ask({ do: 'continue', saved: game.saved }) }, 'Continue'),
      html('button', { type: 'button', 'aria-label': `Discard ${game.title}`, onclick: () => void ask({ do: 'discard', saved: game.saved }) }, 'Discard')),
  );
  return [html('section', { 'aria-label': 'Unfinished games' }, html('h2', {}, 'Unfinished games'), html('ul', { class: 'game-list' }, ...rows))];
}

/** @param {Welcome} welcome */
function records({ records }) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ run, /** @type {string} */ id) => html('button', { type: 'button', id, onclick: run }, text);
  return html(
    'section',
    { 'aria-label': 'Recorded games' },
    html('h2', {}, 'Recorded games'),
    html('p', {}, records ? button(`${records.count} games of ${records.name}`, () => void openRecords(0), 'open-records') : '', button('Load a record …', openImport, 'open-import')),
  );
}

/** @param {number} from */
async function openRecords(from) {
  const answer = await ask({ do: 'records', from, count: PAGE });
  if (!answer) return;
  const rows = /** @type {RecordEntry[]} */ (answer.list).map((record) =>
    html('tr', {},
      html('td', {}, html('button', { type: 'button', class: 'record', onclick: () => void load(record.record) }, String(record.game))),
      html('td', {}, record.seats.join(' – ')), html('td', {}, record.result ?? ''), html('td', {}, record.reason ?? ''), html('td', {}, String(record.plies))),
  );
  const head = html('thead', {}, html('tr', {}, ...['Game', 'Seats', 'Result', 'Reason', 'Moves'].map((name) => html('th', { scope: 'col' }, name))));
  const more = html('p', { class: 'dialog-buttons' },
    from > 0 && html('button', { type: 'button', onclick: () => void openRecords(Math.max(0, from - PAGE)) }, 'Earlier'),
    from + rows.length < answer.count && html('button', { type: 'button', onclick: () => void openRecords(from + PAGE) }, 'Later'));
  const dialog = openDialog('Recorded games', html('table', { class: 'records' }, head, html('tbody', {}, ...rows)), more);
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
  const menu = html('select', { 'aria-label': 'Game' }, ...(app.welcome?.menu ?? []).map(({ game }) => html('option', { value: game }, known.get(game)?.title ?? game)));
  const file = html('input', { type: 'file', 'aria-label': 'File' });
  const text = html('textarea', { rows: 6, 'aria-label': 'Record, position line or list of moves', placeholder: 'a record of parlor match, a position line, or a list of moves' });
  const which = html('select', { 'aria-label': 'Which game' });
  const choice = html('label', { class: 'field', hidden: true }, 'Game of the file', which);
  /** @type {string[]} */
  let games = [];
  const list = () => {
    const found = gamesOf(text.value);
    games = found.map((game) => game.text);
    which.replaceChildren(...found.map(({ name }, index) => html('option', { value: index }, name)));
    choice.hidden = games.length < 2;
  };
  text.addEventListener('input', list);
  file.addEventListener('change', async () => {
    text.value = (await file.files?.[0]?.text()) ?? '';
    list();
  });
  const load = async () => {
    if (await ask({ do: 'import', menu: menu.value, text: games[Number(which.value)] ?? text.value })) dialog.close();
  };
  const dialog = openDialog('Load a record', html('label', { class: 'field' }, 'Game', menu), html('label', { class: 'field' }, 'File', file), text, choice,
    html('div', { class: 'dialog-buttons' }, html('button', { type: 'button', class: 'primary', id: 'import', onclick: () => void load() }, 'Load')));
}
