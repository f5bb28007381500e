// The parts of the page that need no game: they are modules of the page itself, run in the browser.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import ts from 'typescript';
import { browser, server } from './both.mjs';
import { GAMES, openPage, pageFolder, served, until, latest } from './harness.mjs';

let page;
before(async () => {
  page = await openPage(browser, server.url);
});

for (const game of GAMES) {
  test(`${game}: the arrow keys reach every cell from every cell`, async () => {
    const about = await until(page, `${game} is described`, () => latest(page, 'about', (message) => message.menu === game));
    const reached = await page.evaluate(async (table) => {
      const { ARROWS, neighbour } = await import('./geometry.js');
      const all = table.cells.map((cell) => [cell.id, cell.at]);
      const place = new Map(all);
      const count = (start) => {
        const seen = new Set([start]);
        for (const id of seen) {
          for (const direction of Object.values(ARROWS)) {
            const next = neighbour(place.get(id), direction, all.filter(([other]) => other !== id));
            if (next) seen.add(next);
          }
        }
        return seen.size;
      };
      return all.map(([id]) => count(id));
    }, about.table);
    assert.ok(reached.length >= 25);
    assert.deepEqual(reached, reached.map(() => about.table.cells.length));
  });
}

test('an arrow key prefers what lies straight ahead', async () => {
  const found = await page.evaluate(async () => {
    const { neighbour } = await import('./geometry.js');
    const places = [['near', [1, 0.9]], ['ahead', [1.2, 0]], ['behind', [-1, 0]]];
    return [neighbour([0, 0], [1, 0], places), neighbour([0, 0], [-1, 0], places), neighbour([0, 0], [0, -1], places)];
  });
  assert.deepEqual(found, ['ahead', 'behind', null]);
});

test('a board turned by half a turn has its corners exchanged', async () => {
  const places = await page.evaluate(async () => {
    const { turned } = await import('./geometry.js');
    return [turned([4, 6], 180).at([1, 1]), turned([4, 6], 90).at([0, 0]), turned([4, 6], 90).size];
  });
  assert.deepEqual(places, [[3, 5], [6, 0], [6, 4]]);
});

test('shared edges are no part of an outline', async () => {
  const edges = await page.evaluate(async () => {
    const { outline } = await import('./geometry.js');
    const square = (x) => [[x, 0], [x + 1, 0], [x + 1, 1], [x, 1]];
    return outline([square(0), square(1)]).length;
  });
  assert.equal(edges, 6);
});

test('two boards are compared as moves, captures and turns', async () => {
  const change = await page.evaluate(async () => {
    const { difference } = await import('./difference.js');
    const places = { a: [0, 0], b: [1, 0], c: [2, 0], d: [9, 0] };
    const place = (cell) => places[cell];
    const piece = (cell, symbol, seat, more = {}) => ({ cell, symbol, seat, ...more });
    return {
      nearest: difference([piece('a', 'P', 1), piece('c', 'P', 1)], [piece('b', 'P', 1), piece('d', 'P', 1)], place).moved.map(({ from, to }) => [from, to]),
      told: difference([piece('a', 'P', 1), piece('c', 'P', 1)], [piece('b', 'P', 1), piece('d', 'P', 1)], place, ['a', 'd']).moved.map(({ from, to }) => [from, to]),
      captured: difference([piece('a', 'P', 1), piece('b', 'Q', 2)], [piece('b', 'P', 1)], place),
      counted: difference([piece('a', 'P', 1, { count: 4 })], [piece('a', 'P', 1, { count: 3 }), piece('c', 'P', 1)], place).moved.map(({ from, to }) => [from, to]),
      turned: difference([piece('a', 'C', 1, { turn: 0 })], [piece('a', 'C', 1, { turn: 45 })], place).moved.length,
    };
  });
  assert.deepEqual(change.nearest.sort(), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(change.told.sort(), [['a', 'd'], ['c', 'b']]);
  assert.deepEqual(change.captured.went.map(({ cell, symbol }) => [cell, symbol]), [['b', 'Q']]);
  assert.deepEqual(change.counted, [['a', 'c']]);
  assert.equal(change.turned, 1);
});

test('a half-entered move is shown', async () => {
  const board = await page.evaluate(async () => {
    const { preview } = await import('./difference.js');
    const before = { v: 1, turn: 'p1', pieces: [{ cell: 'a', symbol: 'P', seat: 1, count: 2 }, { cell: 'b', symbol: 'P', seat: 2 }], marks: [{ cell: 'a', kind: 'm', seat: 1 }], dice: { of: 'die', values: [3, 1], left: [3, 1] } };
    const after = preview(before, [{ move: ['a', 'b'], symbol: 'P', seat: 1 }, { remove: 'b', symbol: 'P', seat: 2 }, { add: 'c', mark: 'm', seat: 1 }, { remove: 'a', mark: 'm', seat: 1 }, { dice: [1] }]);
    return { after, before };
  });
  assert.deepEqual(board.after.pieces.map(({ cell, seat, count }) => [cell, seat, count ?? 1]), [['a', 1, 1], ['b', 1, 1]]);
  assert.deepEqual(board.after.marks, [{ cell: 'c', kind: 'm', seat: 1 }]);
  assert.deepEqual(board.after.dice.left, [1]);
  assert.equal(board.before.pieces[0].count, 2, 'the board before is left as it was');
});

test('Markdown becomes elements, and markup in it stays text', async () => {
  const found = await page.evaluate(async () => {
    const { markdown } = await import('./markdown.js');
    const place = document.createElement('div');
    place.append(markdown('# Title\n\nA **bold** <b>word</b>\n\n- one\n- two\n  more\n\n1. first\n\n| a | b |\n|---|---|\n| 1 | `<i>` |\n\n```\n# no title\n```\n\n![x](javascript:alert(1)) [text](javascript:alert(1))'));
    return { tags: [...place.querySelectorAll('*')].map((element) => element.tagName), text: place.textContent, items: [...place.querySelectorAll('ul li')].map((item) => item.textContent) };
  });
  for (const tag of ['H2', 'STRONG', 'UL', 'OL', 'TABLE', 'PRE']) assert.ok(found.tags.includes(tag), tag);
  for (const tag of ['B', 'I', 'A', 'IMG', 'SCRIPT']) assert.ok(!found.tags.includes(tag), tag);
  assert.ok(found.text.includes('<b>word</b>'));
  assert.deepEqual(found.items, ['one', 'two more']);
});

test('clocks, scores, escapes and pasted positions are written as they should be', async () => {
  const found = await page.evaluate(async () => {
    const [{ clockText }, { scoreText }, { percent }, { startText }] = await Promise.all(['./seats.js', './analysis.js', './move-input.js', './newgame.js'].map((name) => import(name)));
    return [
      [clockText(0), clockText(9_450), clockText(65_000), clockText(3_723_000)],
      [scoreText({ cp: 34 }), scoreText({ cp: -250 }), scoreText({ mate: 3 }), scoreText({ mate: -2 })],
      [percent(' is it Éa_9? ')],
      ['startpos', 'fen x w', 'position  startpos moves a', ' 10/10 w '].map(startText),
    ];
  });
  assert.deepEqual(found, [
    ['0:00.0', '0:09.4', '1:05', '1:02:03'],
    ['+0.3', '−2.5', '#3', '−#2'],
    ['is%20it%20%C3%89a_9%3F'],
    ['startpos', 'fen x w', 'startpos moves a', 'fen 10/10 w'],
  ]);
});

test('the tree of a game has its main line and its variations', async () => {
  const found = await page.evaluate(async () => {
    const { Tree } = await import('./store.js');
    const tree = new Tree();
    const node = (number, parent) => ({ node: number, parent, ply: 0 });
    tree.update({ reset: true, nodes: [node(0, null), node(1, 0), node(2, 1), node(3, 0), node(4, 3)] });
    const lines = [tree.line(0), tree.line(3)].map((line) => line.map((entry) => entry.node));
    tree.update({ nodes: [node(5, 2)] });
    const changed = [tree.line(0).map((entry) => entry.node), tree.children(0)];
    tree.update({ nodes: [node(6, 0)] });
    tree.follow(6);
    return [...lines, ...changed, tree.children(0)];
  });
  // After a move was taken back, what is played then is the main line.
  assert.deepEqual(found, [[0, 1, 2], [0, 3, 4], [0, 1, 2, 5], [1, 3], [6, 1, 3]]);
});

test('what is served is the code without its comments, and nothing else', async () => {
  const printed = (text) => ts.transpileModule(text, { compilerOptions: { target: 'esnext', module: 'esnext', removeComments: true } }).outputText;
  for (const name of readdirSync(pageFolder).filter((name) => name.endsWith('.js'))) {
    const text = String(await served(server.url, name));
    assert.equal(printed(text), printed(readFileSync(path.join(pageFolder, name), 'utf8')), name);
    assert.doesNotMatch(text, /\/\*\*|@param/, name);
  }
});

test('the page did nothing wrong', () => assert.deepEqual(page.problems, []));

test('sentences of an engine name the seats', async () => {
  const texts = await page.evaluate(async () => {
    const { named } = await import('./names.js');
    const table = { seats: [{ seat: 'p1', name: 'Copper' }, { seat: 'p2', name: 'Silver' }] };
    return ['p1 models a1.', 'arrow p2', 'p3, up1 and p12 stay'].map((text) => named(table, text));
  });
  assert.deepEqual(texts, ['Copper models a1.', 'arrow Silver', 'p3, up1 and p12 stay']);
});
