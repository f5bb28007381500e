// Prints figures of the site, and fails where one is above its floor: how long a first visit takes until
// Barca can be played, what goes over the wire till then, how fast an engine stops, what the tab takes
// while it thinks, how many lines the site is: node web/tests/measure-site.mjs
// PARLOR_WEB: the folder of web/build.

import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { FOLDER } from './engine.mjs';
import { launch, tabMemory, TYPES } from './page.mjs';

const RUNS = 7;
const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** Prints a figure, and complains of one above its floor. */
function tell(what, value, unit, floor, more = '') {
  const isAbove = value > floor;
  console.log(`${what}: ${value} ${unit}${more}${isAbove ? `, ABOVE ${floor}` : ''}`);
  if (isAbove) process.exitCode = 1;
}

/** Every file as it goes over the wire. */
const packed = new Map(readdirSync(FOLDER, { recursive: true })
  .filter((name) => path.extname(name) && !name.startsWith('npm'))
  .map((name) => [`/${name}`, brotliCompressSync(readFileSync(path.join(FOLDER, name)))]));
let sent = 0;
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const name = pathname === '/' ? '/index.html' : pathname;
  const body = packed.get(name);
  sent += body?.length ?? 0;
  const type = TYPES[path.extname(name)] ?? 'text/plain';
  response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-encoding': 'br' }).end(body);
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const browser = await launch();

/** A board of Barca in a browser that was never there. */
async function visit() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: 'commit' });
  await page.locator('[data-game="barca"] .play-now').click();
  await page.locator('#board .hit.able').first().waitFor({ state: 'attached' });
  return page;
}

const [waits, bytes] = [[], []];
// The first run is of a browser that has just started.
for (let run = 0; run <= RUNS; run += 1) {
  sent = 0;
  const began = performance.now();
  const page = await visit();
  if (run > 0) {
    waits.push(performance.now() - began);
    bytes.push(sent);
  }
  await page.context().close();
}
tell('first visit to a playable board of Barca', Math.round(median(waits)), 'ms', 1500, `, most ${Math.round(Math.max(...waits))}`);
tell('over the wire till then, brotli', Math.round(median(bytes) / 1000), 'KB', 700);

const page = await visit();
const board = page.workers().find((worker) => worker.url().endsWith('household.js'));
await board.evaluate(() => {
  /* global WISHES, happen */
  const [wish, hear] = [WISHES.tell, happen];
  self.waits = [];
  let asked = 0;
  WISHES.tell = (engine, lines) => {
    if (lines.startsWith('stop')) asked = performance.now();
    wish(engine, lines);
  };
  self.happen = (what, whom, text) => {
    if (what === 'hear' && text.startsWith('bestmove') && asked) {
      self.waits.push(performance.now() - asked);
      asked = 0;
    }
    hear(what, whom, text);
  };
});
const memory = [];
for (let run = 0; run < RUNS; run += 1) {
  await page.locator('#analyse').click();
  await page.waitForTimeout(2000);
  memory.push(await tabMemory(browser));
  await page.locator('#analyse').click();
  await page.waitForTimeout(500);
}
const stops = await board.evaluate(() => self.waits);
if (stops.length !== RUNS) throw new Error(`${stops.length} of ${RUNS} searches were stopped`);
tell('stop to bestmove', Math.ceil(Math.max(...stops)), 'ms', 100, ` at most, median ${median(stops).toFixed(1)}`);
// Each analysis has a new engine; the browser takes its time to collect what the old ones had.
tell('the tab while Barca thinks, Hash 16', memory[0], 'MB', 120, `, ${memory.at(-1)} in the analysis number ${RUNS}`);

/** Lines of code, neither blank nor comment alone, of the files in these folders. */
function lines(ending, ...folders) {
  const files = folders.map((folder) => path.join(import.meta.dirname, '../..', folder)).flatMap((place) =>
    (place.endsWith(ending) ? [place] : readdirSync(place).map((name) => path.join(place, name))));
  const texts = files.filter((file) => file.endsWith(ending)).map((file) => readFileSync(file, 'utf8'));
  return texts.join('').split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
}
tell('JavaScript besides the page', lines('.js', 'web', 'web/site', 'web/package'), 'lines', 500);
tell('Rust for pages alone, with its tests', lines('.rs', 'web/src', 'src/runner/board/household.rs', 'src/runner/board/household', 'src/runner/process/inside.rs'), 'lines', 1200);
await browser.close();
server.close();
