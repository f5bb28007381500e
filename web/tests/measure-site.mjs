// Prints how long a first visit takes until Barca can be played, and what goes over the wire till
// then: node web/tests/measure-site.mjs
// PARLOR_WEB: the folder of web/build.

import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { FOLDER } from './engine.mjs';
import { launch, TYPES } from './page.mjs';

const RUNS = 7;
const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** Every file as it goes over the wire. */
const packed = new Map(readdirSync(FOLDER)
  .filter((name) => path.extname(name) && name !== 'npm')
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
const [waits, bytes] = [[], []];
// The first run is of a browser that has just started.
for (let run = 0; run <= RUNS; run += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  sent = 0;
  const began = performance.now();
  await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: 'commit' });
  await page.locator('[data-game="barca"] .play-now').click();
  await page.locator('#board .hit.able').first().waitFor({ state: 'attached' });
  if (run > 0) {
    waits.push(performance.now() - began);
    bytes.push(sent);
  }
  await context.close();
}
console.log(`first visit to a playable board of Barca: median ${Math.round(median(waits))} ms, most ${Math.round(Math.max(...waits))} ms, ${Math.round(median(bytes) / 1000)} KB`);
await browser.close();
server.close();
