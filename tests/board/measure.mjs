// Prints how long a person waits, medians in ms, how large the page is, and what the server needs for
// many games: node tests/board/measure.mjs [GAMES]. PARLOR_PROGRAMS: a folder with the built programs,
// in place of target/debug; the figures of docs and issues are those of a release build.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cell, latest, launch, newGame, openPage, press, programs, servedSize, startServer, until } from './harness.mjs';

const RUNS = 9;

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** Presses a cell; ms from the click to the frame in which the name of another cell fits. */
async function clickToFrame(page, from, to, part) {
  await page.evaluate(([to, part]) => {
    const fits = () => document.querySelector(`#board .hit[data-cell="${to}"]`)?.getAttribute('aria-label')?.includes(part);
    globalThis.waited = new Promise((resolve) => {
      addEventListener('pointerup', () => {
        const start = performance.now();
        const look = () => (fits() ? resolve(performance.now() - start) : requestAnimationFrame(look));
        requestAnimationFrame(look);
      }, { once: true, capture: true });
    });
  }, [to, part]);
  await press(page, cell(from));
  return page.evaluate(() => globalThis.waited);
}

/** A record of a game between random players, cut after so many moves. */
function longRecord(folder, plies) {
  const file = path.join(folder, 'long.jsonl');
  const player = (name) => `cmd=${path.join(programs, 'barca')} name=${name} option.Player=random`;
  execFileSync(path.join(programs, 'parlor'), ['match', player('one'), player('two'), '--games', '2', '--records', file], { stdio: 'pipe' });
  const [header, ...games] = readFileSync(file, 'utf8').trim().split('\n').filter((line) => /"parlor"|"moves"/.test(line)).map((line) => JSON.parse(line));
  const longest = games.reduce((best, game) => (game.moves.length > best.moves.length ? game : best));
  return `${JSON.stringify(header)}\n${JSON.stringify({ ...longest, moves: longest.moves.slice(0, plies) })}`;
}

/** Loads a long game and steps back in it; ms. */
async function longGame(browser, server, plies) {
  const page = await openPage(browser, server.url);
  await page.locator('#open-import').click();
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('dialog textarea').fill(longRecord(server.data, plies));
  /** ms from a click or key to the frame in which the position of a ply is drawn. */
  const drawn = (ply, act) => page.evaluate(async ([ply, act]) => {
    const { app } = await import('./store.js');
    const start = performance.now();
    if (act === 'import') document.querySelector('#import').click();
    else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: act, bubbles: true }));
    const isThere = () => app.position?.ply === ply && document.querySelector('.move[aria-current]')?.dataset.node === String(app.position.node) && document.querySelectorAll('#board .piece').length > 0;
    return new Promise((resolve) => {
      const look = () => (isThere() ? resolve(performance.now() - start) : requestAnimationFrame(look));
      look();
    });
  }, [ply, act]);
  const load = await drawn(plies, 'import');
  const steps = [];
  await page.evaluate(() => document.activeElement?.blur());
  for (let back = 1; back <= RUNS; back++) steps.push(await drawn(plies - back, 'ArrowLeft'));
  await page.context().close();
  return { load, steps };
}

/** Kilobytes that a process keeps, and the engines that it has started and that run; the sweeper, which ends them should the server be killed, is none. */
function processes(id) {
  const [, kilobytes] = readFileSync(`/proc/${id}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  const engines = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
    try {
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')[1];
      return parent === String(id) && !readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith('engine-sweeper');
    } catch {
      return false;
    }
  });
  return { kilobytes: Number(kilobytes), engines: engines.length };
}

/** Opens games, ends them, and looks at the server. */
async function manyGames(browser, games) {
  const server = await startServer();
  const page = await openPage(browser, server.url);
  const before = processes(server.child.pid);
  for (let game = 0; game < games; game++) await newGame(page, 'barca', { players: ['here', 'here'] });
  const open = processes(server.child.pid);
  for (let game = 0; game < games; game++) {
    await page.locator('#go-home').click();
    await page.locator('[data-open]').nth(game).click();
    await until(page, 'the game is shown', () => latest(page, 'state')?.phase === 'play' && latest(page, 'position')?.game === latest(page, 'state').game);
    await press(page, '#resign');
    await press(page, '.resign-now');
    await until(page, 'it is over', () => latest(page, 'state').phase === 'over');
  }
  await page.context().close();
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const over = processes(server.child.pid);
  await server.stop();
  return { before, open, over };
}

/** Starts servers and plays a move; lists of ms. */
async function clicks(browser) {
  const [starts, choices, moves] = [[], [], []];
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    const server = await startServer();
    const page = await openPage(browser, server.url, { settings: { language: 'en' } });
    starts.push(performance.now() - began);
    await newGame(page, 'barca', { players: ['here', 'here'] });
    choices.push(await clickToFrame(page, 'e2', 'e4', 'can go here'));
    moves.push(await clickToFrame(page, 'e4', 'e4', 'mouse'));
    await page.context().close();
    await server.stop();
  }
  return { starts, choices, moves };
}

/** A line of the table: what was measured, and the bars of the issue. @param {string} what @param {number[]} list @param {string} bars */
const print = (what, list, bars = '') => console.log(`${what}: ${median(list).toFixed(1)} ms, slowest ${Math.max(...list).toFixed(1)}${bars && ` (${bars})`}`);

const games = Number(process.argv[2] ?? 30);
const bare = await startServer();
console.log(`page: ${await servedSize(bare.url)} bytes, each file by gzip -9 (at most 122880, aim 92160)`);
await bare.stop();
const browser = await launch();
try {
  const { starts, choices, moves } = await clicks(browser);
  print('command to page', starts);
  print('click to drawn targets', choices, 'at most 50, aim 16');
  print('click to drawn move', moves, 'at most 50, aim 16');
  const server = await startServer();
  const { load, steps } = await longGame(browser, server, 400);
  await server.stop();
  print('record of 400 moves loaded and drawn', [load], 'at most 400, aim 200');
  print('a step back in it', steps, 'at most 100, aim 30');
  const { before, open, over } = await manyGames(browser, games);
  const mb = ({ kilobytes }) => `${(kilobytes / 1024).toFixed(0)} MB`;
  console.log(`server: ${mb(before)} at the start; with ${games} open games ${mb(open)} (30 games: at most 40) and ${open.engines} engines; once all are over ${mb(over)} and ${over.engines} engines (at most 0)`);
} finally {
  await browser.close();
}
