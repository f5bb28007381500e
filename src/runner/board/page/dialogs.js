// Dialogs: a frame for all of them, the rules, the settings, copying and saving.

import { BoardView } from './board.js';
import { film } from './film.js';
import { LANGUAGES, t } from './language.js';
import { markdown } from './markdown.js';
import { alertSign, pieceShape, printedSymbol, roleClass, sign } from './pieces.js';
import { changeSettings, settings } from './settings.js';
import { app, ask, copy, save } from './store.js';
import { html, svg } from './svg.js';

/**
 * Opens a dialog; it is removed when it closes.
 * @param {string} title
 * @param {...(Node | string | null | false)} content
 */
export function openDialog(title, ...content) {
  for (const old of document.querySelectorAll('dialog')) {
    old.close();
    old.remove();
  }
  const heading = html('h2', { id: 'dialog-title' }, title);
  const close = html('button', { type: 'button', class: 'close', 'aria-label': t('Close'), onclick: () => dialog.close() }, '×');
  const dialog = html('dialog', { 'aria-labelledby': 'dialog-title' }, html('div', { class: 'dialog-head' }, heading, close), ...content);
  dialog.addEventListener('close', () => dialog.remove());
  // A press beside the dialog closes it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * A small picture of a board that nobody plays on.
 * @param {Table} table
 * @param {Board | null | undefined} board without one the table is drawn, as where even the start is secret
 * @param {string} label
 */
export function picture(table, board, label) {
  const element = svg('svg', { class: 'picture', role: 'img', 'aria-label': label });
  const view = new BoardView(element);
  view.setTable(table, 0);
  view.draw(board ?? view.board, { last: [] }, false);
  view.layers.hits.remove();
  return element;
}

/** The rules of a game: its start, its pieces, its marks, and the text of the engine. @param {string} menu */
export async function openRules(menu) {
  const [rules, about] = await Promise.all([ask({ do: 'rules', menu }), app.welcome?.role === 'host' ? ask({ do: 'about', menu }) : null]);
  const table = /** @type {Table | null} */ (about?.table ?? app.table);
  const told = await rulesText(menu, rules?.markdown ?? '');
  const text = told ? markdown(told) : html('p', {}, t('This engine has no rules to show.'));
  const body = html('div', { class: 'rules', tabindex: 0, role: 'region', 'aria-label': t('Rules') });
  if (table?.cells.length) {
    if (about) body.append(html('figure', {}, picture(table, about.board, t('The board at the start')), html('figcaption', {}, t('The start'))));
    body.append(legend(table));
  }
  body.append(text);
  openDialog(t('Rules of {title}', { title: table?.title ?? menu }), body);
}

/** What only a person at a terminal needs. */
const TERMINAL = ['On the board', 'What to type', 'Example'];

/** The rules in the language of the page, without what is for terminals. @param {string} menu @param {string} own what the engine tells */
async function rulesText(menu, own) {
  const { lang } = document.documentElement;
  const answer = own && lang !== 'en' ? await fetch(`rules.${lang}.md`).catch(() => null) : null;
  const found = (answer?.ok ? await answer.text() : '').split(/^# /m).find((part) => part.startsWith(`${menu}\n`));
  if (found) return found.slice(menu.length);
  const sections = own.replace(/^# .*\n/, '').split(/^(?=## )/m);
  return sections.filter((section) => !TERMINAL.some((name) => section.startsWith(`## ${name}\n`))).join('');
}

/** Pieces and kinds of cells with their names. @param {Table} table */
function legend(table) {
  const printedOnly = new Set(Object.values(table.kinds ?? {}).map((kind) => kind.symbol));
  const entries = Object.entries(table.symbols ?? {}).filter(([symbol]) => !printedOnly.has(symbol)).map(([symbol, { label }]) => {
    const shape = pieceShape(table, { cell: '', symbol, seat: 1, turn: 0 }, 0.9);
    return html('li', {}, svg('svg', { viewBox: '-1 -1 2 2', class: 'legend-piece', 'aria-hidden': 'true' }, shape), t(label));
  });
  const kinds = Object.values(table.kinds ?? {}).flatMap((kind) => {
    if (!kind.mark && ['light', 'dark', undefined].includes(kind.fill)) return [];
    const swatch = svg('svg', { viewBox: '-1 -1 2 2', class: 'legend-piece', 'aria-hidden': 'true' });
    if (kind.fill) swatch.append(svg('rect', { class: `cell ${roleClass(kind.fill)}`, x: -0.9, y: -0.9, width: 1.8, height: 1.8 }));
    const mark = kind.mark ? (kind.fill ? sign(kind.mark, [0, 0], 0.8) : alertSign(kind.mark, [-0.1, 0.1], 0.7)) : null;
    if (mark) swatch.append(mark);
    const printed = kind.symbol ? table.symbols?.[kind.symbol] : undefined;
    if (printed) swatch.append(printedSymbol(printed, [0, 0], 0.8));
    return [html('li', {}, swatch, t(kind.label))];
  });
  return html('ul', { class: 'legend' }, ...entries, ...kinds);
}

/**
 * @template {string | number} T
 * @param {string} label
 * @param {[T, string][]} choices
 * @param {T} value
 * @param {(value: T) => void} change
 */
function choice(label, choices, value, change) {
  const select = html('select', {}, ...choices.map(([key, text]) => html('option', { value: key, selected: key === value }, text)));
  select.addEventListener('change', () => change(choices[select.selectedIndex][0]));
  return html('label', { class: 'field' }, label, select);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => void} change */
function tick(label, value, change) {
  const box = html('input', { type: 'checkbox' });
  box.checked = value;
  box.addEventListener('change', () => change(box.checked));
  return html('label', { class: 'field tick' }, box, label);
}

export function openSettings() {
  const again = () => openSettings();
  openDialog(
    t('Settings'),
    choice(t('Language'), [['auto', t('as the browser has it')], ...LANGUAGES], settings.language, (language) => { changeSettings({ language }); again(); }),
    choice(t('Colours'), [['auto', t('as the system has them')], ['light', t('light')], ['dark', t('dark')], ['contrast', t('high contrast')]], settings.theme, (theme) => changeSettings({ theme })),
    choice(t('Board'), [['plain', t('plain')], ['wood', t('wood')], ['slate', t('slate')], ['paper', t('paper')]], settings.board, (board) => changeSettings({ board })),
    choice(t('Pieces'), [['figures', t('figures')], ['letters', t('letters')]], settings.pieces, (pieces) => changeSettings({ pieces })),
    choice(t('Moving pieces'), [[0, t('jump')], [120, t('fast')], [200, t('normal')], [450, t('slow')]], settings.speed, (speed) => changeSettings({ speed })),
    choice(t('Ask before a move is played'), [['touch', t('on touch screens')], ['always', t('always')], ['never', t('never')]], settings.confirm, (confirm) => changeSettings({ confirm })),
    tick(t('Sound'), settings.sound, (sound) => changeSettings({ sound })),
    tick(t('Mark what may be chosen'), settings.hints, (hints) => changeSettings({ hints })),
    tick(t('Coordinates'), settings.labels, (labels) => changeSettings({ labels })),
    document.fullscreenEnabled ? html('button', { type: 'button', id: 'full-screen', onclick: () => void fullScreen() }, t('Full screen')) : '',
    html('p', { class: 'quiet' }, t('Where the system asks for less motion, pieces always jump.')),
    html('p', { class: 'quiet' }, t('Icons by'), ' Lorc, Delapouite, ',
      html('a', { href: 'https://game-icons.net', target: '_blank', rel: 'noreferrer' }, 'game-icons.net'), ', ',
      html('a', { href: 'https://creativecommons.org/licenses/by/3.0/', target: '_blank', rel: 'noreferrer' }, 'CC BY 3.0'), t('; outlines only.')),
  );
}

async function fullScreen() {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen().catch(() => {});
}

const TEXTS = [
  ['fen', 'Position (fen)'],
  ['position', 'Position with its moves'],
  ['moves', 'List of moves'],
  ['record', 'Record of the game'],
  ['svg', 'Picture (SVG)'],
];

/** The most positions of a moving picture. */
const LONGEST_FILM = 600;

/** @param {HTMLButtonElement} button */
async function saveFilm(button) {
  button.disabled = true;
  const pictures = [];
  let name = '';
  for (const { node } of app.tree.line(app.position?.node ?? 0).slice(0, LONGEST_FILM)) {
    const answer = /** @type {TextMessage | null} */ (await ask({ do: 'text', node, what: 'svg' }));
    if (!answer) break;
    // The server takes a hundred messages a second.
    if (pictures.length > 90) await new Promise((resolve) => setTimeout(resolve, 12));
    pictures.push(answer.text);
    name ||= answer.name;
  }
  button.disabled = false;
  if (pictures.length > 0) save(name.replace(/-\d+(?=\.svg$)/, '-game'), film(pictures));
}

export async function openCopy() {
  const node = app.position?.node;
  const list = html('div', { class: 'texts' });
  for (const [what, name] of TEXTS) {
    const label = t(name);
    if (what === 'record' && !app.state?.you.record) continue;
    const get = async () => /** @type {{name?: string, text: string} | null} */ (await ask({ do: 'text', node, what }));
    const onCopy = async () => {
      const answer = await get();
      if (answer) await copy(answer.text);
    };
    const onSave = async () => {
      const answer = await get();
      if (answer) save(answer.name ?? `${app.state?.menu ?? 'game'}-${what}.${what === 'svg' ? 'svg' : 'txt'}`, answer.text);
    };
    list.append(
      html('div', { class: 'text-row' }, html('span', {}, label),
        html('button', { type: 'button', 'aria-label': t('Copy: {label}', { label }), 'data-copy': what, onclick: () => void onCopy() }, t('Copy')),
        html('button', { type: 'button', 'aria-label': t('Save: {label}', { label }), 'data-save': what, onclick: () => void onSave() }, t('Save'))),
    );
  }
  list.append(html('div', { class: 'text-row' }, html('span', {}, t('The whole game as a moving picture (SVG)')),
    html('button', { type: 'button', 'aria-label': t('Save: {label}', { label: t('The whole game as a moving picture (SVG)') }), 'data-save': 'film', onclick: (event) => void saveFilm(/** @type {HTMLButtonElement} */ (event.currentTarget)) }, t('Save'))));
  const field = html('textarea', { readonly: true, rows: 3, 'aria-label': t('Position'), class: 'fen' });
  const dialog = openDialog(t('Copy or save'), list, field);
  const answer = await ask({ do: 'text', node, what: 'fen' });
  if (answer && dialog.isConnected) field.value = answer.text;
}
