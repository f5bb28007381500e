// The engines of web pages in Node: they play as the programs do, stop when they are told, and outlive
// a trap.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GAMES, Program, SIGNATURES, WebEngine } from './engine.mjs';
import { TRAPPING } from './trapping.mjs';

/** Searches that are compared: options, position, limits. */
const SEARCHES = {
  barca: ['', 'startpos moves e2e4 e9e6', 'depth 9'],
  barbarossa: ['setoption name Words value free', 'startpos', 'depth 2'],
  'chowka-bhara': ['', 'startpos moves t4 t1', 'depth 2'],
  pacru: ['', 'startpos', 'depth 4'],
  porrika: ['', 'startpos moves EGGEG.G.', 'depth 7'],
  shacru: ['', 'startpos', 'depth 6'],
  azacru: ['', 'startpos', 'depth 6'],
};

/** A line of a search without what depends on time. */
const timeless = (line) => line.replace(/ (nps|time|hashfull) \d+/g, '');

for (const game of GAMES) {
  test(`bench of ${game} has the signature on record`, { timeout: 300_000 }, async () => {
    const engine = new WebEngine(game);
    const lines = await engine.ask('bench', / nps$/);
    assert.equal(lines.at(-1).split(' ')[0], SIGNATURES[game]);
    await engine.end();
  });

  test(`${game} searches as its program does`, { timeout: 300_000 }, async () => {
    const [options, position, limits] = SEARCHES[game];
    const told = [];
    for (const engine of [new WebEngine(game), new Program(game)]) {
      // A page has less memory.
      for (const line of ['setoption name Hash value 16', options]) engine.send(line);
      engine.send(`position ${position}`);
      engine.send('query fen');
      const lines = await engine.ask(`go ${limits}`, /^bestmove/);
      told.push(lines.map(timeless));
      await engine.end();
    }
    assert.deepEqual(told[0], told[1]);
    assert.match(told[0].at(-2), /^info depth [1-9]/);
  });
}

for (const shared of [true, false]) {
  const how = shared ? 'with shared memory' : 'without shared memory';

  test(`${how} a search is stopped, and the engine stands where it stood`, async () => {
    const engine = new WebEngine('barca', { shared });
    engine.send('setoption name MaxPlies value 60');
    engine.send('position startpos moves e2e4');
    engine.send('moves e9e6');
    engine.send('setoption name MaxPlies value 50');
    engine.send('go infinite');
    await engine.until(/^info depth 8 .* pv /);
    const lines = await engine.ask('stop', /^bestmove/);
    const best = lines.at(-1).split(' ')[1];
    assert.deepEqual(await engine.ask('query turn', /^response/), ['response p1']);
    assert.deepEqual(await engine.ask(`query islegal ${best}`, /^response/), ['response true']);
    // The rule that was set last holds from the next position on.
    assert.match((await engine.ask('query rules', /^response/)).at(-1), /MaxPlies=60( |$)/);
    engine.send('position startpos');
    assert.match((await engine.ask('query rules', /^response/)).at(-1), /MaxPlies=50( |$)/);
    await engine.end();
  });

  test(`${how} any line ends an unlimited search, and lines keep their order`, async () => {
    const engine = new WebEngine('barca', { shared });
    engine.send('position startpos');
    for (const line of ['go infinite', 'query turn', 'go infinite', 'go depth 3', 'isready', 'stop']) {
      engine.send(line);
    }
    const order = [];
    for (let wanted = 5; wanted > 0; wanted -= 1) {
      const lines = await engine.until(/^(bestmove|response|readyok)/);
      order.push(lines.at(-1).split(' ')[0]);
    }
    // `isready` is answered as soon as it comes.
    assert.deepEqual(order.filter((word) => word !== 'readyok'),
      ['bestmove', 'response', 'bestmove', 'bestmove']);
    await engine.end();
  });

  test(`${how} isready is answered while a search runs`, async () => {
    const engine = new WebEngine('barca', { shared });
    engine.send('go infinite');
    await engine.until(/ pv /);
    const lines = await engine.ask('isready', /^readyok/);
    assert.ok(!lines.some((line) => line.startsWith('bestmove')));
    await engine.ask('stop', /^bestmove/);
    await engine.end();
  });

  test(`${how} ponderhit starts the clock`, async () => {
    const engine = new WebEngine('barca', { shared });
    engine.send('uci');
    engine.send('position startpos moves e2e4');
    engine.send('go ponder movetime 100');
    await engine.until(/^info depth 9 .* pv /);
    const lines = await engine.ask('ponderhit', /^bestmove/);
    assert.match(lines.at(-1), /^bestmove \S+ ponder \S+$/);
    await engine.end();
  });

  test(`${how} bench is stopped, and quit ends the worker after its answer`, async () => {
    const engine = new WebEngine('barca', { shared });
    engine.send('bench 30');
    await engine.ask('stop', /^info string bench was stopped/);
    engine.send('go infinite');
    await engine.until(/ pv /);
    await engine.ask('quit', /^bestmove/);
    assert.equal(await engine.ended, 0);
  });
}

test('a search that ended before its stop came keeps its answer back', async () => {
  const engine = new WebEngine('barca');
  engine.send('position startpos');
  engine.send('go infinite depth 2');
  await engine.until(/^info depth 2 /);
  await engine.ask('isready', /^readyok/);
  await engine.ask('stop', /^bestmove/);
  await engine.end();
});

test('lines that are no lines of the protocol are refused as the program does', async () => {
  const answers = [];
  for (const engine of [new WebEngine('barca'), new Program('barca')]) {
    const lines = [];
    for (const line of [
      'position startpos moves e2e9', 'query fen', 'query nothing', 'go depth x', 'setoption name MaxPlies',
      'position fen \u00e9', 'query turn \u0000', 'd', 'help query',
    ]) {
      engine.send(line);
      // Unlike isready it waits for its turn.
      lines.push(...await engine.ask('help isready', /^ +answered by readyok/));
    }
    answers.push(lines);
    await engine.end();
  }
  assert.deepEqual(answers[0], answers[1]);
  const long = new WebEngine('barca');
  assert.match((await long.ask('x'.repeat(2 << 20) + ' isready', /error/)).at(-1), /too-long/);
  await long.end();
});

test('an engine that traps says so, answers, and is started anew', async () => {
  const module = await WebAssembly.compile(TRAPPING);
  const engine = new WebEngine('barca', { module });
  await engine.ask('isready', /^readyok/);
  const lines = await engine.ask('go depth 1', /^bestmove/);
  assert.match(lines[0], /^info string error internal .*unreachable/);
  assert.equal(lines.at(-1), 'bestmove 0000');
  await engine.ask('isready', /^readyok/);
  await engine.end();
});

test('a module that cannot be loaded is told', async () => {
  const engine = new WebEngine('barca', { module: 'nothing' });
  assert.match((await engine.ask('isready', /error/)).at(-1), /^info string error internal/);
  await engine.end();
});
