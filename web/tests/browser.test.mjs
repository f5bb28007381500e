// The engines in a real Chromium, over a host of static files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { GAMES, SIGNATURES } from './engine.mjs';
import { engineIn, launch, serve } from './page.mjs';

const example = readFileSync(path.join(import.meta.dirname, '../package/example.html'), 'utf8')
  .replaceAll('GAME', 'barca');
const pages = { '/': '<!doctype html><title>engines</title>', '/example.html': example };

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the empty page of a new host; both are closed after the test. */
async function open(context, isolated) {
  const host = await serve({ isolated, pages });
  const page = await browser.newPage();
  context.after(async () => {
    await page.close();
    host.close();
  });
  await page.goto(host.address);
  return { page, host };
}

test('bench of every game has the signature on record in the browser', { timeout: 300_000 }, async (t) => {
  const { page } = await open(t, false);
  for (const game of GAMES) {
    const engine = await engineIn(page, `${game}.js`);
    const lines = await engine.ask('bench', / nps$/);
    assert.equal(lines.at(-1).split(' ')[0], SIGNATURES[game], game);
    await engine.end();
  }
});

for (const isolated of [false, true]) {
  const how = isolated ? 'cross-origin isolated' : 'plain';

  test(`in a ${how} page a search is stopped and the next one answers`, async (t) => {
    const { page } = await open(t, isolated);
    assert.equal(await page.evaluate(() => crossOriginIsolated), isolated);
    const engine = await engineIn(page, 'barca.js');
    await engine.ask(['position startpos moves e2e4', 'go infinite'], /^info depth 9 .* pv /);
    const best = (await engine.ask('stop', /^bestmove/)).at(-1).split(' ')[1];
    const line = [`query islegal ${best}`, `moves ${best}`, 'query turn'];
    assert.deepEqual(await engine.ask(line, /^response p/), ['response true', 'response p1']);
    await engine.ask('go depth 5', /^bestmove/);
  });

  test(`in a ${how} page any game is stopped before its first line`, async (t) => {
    const { page } = await open(t, isolated);
    for (const game of GAMES.filter((game) => game !== 'barbarossa')) {
      const engine = await engineIn(page, `${game}.js`);
      const lines = await engine.ask(['go infinite', 'stop'], /^bestmove/);
      assert.doesNotMatch(lines.at(-1), /0000/, game);
      await engine.end();
    }
  });
}

test('two tabs think at the same time', async (t) => {
  const [one, other] = [await open(t, false), await open(t, false)];
  const engines = [await engineIn(one.page, 'barca.js'), await engineIn(other.page, 'barca.js')];
  const answers = await Promise.all(engines.map((engine) => engine.ask('go nodes 100000', /^bestmove/)));
  assert.equal(answers[0].at(-1), answers[1].at(-1));
});

test('a page without the module is told so', async (t) => {
  const { page } = await open(t, false);
  const engine = await engineIn(page, 'barca.js#missing.wasm');
  assert.match((await engine.ask('isready', /error/)).at(-1), /missing\.wasm: 404/);
});

test('the referees of the games but Barbarossa answer from one module', async (t) => {
  const { page } = await open(t, false);
  for (const game of GAMES.filter((game) => game !== 'barbarossa')) {
    const [table, engine] = [await engineIn(page, `table.js?${game}`), await engineIn(page, `${game}.js`)];
    const lines = ['position startpos', 'query table', 'query board', 'query step', 'query legalmoves', 'query rules', 'd', 'isready'];
    assert.deepEqual(await table.ask(lines, /^readyok/), await engine.ask(lines, /^readyok/), game);
    await Promise.all([table.end(), engine.end()]);
  }
});

test('the example of the package shows a move', async (t) => {
  const { page, host } = await open(t, false);
  await page.goto(`${host.address}/example.html`);
  await page.waitForFunction(() => document.querySelector('output').value.startsWith('bestmove'));
});
