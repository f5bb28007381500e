// What every test of the page needs: a server, a browser, a page that complains about its own
// errors, and hands that click.

import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
/** Where the built programs are. */
export const programs = process.env.PARLOR_PROGRAMS ?? path.join(root, 'target/debug');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The games, as the menu names them. */
export const GAMES = ['barca', 'porrika', 'pacru', 'shacru', 'azacru', 'chowka-bhara', 'barbarossa'];

/** The files of the page, and each as the server sends it. */
export const pageFolder = process.env.PAGE ?? path.join(root, 'src/runner/board/page');
export const served = async (url, name) => Buffer.from(await (await fetch(new URL(`/${name}`, url))).arrayBuffer());
/** What the page weighs as it is served, each file by gzip -9. */
export async function servedSize(url) {
  const files = await Promise.all(readdirSync(pageFolder).map((name) => served(url, name)));
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
}

/** Starts `parlor board`; resolves when it has printed its address. */
export async function startServer(args = [], { data = mkdtempSync(path.join(tmpdir(), 'board-')), port = '0' } = {}) {
  const child = spawn(path.join(programs, 'parlor'), ['board', ...args, '--no-open', '--port', port, '--movetime', '100'], {
    env: { ...process.env, XDG_DATA_HOME: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no address within 20 s: ${text}`)), 20_000);
    const hear = (chunk) => {
      text += chunk;
      const found = text.match(/https?:\/\/\S+#[0-9a-f]+/);
      if (found) {
        clearTimeout(timer);
        resolve(found[0]);
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`parlor board ended with ${code}: ${text}`)));
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const kill = async (signal = 'SIGINT') => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    await kill();
    rmSync(data, { recursive: true, force: true });
  };
  return { url, data, child, kill, stop, output: () => text };
}

export function launch() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: browserPath, headless: true, args });
}

/**
 * A page in a fresh profile. `page.heard` has every message of the server, `page.problems` what the
 * page itself did wrong.
 */
export async function openPage(browser, url, { width = 1280, height = 800, touch = false, scheme = 'light', contrast = false, forced = false, reduced = true, settings } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: scheme, forcedColors: forced ? 'active' : 'none', reducedMotion: reduced ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  if (contrast) {
    const session = await context.newCDPSession(page);
    const features = { 'prefers-contrast': 'more', 'prefers-color-scheme': scheme, 'prefers-reduced-motion': reduced ? 'reduce' : 'no-preference' };
    await session.send('Emulation.setEmulatedMedia', { features: Object.entries(features).map(([name, value]) => ({ name, value })) });
  }
  page.setDefaultTimeout(15_000);
  Object.assign(page, { heard: [], raw: [], problems: [] });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      page.raw.push(String(payload));
      page.heard.push(JSON.parse(String(payload)));
    });
  });
  if (settings) await page.addInitScript((kept) => localStorage.setItem('parlor-settings', kept), JSON.stringify(settings));
  await page.goto(url);
  await page.locator('#home:not([hidden]), #game:not([hidden])').first().waitFor();
  return page;
}

/** The newest message of a type. */
export function latest(page, type, fits = () => true) {
  return page.heard.findLast((message) => message.type === type && fits(message));
}

/** Waits until something holds of the messages that were heard. */
export async function until(page, what, holds, timeout = 20_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = holds();
    if (value) return value;
    if (Date.now() > end) {
      const state = latest(page, 'state');
      throw new Error(`waited in vain until ${what}; turn ${state?.turn}, ${JSON.stringify(page.heard.slice(-2)).slice(0, 600)}`);
    }
    await page.waitForTimeout(4);
  }
}

/** Whether something that was pressed has been answered; what moves are called comes by itself. */
export function answered(page, from) {
  return page.heard.slice(from).some((message) => message.type !== 'path');
}

/** Clicks cells one after another, each when the last one has been answered. */
export async function clickCells(page, ...ids) {
  for (const id of ids) {
    const heard = page.heard.length;
    await press(page, cell(id));
    await until(page, 'the click is answered', () => page.heard.slice(heard).some(({ type, step }) => type === 'position' || type === 'error' || (type === 'step' && (!step.token || step.next.length > 0))));
  }
}

/** Waits until something holds of the document; the page's policy forbids `waitForFunction`. */
export async function untilSeen(page, what, holds, argument, timeout = 20_000) {
  const end = Date.now() + timeout;
  while (!(await page.evaluate(holds, argument))) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await page.waitForTimeout(10);
  }
}

/** Starts a game through the dialog. `players`: for each seat `here`, `link`, or a player of the engine. */
export async function newGame(page, game, { players, rules = {}, start, clock, throws } = {}) {
  if (await page.locator('#go-home').isVisible()) await page.locator('#go-home').click();
  await page.locator(`[data-game="${game}"] .set-up`).click();
  const dialog = page.locator('dialog');
  await dialog.waitFor();
  for (const [name, value] of Object.entries(rules)) {
    const field = dialog.locator(`[data-rule="${name}"]`);
    if (!(await field.isVisible())) await dialog.locator('summary', { hasText: 'Rules' }).click();
    const asked = page.heard.length;
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(String(value));
    else {
      await field.fill(String(value));
      await field.blur();
    }
    await until(page, 'the rules are known', () => page.heard.slice(asked).some((message) => message.type === 'about'));
  }
  for (const [index, player] of (players ?? []).entries()) {
    const kind = dialog.locator(`[data-field="kind ${index}"]`);
    if (player === 'here' || player === 'link') {
      await kind.selectOption(player);
    } else {
      await kind.selectOption('engine 0');
      await dialog.locator(`[data-field="player ${index}"]`).selectOption(player);
      await dialog.locator(`[data-field="limit ${index}"]`).selectOption('movetime 100');
    }
  }
  if (throws) await dialog.locator('[data-field="throws"]').selectOption(throws);
  if (clock !== undefined) await dialog.locator('[data-field="clock"]').selectOption(clock);
  if (start) {
    await dialog.locator('summary', { hasText: 'Start from' }).click();
    await dialog.locator('[data-field="start"]').fill(start);
  }
  const before = page.heard.length;
  await dialog.locator('#start').click();
  await until(page, 'the game begins', () => page.heard.slice(before).some((message) => message.type === 'position'));
  await page.locator('#game').waitFor();
}

/** Ends the game that the page shows, and its engines. */
export async function closeGame(page, touch = false) {
  await press(page, '#close-game', touch);
  if (latest(page, 'state').phase === 'play') await press(page, 'dialog .primary', touch);
  await page.locator('#home').waitFor();
}

/** Numbers that are the same in every run. */
export function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What the page offers now. */
export function offers(page) {
  return page.evaluate(() => {
    const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    return {
      cells: seen('#board .hit.able').map((cell) => cell.dataset.cell),
      choices: seen('#entry .choices .choice').map((button) => button.dataset.choice),
      cards: seen('.card-choice').map((card) => card.dataset.card),
      done: seen('#done, .thumb-done').length > 0,
      throws: seen('.throw:not(:disabled)').length > 0,
      form: seen('#form-text').length > 0,
      show: seen('#show-view').length > 0,
      path: document.querySelectorAll('#undo-step').length,
    };
  });
}

/**
 * Presses the middle of the first element that a CSS selector finds and that is to be seen, with the
 * mouse or a finger; why it cannot be pressed now, else `''`.
 */
async function tryToPress(page, selector, touch) {
  const found = await page.evaluate((selector) => {
    const element = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled);
    if (!element) return 'nothing of that kind is there';
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const at = document.elementFromPoint(x, y);
    return element.contains(at) ? { x, y } : `it is covered by ${at?.outerHTML.slice(0, 120)}`;
  }, selector);
  if (typeof found === 'string') return found;
  await (touch ? page.touchscreen.tap(found.x, found.y) : page.mouse.click(found.x, found.y));
  return '';
}

/** Presses what a CSS selector finds, once it is there and nothing covers it. */
export async function press(page, selector, touch = false) {
  const end = Date.now() + 15_000;
  for (;;) {
    const reason = await tryToPress(page, selector, touch);
    if (!reason) return;
    if (Date.now() > end) throw new Error(`${selector} cannot be pressed: ${reason}`);
    await page.waitForTimeout(10);
  }
}

/** Resigns for the first who may, and waits for the end of the game. */
export async function resign(page, touch = false) {
  await press(page, '#resign', touch);
  await press(page, '.resign-now', touch);
  await until(page, 'the game is over', () => latest(page, 'state').phase === 'over');
}

/** Asks for the review of a finished game, and waits until it is done. */
export async function review(page, touch = false) {
  await press(page, '#review-now', touch);
  await until(page, 'the review is done', () => latest(page, 'review') && !latest(page, 'review').running, 60_000);
}

/** Where the keyboard goes next on its way to the first element that a selector finds; `''`: it is there. */
function wayTo(page, selector) {
  return page.evaluate(async (selector) => {
    const target = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled);
    if (!target) return 'none';
    const active = document.activeElement;
    if (active === target) return '';
    const { ARROWS, neighbour, turned } = await import('./geometry.js');
    const group = target.closest('#board, [data-roves]');
    if (!group?.contains(active)) return 'Tab';
    /** The elements that the arrow keys go over, each with its place. */
    let places;
    if (group.id === 'board') {
      const { table } = (await import('./store.js')).app;
      const first = group.querySelector('.hit');
      const corner = first.getAttribute('points').split(' ')[0].split(',').map(Number);
      const [x, y] = table.cells[0].at;
      const [dx, dy] = table.shapes[table.cells[0].shape][0];
      const off = (degrees) => Math.hypot(...turned(table.size, degrees).at([x + dx, y + dy]).map((value, index) => value - corner[index]));
      const turn = turned(table.size, [0, 90, 180, 270].sort((a, b) => off(a) - off(b))[0]);
      places = new Map(table.cells.map((known) => [group.querySelector(`.hit[data-cell="${known.id}"]`), turn.at(known.at)]));
    } else {
      const kind = ['choice', 'card-choice', 'move'].find((name) => target.classList.contains(name));
      places = new Map([...group.querySelectorAll(`.${kind}`)].map((one) => [one, [one.getBoundingClientRect().x + one.offsetWidth / 2, one.getBoundingClientRect().y + one.offsetHeight / 2]]));
    }
    if (!places.has(active)) return 'Tab';
    const from = new Map([[active, '']]);
    for (const [at, key] of from) {
      if (at === target) return key;
      const others = [...places].filter(([one]) => one !== at);
      for (const [name, direction] of Object.entries(ARROWS)) {
        const next = neighbour(places.get(at), direction, others);
        if (next && !from.has(next)) from.set(next, key || name);
      }
    }
    return 'Tab';
  }, selector);
}

/** Presses what a selector finds by keys alone: tabulator, arrows, Enter. */
async function pressByKeys(page, selector) {
  const end = Date.now() + 20_000;
  for (let presses = 0; ; presses++) {
    const key = await wayTo(page, selector);
    if (key === '') break;
    if (Date.now() > end || presses > 400) throw new Error(`the keyboard does not get to ${selector}`);
    if (key === 'none') await page.waitForTimeout(10);
    else await page.keyboard.press(key);
  }
  await page.keyboard.press('Enter');
}

/** Ways to press what a selector finds. */
export const HANDS = {
  mouse: (page, selector) => press(page, selector),
  finger: (page, selector) => press(page, selector, true),
  keys: pressByKeys,
};

export const cell = (id) => `#board .hit[data-cell="${id}"]`;

/** Clicks something of what is offered and waits for what comes of it; false when nothing is offered. */
export async function clickSomething(page, pick, { touch = false, avoid = () => false } = {}) {
  const found = await offers(page);
  const before = page.heard.length;
  const button = (choice) => `#entry .choice[data-choice="${choice.replaceAll('"', '\\"')}"]`;
  let all = [
    ...found.cells.map((id) => cell(id)),
    ...found.choices.filter((choice) => !avoid(choice)).map(button),
    ...found.cards.map((id) => `.card-choice[data-card="${id}"]`),
  ];
  if (all.length === 0 && !found.done) all = found.choices.map(button);
  let target = '';
  if (found.show) target = '#show-view';
  else if (found.throws) target = '.throw';
  else if (found.done && (all.length === 0 || pick(2) === 0)) target = '#done, .thumb-done';
  else if (all.length > 0) target = all[pick(all.length)];
  else if (found.form) await page.locator('#form-text').fill('abcdefghijklmnoprstuvw'[pick(22)]);
  else return false;
  // What was offered may have gone meanwhile: then it is looked for anew.
  if (target && (await tryToPress(page, target, touch))) return false;
  const old = JSON.stringify(found);
  const end = Date.now() + 20_000;
  while (!answered(page, before) && JSON.stringify(await offers(page)) === old) {
    if (Date.now() > end) throw new Error(`nothing comes of pressing ${target || 'a letter'} of ${old}`);
    await page.waitForTimeout(4);
  }
  return true;
}

/** Plays on until the game is over. `move` enters one move or a part of it; false: nothing to do now. */
export async function playOut(page, move, most = 3000) {
  let [actions, heard, idle] = [0, page.heard.length, Date.now()];
  while (latest(page, 'state')?.phase !== 'over') {
    const acted = await move();
    if (acted && ++actions > most) throw new Error(`the game is not over after ${most} actions`);
    if (acted || page.heard.length > heard) [heard, idle] = [page.heard.length, Date.now()];
    if (Date.now() > idle + 30_000) throw new Error(`nothing happens any more; ${JSON.stringify(await offers(page))}`);
    if (!acted) await page.waitForTimeout(10);
  }
  return latest(page, 'state');
}

/** Does what a lesson or puzzle asks for: by the page's own words, and the tokens of its solution. */
export async function solve(page, solution, hand = HANDS.mouse) {
  for (let at = solution; at; ) {
    const ply = latest(page, 'position').ply;
    const token = at.accept[0];
    const heard = page.heard.length;
    const game = latest(page, 'state').game;
    await hand(page, '#task-show');
    const told = await until(page, 'the move is shown', () => page.heard.slice(heard).findLast((message) => message.type === 'path' && message.token === token && message.node === latest(page, 'position').node));
    for (const choice of told.path) {
      const before = page.heard.length;
      const quoted = choice.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
      const places = [`#entry .choice[data-choice="${quoted}"]`, `.card-choice[data-card="${quoted}"]`, cell(quoted)];
      const place = await page.evaluate((places) => places.find((selector) => document.querySelector(selector)), places);
      if (place) await hand(page, place);
      else {
        await page.locator('#form-text').fill(choice);
        await hand(page, '.form [type="submit"]');
      }
      await until(page, 'the press is answered', () => page.heard.slice(before).some(({ type }) => ['step', 'position', 'error'].includes(type)));
    }
    // A finger is asked before a move is played.
    const done = '#done, .thumb-done';
    const shown = page.locator('#done:visible, .thumb-done:visible');
    for (let waited = 0; waited < 500 && latest(page, 'position').ply === ply; waited++) {
      if (await shown.count()) {
        await hand(page, done);
        break;
      }
      await page.waitForTimeout(10);
    }
    await until(page, 'the move is on the board', () => latest(page, 'position').ply > ply && latest(page, 'state').game === game);
    const replies = Object.values(at.replies ?? {});
    if (replies.length === 0) return;
    const length = (one) => 1 + Math.max(0, ...Object.values(one.replies ?? {}).map(length));
    at = replies.reduce((best, other) => (length(other) > length(best) ? other : best));
    await until(page, 'the others have answered', () => latest(page, 'position').ply >= ply + 2);
    await page.waitForTimeout(50);
  }
}

/** Waits until the board of a task stands. */
async function boardOf(page, text) {
  await page.locator('#task-text', { hasText: text }).waitFor();
  await until(page, 'the board stands', () => latest(page, 'position')?.game === latest(page, 'state')?.game && latest(page, 'position').node === latest(page, 'state').live);
  await page.waitForTimeout(30);
}

/** Does so many lessons of a game. */
export async function everyLesson(page, game, hand = HANDS.mouse, most = Infinity) {
  await hand(page, `[data-game="${game}"] .learn`);
  await page.locator('.task-list').waitFor();
  const { lessons } = latest(page, 'lessons');
  if (lessons.length < 3) throw new Error(`${lessons.length} lessons`);
  for (const { id, steps } of lessons.slice(0, most)) {
    await hand(page, `[data-lesson="${id}"]`);
    for (const [index, step] of steps.entries()) {
      await boardOf(page, step.text);
      if (step.solution) {
        await solve(page, step.solution, hand);
        await page.locator('#task-said.right').waitFor();
      }
      await hand(page, index + 1 === steps.length ? '#task-list' : '#task-next');
    }
    await page.locator(`li:has([data-lesson="${id}"]) .done`).waitFor();
  }
  await hand(page, 'dialog .close');
  await hand(page, '#go-home');
  await page.locator('#home').waitFor();
}

/** Solves so many puzzles of a game. */
export async function somePuzzles(page, game, hand = HANDS.mouse, most = 1) {
  // A game without puzzles has no button for them.
  if (latest(page, 'about', ({ menu }) => menu === game).puzzles === 0) return;
  await hand(page, `[data-game="${game}"] .puzzles`);
  const { puzzles } = await until(page, 'puzzles come', () => latest(page, 'puzzles', ({ menu }) => menu === game));
  await hand(page, '#next-puzzle');
  for (let number = 0; number < Math.min(most, puzzles.length); number++) {
    await page.locator('#task h2', { hasText: `Puzzle ${number + 1} ` }).waitFor();
    await boardOf(page, puzzles[number].text);
    await until(page, 'moves are offered', () => latest(page, 'position').step);
    await solve(page, puzzles[number].solution, hand);
    await page.locator('#task-said.right').waitFor();
    await hand(page, '#task-next');
  }
  await hand(page, '#go-home');
  await page.locator('#home').waitFor();
}

/** Opens the dialog that imports a game, with a text in it. */
export async function openImport(page, text) {
  if (await page.locator('#go-home').isVisible()) await page.locator('#go-home').click();
  await page.locator('#open-import').click();
  await page.locator('dialog [aria-label="Game"] option', { hasText: 'Barca' }).waitFor({ state: 'attached' });
  await page.locator('dialog textarea').fill(text);
}

/** The last finished game as text, from the list of one's own games. */
export async function exportedText(page) {
  await page.locator('#go-home').click();
  await page.locator('#open-my-games').click();
  await page.locator('.export-game').first().click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-export="text"]').click()]);
  const text = readFileSync(await download.path(), 'utf8');
  await page.locator('dialog .close').click();
  return text;
}

/** What axe-core finds on the page. */
export async function violations(page) {
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => globalThis.axe.run(document, { rules: { 'target-size': { enabled: true } } }));
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.any?.[0]?.message ?? ''}`).join(' | ')}`);
}

/** Keeps a picture where the caller of the tests asked for pictures. */
export async function keepPicture(page, name) {
  const folder = process.env.BOARD_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}
