// Prints figures of the engines in web pages: node web/tests/measure.mjs
// PARLOR_WEB: the folder of web/build; PARLOR_PROGRAMS: that of release programs, to compare with.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { FOLDER, GAMES, Program, WebEngine } from './engine.mjs';
import { engineIn, launch, serve, tabMemory } from './page.mjs';

const RUNS = 7;
const MILLISECONDS = 1000;

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** Bytes of a module, and of what goes over the wire. */
function sizes(name) {
  const bytes = readFileSync(path.join(FOLDER, `${name}.wasm`));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return [bytes.length, brotliCompressSync(bytes, { params }).length];
}

/** Nodes a second of a search of the first position of the game with a decision. */
async function speed(engine, game) {
  for (const line of ['Hash value 16', 'Portable value true']) engine.send(`setoption name ${line}`);
  engine.send(`position startpos${game === 'chowka-bhara' ? ' moves t4 t1' : ''}`);
  const lines = await engine.ask(`go movetime ${MILLISECONDS}`, /^bestmove/);
  await engine.end();
  const { nodes, time } = /^info .*?nodes (?<nodes>\d+).* time (?<time>\d+)/.exec(lines.at(-2)).groups;
  return (1000 * nodes) / time;
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`;

for (const name of [...GAMES, 'table', 'household']) {
  console.log(`${name}: ${sizes(name).map(kilobytes).join(', brotli ')}`);
}

for (const game of GAMES.filter((game) => game !== 'barbarossa')) {
  const found = { page: [], program: [] };
  for (let run = 0; run < RUNS; run += 1) {
    found.page.push(await speed(new WebEngine(game), game));
    found.program.push(await speed(new Program(game), game));
  }
  const [page, program] = [median(found.page), median(found.program)];
  console.log(`${game}: ${Math.round(page / 1000)} k nodes/s, program ${Math.round(program / 1000)}, ratio ${(page / program).toFixed(2)}`);
}

const pages = { '/': '<!doctype html><title>measured</title>' };
const browser = await launch();
for (const isolated of [false, true]) {
  const host = await serve({ isolated, pages });
  const page = await browser.newPage();
  await page.goto(host.address);
  const engine = await engineIn(page, 'barca.js');
  await engine.ask('isready', /^readyok/);
  const waits = [], next = [];
  for (let run = 0; run < 2 * RUNS; run += 1) {
    await engine.ask(['position startpos moves e2e4', 'go infinite'], /^info depth 10 .* pv /);
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    const [wait, ready] = await page.evaluate(async () => {
      const [{ worker, lines }] = engines;
      const until = (start, line) => new Promise((resolve) => {
        const began = performance.now();
        worker.onmessage = ({ data }) => data.startsWith(start) && resolve(performance.now() - began);
        worker.postMessage(line);
      });
      const times = [await until('bestmove', 'stop'), await until('response', 'query turn')];
      worker.onmessage = ({ data }) => { lines.push(data); engines[0].wake(); };
      lines.length = 0;
      return times;
    });
    waits.push(wait);
    next.push(ready);
  }
  const most = Math.max(...waits).toFixed(1);
  console.log(`stop to bestmove${isolated ? ', isolated' : ''}: median ${median(waits).toFixed(1)} ms, most ${most} ms; then ready again in ${median(next).toFixed(1)} ms`);
  await engine.ask('go infinite', /^info depth 18 .* pv /);
  console.log(`memory of the tab while Barca thinks, Hash 16: ${await tabMemory(browser)} MB`);
  await page.close();
  host.close();
}
await browser.close();
