// The site in a real Chromium, over a host of static files: games against engines, lessons, puzzles,
// analysis, reviews, records, what is kept, no network, two tabs, an engine that traps.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { clickCells, clickSomething, everyLesson, exportedText, latest, launch, newGame, openImport, playOut, press, random, resign, review, somePuzzles, until, untilSeen } from '../../tests/board/harness.mjs';
import { FOLDER, GAMES } from './engine.mjs';
import { serve } from './page.mjs';
import { TRAPPING } from './trapping.mjs';

let browser;
let host;
before(async () => {
  browser = await launch();
  host = await serve();
});
after(async () => {
  await browser?.close();
  host?.close();
});

/** Keeps what the worker says to the page. */
function listen() {
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => data.text && globalThis.hear(data.text));
    }
  };
}

/** A page of the site in a browser that was never there; `page.heard` has every message. */
async function open(context, { profile } = {}) {
  const own = profile ?? await browser.newContext({ reducedMotion: 'reduce' });
  const page = await own.newPage();
  context.after(() => own.close());
  page.setDefaultTimeout(15_000);
  Object.assign(page, { heard: [], problems: [] });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  await page.exposeFunction('hear', (text) => page.heard.push(JSON.parse(text)));
  await page.addInitScript(listen);
  await page.goto(`${host.address}/`);
  await page.locator('.menu-card').first().waitFor();
  return page;
}

/** Begins a game against level 3. */
async function play(page, game) {
  const heard = page.heard.length;
  await press(page, `[data-game="${game}"] .play-now`);
  await until(page, 'the game begins', () => page.heard.slice(heard).some(({ type }) => type === 'position'));
}

/** Plays until the engine has answered a move. */
async function playAMove(page, pick) {
  const ply = latest(page, 'position').ply;
  const end = Date.now() + 30_000;
  for (let more = true; more;) {
    assert.ok(Date.now() < end && !latest(page, 'state').fault, JSON.stringify(latest(page, 'state')));
    if (!(await clickSomething(page, pick))) await page.waitForTimeout(10);
    const { ply: now, act } = latest(page, 'position');
    more = now < ply + 2 || !act;
  }
}

for (const game of GAMES) {
  test(`a whole game of ${game} against level 3`, { timeout: 300_000 }, async (t) => {
    const page = await open(t);
    await play(page, game);
    const { seats } = latest(page, 'state');
    assert.ok(seats.some(({ kind, level }) => kind === 'engine' && level === 3), JSON.stringify(seats));
    const pick = random(5);
    const state = await playOut(page, () => clickSomething(page, pick));
    assert.ok(state.result, 'a finished game has a result');
    assert.equal(state.fault, null);
    await page.locator('.banner.result').waitFor();
    assert.deepEqual(page.problems, []);
  });
}

for (const game of GAMES) {
  test(`${game}: a lesson and a puzzle`, async (t) => {
    const page = await open(t);
    await until(page, 'the game is described', () => latest(page, 'about', ({ menu }) => menu === game));
    await everyLesson(page, game, undefined, 1);
    await somePuzzles(page, game);
    assert.deepEqual(page.problems, []);
  });
}

test('a game among people is reviewed, exported, and imported again', async (t) => {
  const page = await open(t);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e1', 'a1', 'd9', 'a6');
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  const { board } = latest(page, 'position');
  await resign(page);
  await review(page);
  await page.locator('.accuracy b').nth(1).waitFor();
  await openImport(page, await exportedText(page));
  page.heard.length = 0;
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'position')?.ply === 2);
  assert.deepEqual(latest(page, 'position').board.pieces, board.pieces);
  assert.deepEqual(page.problems, []);
});

test('a player is chosen, and it is that which plays', async (t) => {
  const page = await open(t);
  await until(page, 'Barca is described', () => latest(page, 'about', ({ menu }) => menu === 'barca'));
  await newGame(page, 'barca', { players: ['here', 'random'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'it has answered', () => latest(page, 'position').ply === 2);
  const [, seat] = latest(page, 'state').seats;
  assert.equal(seat.player, 'random');
  // One that knows nothing tells no score.
  assert.equal(latest(page, 'state').fault, null);
});

test('an analysis reports, and ends when it is told to', async (t) => {
  const page = await open(t);
  await play(page, 'barca');
  await page.locator('#analyse').click();
  const deep = await until(page, 'an analysis comes', () => latest(page, 'analysis', (told) => told.depth >= 6));
  assert.ok(deep.lines[0].pv.length > 0 && deep.running);
  await page.locator('#analyse').click();
  const [heard, since] = [page.heard.length, Date.now()];
  // The same engine thinks of a hint for a second, and of nothing else before it.
  await page.locator('#hint').click();
  await until(page, 'a hint comes', () => page.heard.slice(heard).some(({ type }) => type === 'hint'));
  assert.ok(Date.now() - since < 2500, `it took ${Date.now() - since} ms`);
});

/** Waits until the site has these files without a network. */
const untilKept = (page, ...files) => untilSeen(page, 'the site is kept', async (files) => {
  const found = await Promise.all(files.map((file) => caches.match(file)));
  return Boolean(navigator.serviceWorker.controller && found.every(Boolean));
}, files, 60_000);

test('an unfinished game goes on after a visit without a network', async (t) => {
  const page = await open(t);
  await play(page, 'barca');
  await playAMove(page, random(2));
  await untilKept(page, 'household.wasm', 'barca.wasm');
  // Nobody has played this one: its engine was not fetched.
  assert.equal(await page.evaluate(() => caches.match('pacru.wasm')), undefined);
  const { ply } = latest(page, 'position');
  host.close();
  try {
    page.heard.length = 0;
    await page.reload();
    await press(page, '#resume');
    await until(page, 'the game is there again', () => latest(page, 'position')?.ply === ply);
    await playAMove(page, random(3));
    assert.deepEqual(page.problems, []);
  } finally {
    host = await serve();
  }
});

test('who installs the site has every engine without a network', async (t) => {
  const page = await open(t);
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
  await untilKept(page, 'barca.wasm', 'porrika.js', 'barbarossa.wasm');
});

test('of two tabs one has a game, and the other gets it afterwards', async (t) => {
  const one = await open(t);
  await play(one, 'barca');
  await playAMove(one, random(4));
  const profile = one.context();
  const other = await open(t, { profile });
  assert.equal(latest(other, 'welcome').saved.length, 0);
  await play(other, 'barca');
  await playAMove(other, random(5));
  const { ply } = latest(one, 'position');
  await one.close();
  await other.locator('#go-home').click();
  const offered = () => latest(other, 'welcome').saved.find(({ plies }) => plies === ply);
  for (let tries = 0; !offered() && tries < 20; tries++) {
    await other.reload();
    await other.locator('.menu-card').first().waitFor();
  }
  assert.ok(offered(), JSON.stringify(latest(other, 'welcome')));
});

test('an engine that traps is started anew, and the game can go on', async (t) => {
  const page = await open(t);
  await page.context().route('**/barca.wasm', (route) => route.fulfill({ contentType: 'application/wasm', body: Buffer.from(TRAPPING) }));
  await play(page, 'barca');
  const pick = random(4);
  while (!latest(page, 'state').fault) {
    if (!(await clickSomething(page, pick))) await page.waitForTimeout(10);
  }
  assert.match(latest(page, 'state').fault.text, /0000/);
  await page.context().unroute('**/barca.wasm');
  const heard = page.heard.length;
  await press(page, '.banner.fault button');
  await until(page, 'the engine plays', () => page.heard.slice(heard).some(({ type, ply }) => type === 'position' && ply === 2));
});

test('every file that is kept is there, and nothing is missing', () => {
  const text = readFileSync(path.join(FOLDER, 'offline.js'), 'utf8');
  const [files, engines] = ['FILES', 'ENGINES'].map((name) => JSON.parse(new RegExp(`const ${name} = (.*);`).exec(text)[1].replaceAll("'", '"')));
  for (const name of ['household.wasm', 'main.js', 'icons.txt', ...GAMES.map((game) => `rules/${game}.txt`)]) {
    assert.ok(files.includes(name), name);
  }
  assert.deepEqual(engines.toSorted(), GAMES.flatMap((game) => [`${game}.js`, `${game}.wasm`]).toSorted());
  assert.ok(!files.some((name) => engines.includes(name) || name.startsWith('table.')));
  for (const name of [...files.slice(1), ...engines]) readFileSync(path.join(FOLDER, name));
});
