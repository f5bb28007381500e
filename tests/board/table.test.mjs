// What happens round a game: reload, undo, set-up, analysis, replay, secrets, faults, and whether
// everybody can use the page.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { GAMES, cell, clickCells, clickSomething, closeGame, keepPicture, latest, newGame, offers, openImport, openPage, press, programs, random, resign, startServer, until, untilSeen, violations } from './harness.mjs';

/** A position of Barca in which one of two lions is afraid and can escape, the other is trapped. */
const AFRAID = 'fen 10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b';

test('a pasted position; names of cells; why a piece may not move; undo of a step', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['random', 'here'], start: AFRAID });
  const name = (id) => page.locator(cell(id)).getAttribute('aria-label');
  assert.equal(await name('a3'), 'a3, black lion, afraid, can move');
  assert.equal(await name('a4'), 'a4, black lion, afraid and trapped');
  assert.match(await name('d4'), /^d4, watering hole, empty$/);
  assert.equal((await offers(page)).cells.join(' '), 'a3');
  await press(page, cell('a4'));
  await page.locator('.toast.error').waitFor();
  await clickCells(page, 'a3');
  assert.equal(await name('a3'), 'a3, black lion, afraid, selected');
  assert.equal(await name('b2'), 'b2, empty, can go here');
  assert.deepEqual((await offers(page)).cells.sort(), ['b2', 'c1']);
  await press(page, '#undo-step');
  await untilSeen(page, 'the step is taken back', () => document.querySelectorAll('#board .hit.able').length === 1);
  await clickCells(page, 'a3');
  const live = latest(page, 'state').live;
  await press(page, cell('b2'));
  await until(page, 'the move is played', () => latest(page, 'state').live !== live);
  await page.context().close();
});

test('a piece is dragged; the game survives a reload; a move is taken back; the board is flipped', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'random'] });
  const middle = async (id) => {
    const box = await page.locator(cell(id)).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [from, to] = [await middle('e1'), await middle('a1')];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0] - 30, from[1] - 10, { steps: 3 });
  await until(page, 'the piece is asked where it may go', () => latest(page, 'step'));
  await untilSeen(page, 'the targets are marked', () => document.querySelectorAll('#board .target').length > 0);
  assert.equal(await page.locator('#board .ghost').count(), 1, 'the piece is in the hand');
  await page.mouse.move(...to, { steps: 4 });
  await page.mouse.up();
  await until(page, 'both have moved', () => latest(page, 'state').live >= 2 && latest(page, 'position').act === 'p1');
  const pieces = latest(page, 'position').board.pieces;
  assert.ok(pieces.some((piece) => piece.cell === 'a1' && piece.symbol === 'E'));
  const game = latest(page, 'state').game;

  page.heard.length = 0;
  await page.reload();
  await until(page, 'the game is back', () => latest(page, 'position'));
  assert.equal(latest(page, 'state').game, game);
  assert.deepEqual(latest(page, 'position').board.pieces, pieces);
  assert.equal(await page.locator('.move').count(), 3);

  const top = async () => (await page.locator(cell('a10')).boundingBox()).y;
  const before = await top();
  await press(page, '#flip');
  assert.ok((await top()) > before);

  await press(page, '#take-back');
  await until(page, 'the moves are taken back', () => latest(page, 'position').ply === 0 && latest(page, 'position').act === 'p1');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('two pages of one seat agree', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  const other = await openPage(browser, server.url);
  await other.locator(`[data-open="${latest(page, 'state').game}"]`).click();
  await until(other, 'the game is shown', () => latest(other, 'position')?.game === latest(page, 'state').game);
  await clickCells(page, 'e1', 'a1');
  await until(other, 'the other page has heard', () => latest(other, 'position').ply === 1);
  await clickCells(other, 'd9', 'a6');
  for (const each of [page, other]) await until(each, 'both pages have heard', () => latest(each, 'position').ply === 2);
  assert.deepEqual(latest(page, 'position').board, latest(other, 'position').board);
  await Promise.all([page.context().close(), other.context().close()]);
});

test('a move is typed, resigned, and a rematch changes seats', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await page.locator('#token').fill('e1a1');
  await page.keyboard.press('Enter');
  await until(page, 'the typed move is played', () => latest(page, 'position').ply === 1);
  await page.locator('#token').fill('nonsense');
  await page.keyboard.press('Enter');
  // What is wrong is said in a sentence, not by a code.
  assert.match(await page.locator('.toast.error').textContent(), /^[A-Z][^:]*'nonsense'/);
  await resign(page);
  // From an earlier position play goes on, and can be given up once more.
  await press(page, '.move');
  await press(page, '#play-on');
  await until(page, 'play goes on', () => latest(page, 'state').phase === 'play' && latest(page, 'position').ply === 0);
  await resign(page);
  const game = latest(page, 'state').game;
  await press(page, '#rematch');
  await until(page, 'the rematch begins', () => latest(page, 'state').phase === 'play' && (latest(page, 'state').round === 2 || latest(page, 'state').game !== game));
  await page.context().close();
});

test('a script in a name or a move stays text', async () => {
  const page = await openPage(browser, server.url);
  const script = '<img src=x onerror=document.title=1>';
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await press(page, '#rename');
  await page.locator('dialog input').first().fill(script);
  await page.locator('dialog .primary').click();
  await page.locator('.who', { hasText: script }).waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.locator('#token').fill('<script>alert(1)</script>');
  await page.keyboard.press('Enter');
  await page.locator('.toast.error').waitFor();
  assert.equal(await page.locator('img[src="x"], body script').count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('clocks run', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'random'], clock: '60+1' });
  const first = await page.locator('.clock[data-seat="p1"]').textContent();
  await untilSeen(page, 'the clock runs', (text) => document.querySelector('.clock[data-seat="p1"]').textContent !== text, first);
  assert.match(first, /^(1:00|0?0?0?:?59)/);
  await page.context().close();
});

test('analysis: lines, arrows and the bar; a variation; back to the game', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'it is played', () => latest(page, 'position').ply === 1);
  // A hint gives way to the analysis.
  await press(page, '#hint');
  await page.locator('.lines[aria-label="Hint"] li').waitFor();
  await press(page, '#analyse');
  await page.locator('.lines[aria-label="Lines of analysis"] li').nth(2).waitFor();
  await page.locator('#board .arrow').first().waitFor();
  // Whoever presses a button while the list changes still presses it.
  const button = await page.locator('#analyse').elementHandle();
  const heard = page.heard.length;
  await until(page, 'the lines change', () => page.heard.slice(heard).filter(({ type }) => type === 'analysis').length > 2);
  assert.ok(await button.evaluate((element) => element.isConnected));
  assert.match(await page.locator('#bar').getAttribute('aria-label'), /White \d+ %/);
  await keepPicture(page, 'analysis');
  assert.deepEqual(await violations(page), []);
  await press(page, '#analyse');
  await press(page, '.move');
  await until(page, 'the start is shown', () => latest(page, 'position').node === 0);
  await page.locator('#go-live').click();
  await until(page, 'the game is shown', () => latest(page, 'position').ply === 1);
  // What is decided is not even.
  await resign(page);
  const { places } = latest(page, 'state').result;
  await press(page, '#analyse');
  await untilSeen(page, 'the bar is full', (label) => document.querySelector('#bar').getAttribute('aria-label') === label, `Evaluation: White ${places[0] === 1 ? 100 : 0} %, Black ${places[1] === 1 ? 100 : 0} %`);
  await page.context().close();
});

test('a record of a match is stepped through', async () => {
  const file = path.join(server.data, 'match.jsonl');
  const player = (name) => `cmd=${path.join(programs, 'barca')} name=${name} option.Player=random`;
  execFileSync(path.join(programs, 'parlor'), ['match', player('one'), player('two'), '--games', '2', '--records', file, '--rule', 'MaxPlies=12'], { stdio: 'pipe' });
  const replayed = await startServer(['--replay', file]);
  try {
    const page = await openPage(browser, replayed.url);
    await page.locator('#open-records').click();
    await page.locator('.record').first().click();
    await until(page, 'the game is loaded', () => latest(page, 'position') && latest(page, 'tree')?.nodes.length > 1);
    await press(page, '#go-first');
    await until(page, 'the start is shown', () => latest(page, 'position').ply === 0);
    // The file is what was played before.
    await page.locator('#explorer summary').click();
    await page.locator('#explorer p', { hasText: '2 of match.jsonl' }).waitFor();
    const counts = await page.locator('#explorer td:nth-child(2)').allTextContents();
    assert.equal(counts.reduce((sum, count) => sum + Number(count), 0), 2);
    for (let ply = 1; ply <= 4; ply++) {
      await press(page, '#go-on');
      await until(page, `position ${ply} is shown`, () => latest(page, 'position').ply === ply);
    }
    await press(page, '#go-last');
    await until(page, 'the end is shown', () => latest(page, 'position').ply > 4);
    await keepPicture(page, 'replay');
    assert.deepEqual(await page.locator('.who').allTextContents(), ['one', 'two']);
    assert.equal(latest(page, 'state').menu, 'barca');
    // Clicks at an earlier position make a variation.
    await press(page, '#go-first');
    await until(page, 'the start is shown', () => latest(page, 'position').ply === 0);
    const played = latest(page, 'tree', (message) => message.reset).nodes.find((node) => node.ply === 1).token;
    await clickCells(page, 'e1', played === 'e1c1' ? 'b1' : 'c1');
    await page.locator('.variation .move').waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    await replayed.stop();
  }
});

test('a pasted list of moves becomes a game to look at', async () => {
  const page = await openPage(browser, server.url);
  await page.locator('#open-import').click();
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('dialog textarea').fill('e1a1 d9a6 <script>');
  await page.locator('#import').click();
  await page.locator('.toast.error').waitFor();
  // An error is above the dialog, and short.
  await page.locator('dialog textarea').fill(`"${'x'.repeat(50_000)}`);
  await page.locator('#import').click();
  await untilSeen(page, 'the error is cut', () => [...document.querySelectorAll('.toast')].some((toast) => toast.textContent.endsWith(' …') && toast.textContent.length < 400));
  assert.ok(await page.evaluate(() => document.querySelector('#toasts').matches(':popover-open')));
  await page.locator('dialog textarea').evaluate((area) => { area.value = 'x'.repeat(2_000_000); });
  const heard = page.heard.length;
  await page.locator('#import').click();
  await until(page, 'two megabytes are refused', () => page.heard.slice(heard).some(({ type }) => type === 'error'));
  assert.ok(await page.evaluate(() => [...document.querySelectorAll('.toast')].every((toast) => toast.textContent.length < 400)));
  // Of a file with several games one is chosen.
  const line = (game, token) => JSON.stringify({ game, seating: ['one', 'two'], start: 'startpos', moves: [{ token, seat: 1 }] });
  const tokens = ['e1a1', 'e1b1', 'e1c1', 'e1d1', 'f1g1', 'f1h1'];
  await page.locator('dialog textarea').fill([JSON.stringify({ parlor: 1 }), ...tokens.map((token, index) => line(index + 1, token))].join('\n'));
  const which = page.locator('dialog [aria-label="Which game"]');
  assert.ok(await which.isVisible());
  assert.deepEqual(await which.locator('option').allTextContents(), tokens.map((_, index) => `${index + 1} – one – two`));
  await which.selectOption({ index: 4 });
  await page.locator('#import').click();
  await until(page, 'the chosen game is loaded', () => latest(page, 'tree')?.nodes.some(({ token }) => token === 'f1g1'));
  assert.ok(!page.raw.some((text) => text.includes('"token":"e1a1"')));
  await openImport(page, 'position startpos moves e1a1 d9a6');
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'tree')?.nodes.length >= 3);
  // Every move says who made it.
  await untilSeen(page, 'the seats are at their moves', () => [...document.querySelectorAll('.turn')].map((turn) => turn.dataset.seat).join() === 'p1,p2');
  await page.context().close();
});

test('copying works without a secure context', async () => {
  const page = await openPage(browser, server.url);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await newGame(page, 'barca', { players: ['here', 'random'] });
  await press(page, '#copy');
  await page.locator('[data-copy="fen"]').click();
  await page.locator('.toast', { hasText: 'Copied' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-save="svg"]').click()]);
  assert.match(download.suggestedFilename(), /\.svg$/);
  await page.context().close();
});

test('real dice: the person says what they show', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'chowka-bhara', { players: ['here', 'here'], throws: 'real' });
  await press(page, '#entry .choice[data-choice="t4"]');
  await until(page, 'the throw is known', () => latest(page, 'position').board.dice?.values[0] === 4);
  await page.context().close();
});

/**
 * The words that a page was sent, answers about what could be chosen apart: those list the lexicon,
 * which is public. Sentences name what anybody may know, and guesses are said aloud.
 */
function told(page) {
  const texts = [];
  const collect = (value) => {
    if (typeof value === 'string') texts.push(value);
    else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  page.heard.filter(({ type }) => !['step', 'moves', 'table', 'about', 'rules'].includes(type)).forEach(collect);
  return texts.filter((text) => !/[ _]|guess:/.test(text));
}

/** The same of what the page shows: titles of cards, and moves. */
function shown(page) {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll('.card strong, .move, #dice, #turn')].map((element) => element.textContent);
    return texts.filter((text) => !text.includes('guess:'));
  });
}

/** The objects that moves of anybody name as well: a move `letter` tells nothing of a word "letter". */
const TOKEN_WORDS = new Set(('judge deal word show done first roll jewels letter give ask yes no possibly dontknow '
  + 'stop guess again right wrong pass curse random').split(' '));

test('Barbarossa by link: no page receives the word of another seat', async () => {
  const page = await openPage(browser, server.url, { width: 1500, height: 900 });
  await newGame(page, 'barbarossa', { players: ['here', 'link', 'random'] });
  const state = await until(page, 'the link is known', () => latest(page, 'state', (message) => message.seats.some((seat) => seat.link)));
  await page.locator('.talk .warning', { hasText: '--listen' }).waitFor();
  const other = await openPage(browser, state.seats[1].link, { width: 1500, height: 900 });
  await until(other, 'the other seat sees the game', () => latest(other, 'position')?.board);
  assert.equal(latest(other, 'position').view, 'p2');
  const pick = random(17);
  const words = { p1: new Set(), p2: new Set() };
  const end = Date.now() + 14_000;
  // Both choose their words and clay and play on for a while.
  while (Date.now() < end && latest(page, 'state').phase === 'play' && latest(page, 'position').ply < 110) {
    for (const [seat, mine] of [['p1', page], ['p2', other]]) {
      for (const card of latest(mine, 'position').board?.cards ?? []) {
        const secret = card.seat === seat && /^[a-z]{3,}$/.test(card.title);
        if (secret && !TOKEN_WORDS.has(card.title)) words[seat].add(card.title);
      }
      if (latest(mine, 'position').act === seat && latest(mine, 'position').node === latest(mine, 'state').live) {
        await clickSomething(mine, pick, { avoid: (choice) => /^(guess|curse)/.test(choice) });
      }
    }
    await page.waitForTimeout(5);
  }
  assert.ok(words.p1.size >= 3 && words.p2.size >= 3, `words were chosen: ${[...words.p1, ...words.p2]}`);
  await keepPicture(other, 'barbarossa-link');
  for (const [mine, theirs, name] of [[page, words.p2, 'p1'], [other, words.p1, 'p2']]) {
    const found = [...told(mine), ...(await shown(mine))];
    assert.ok(found.length > 200, 'something was told and shown');
    for (const word of theirs) {
      const where = found.filter((text) => new RegExp(`\\b${word}\\b`).test(text));
      assert.deepEqual(where, [], `the page of ${name} has the word ${word} of the other`);
    }
  }
  await Promise.all([page.context().close(), other.context().close()]);
});

test('people who share a screen get a handover screen', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barbarossa', { players: ['here', 'here', 'random'] });
  await page.locator('#show-view').waitFor();
  assert.equal(latest(page, 'position').board, null);
  await press(page, '#show-view');
  await until(page, 'the view is shown', () => latest(page, 'position').board);
  await page.locator('#handover').waitFor({ state: 'hidden' });
  await untilSeen(page, 'the turn is announced', () => document.querySelector('#live').textContent);
  await press(page, '#hide');
  await page.locator('#show-view').waitFor();
  const left = () => ['live', 'toasts', 'entry', 'help', 'note'].map((id) => document.getElementById(id).textContent).join('');
  assert.equal(await page.evaluate(left), '', 'the next person reads what was said');
  assert.equal(await page.locator('#take-back').count(), 0);
  await page.context().close();
});

test('an engine that crashes is named and replaced, and the game goes on', async () => {
  const file = path.join(server.data, 'crash.py');
  writeFileSync(file, `import subprocess, sys, threading
engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=sys.stdout, text=True)
for line in sys.stdin:
    if line.startswith('go'):
        engine.kill()
        sys.exit(3)
    engine.stdin.write(line)
    engine.stdin.flush()
engine.stdin.close()
`);
  const faulty = await startServer(['barca', `cmd="python3 ${file} ${path.join(programs, 'barca')}" name=faulty`]);
  try {
    const page = await openPage(browser, faulty.url);
    await until(page, 'a game is shown', () => latest(page, 'position'));
    await press(page, '#go-new');
    const dialog = page.locator('dialog');
    await dialog.waitFor();
    await dialog.locator('[data-field="kind 1"]').selectOption('engine 1');
    const game = latest(page, 'state').game;
    await dialog.locator('#start').click();
    await until(page, 'the new game begins', () => latest(page, 'state').game !== game && latest(page, 'position').act === 'p1');
    await clickCells(page, 'e1', 'a1');
    await page.locator('.banner.fault').waitFor();
    assert.match(await page.locator('.banner.fault').textContent(), /faulty/i);
    await page.locator('.banner.fault button', { hasText: 'Let barca play' }).click();
    await until(page, 'the engine has moved', () => latest(page, 'position').ply === 2);
    await page.locator('.banner.fault').waitFor({ state: 'detached' });
    await page.context().close();
  } finally {
    await faulty.stop();
  }
});

test('a game is offered again after the server was killed', async () => {
  const first = await startServer();
  const page = await openPage(browser, first.url);
  await newGame(page, 'barca', { players: ['here', 'random'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'both have moved and it is saved', () => latest(page, 'position').ply === 2 && latest(page, 'state').saved);
  await page.context().close();
  await first.kill('SIGKILL');
  const second = await startServer([], { data: first.data });
  try {
    const again = await openPage(browser, second.url);
    await again.locator('button', { hasText: 'Continue' }).first().click();
    await until(again, 'the game goes on', () => latest(again, 'position')?.ply === 2);
    assert.ok(latest(again, 'position').board.pieces.some((piece) => piece.cell === 'a1'));
    await again.context().close();
  } finally {
    await second.stop();
  }
});

test('a page by link comes back by itself when the server has started again', async () => {
  const first = await startServer();
  const page = await openPage(browser, first.url);
  await newGame(page, 'barca', { players: ['link', 'link'] });
  const { link } = latest(page, 'state').seats[0];
  const phone = await openPage(browser, link, { width: 390, height: 800, touch: true, settings: { confirm: 'never' } });
  await until(phone, 'the seat may act', () => latest(phone, 'position')?.act === 'p1');
  await clickCells(phone, 'e1', 'a1');
  await until(page, 'it is played and saved', () => latest(page, 'position').ply === 1 && latest(page, 'state').saved);
  await page.waitForTimeout(300);
  await page.context().close();
  await first.kill('SIGKILL');
  await phone.locator('#connection', { hasText: 'Connecting' }).waitFor();
  phone.heard.length = 0;
  const second = await startServer([], { data: first.data, port: new URL(first.url).port });
  try {
    await until(phone, 'the seat is there again', () => latest(phone, 'position')?.ply === 1, 40_000);
    await untilSeen(phone, 'it says so', () => document.querySelector('#connection').textContent === '' && document.querySelector('#board .piece'));
    await phone.context().close();
  } finally {
    await second.stop();
  }
});

test('open games are named in the list, and closed from it', async () => {
  const own = await startServer();
  try {
    const page = await openPage(browser, own.url);
    await newGame(page, 'barca', { players: ['here', 'random'] });
    const other = await openPage(browser, own.url);
    const row = other.locator('.game-list li').first();
    assert.match(await row.textContent(), /^Barca, you – random, 0 moves /);
    await row.locator('[data-end]').click();
    await row.waitFor({ state: 'detached' });
    await page.locator('#home').waitFor();
    const third = await openPage(browser, own.url);
    await newGame(third, 'barca', { players: ['here', 'here'] });
    await clickCells(third, 'e1', 'a1');
    await until(third, 'it is played', () => latest(third, 'position').ply === 1);
    await third.locator('#go-home').click();
    await third.locator('.game-list li', { hasText: 'Player 1 – Player 2, 1 move ' }).waitFor();
    await third.context().close();
    await Promise.all([page.context().close(), other.context().close()]);
  } finally {
    await own.stop();
  }
});

/** What the system of a person may ask for. */
const LOOKS = {
  light: { scheme: 'light' },
  dark: { scheme: 'dark' },
  contrast: { contrast: true },
  forced: { scheme: 'dark', forced: true },
};
for (const [name, look] of Object.entries(LOOKS)) {
  test(`axe-core finds nothing, ${name}`, async () => {
    const page = await openPage(browser, server.url, { ...look, width: 1366, height: 768 });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme === 'contrast'), name === 'contrast');
    await until(page, 'the games are described', () => page.heard.filter((message) => message.type === 'about').length >= GAMES.length);
    assert.deepEqual(await violations(page), []);
    await keepPicture(page, `home-${name}`);
    for (const game of GAMES) {
      const heard = page.heard.length;
      await page.locator(`[data-game="${game}"] .play-now`).click();
      await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
      await clickSomething(page, random(1));
      await page.waitForTimeout(30);
      assert.deepEqual(await violations(page), [], game);
      await keepPicture(page, `${game}-${name}`);
      await closeGame(page);
    }
    await page.locator('[data-game="chowka-bhara"] .set-up').click();
    await page.locator('dialog').waitFor();
    assert.deepEqual(await violations(page), [], 'new game');
    await keepPicture(page, `new-game-${name}`);
    await page.locator('dialog .close').click();
    await page.locator('#go-settings').click();
    assert.deepEqual(await violations(page), [], 'settings');
    await page.locator('dialog .close').click();
    await page.locator('[data-game="barca"] .play-now').click();
    await page.locator('#go-rules').click();
    await page.locator('dialog .rules').waitFor();
    assert.deepEqual(await violations(page), [], 'rules');
    await keepPicture(page, `rules-${name}`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test('a phone: every target has 24 pixels, nothing is cut off', async () => {
  const page = await openPage(browser, server.url, { width: 360, height: 740, touch: true });
  for (const game of GAMES) {
    await page.locator(`[data-game="${game}"] .play-now`).waitFor();
    const heard = page.heard.length;
    await page.locator(`[data-game="${game}"] .play-now`).tap();
    await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
    await page.waitForTimeout(30);
    assert.deepEqual(await violations(page), [], game);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${game} is ${wide} px wide`);
    await keepPicture(page, `phone-${game}`);
    await closeGame(page, true);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('pieces move only where motion is wanted', async () => {
  for (const reduced of [true, false]) {
    const page = await openPage(browser, server.url, { reduced, settings: { speed: 450 } });
    await page.evaluate(() => {
      globalThis.moved = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) {
        globalThis.moved += 1;
        return animate.apply(this, given);
      };
    });
    await newGame(page, 'barca', { players: ['here', 'here'] });
    await clickCells(page, 'e1', 'a1');
    await until(page, 'it is played', () => latest(page, 'position').ply === 1);
    await page.waitForTimeout(30);
    assert.equal(await page.evaluate(() => globalThis.moved > 0), !reduced);
    // A throw rolls, clay takes its shape.
    await page.evaluate(() => {
      globalThis.shapes = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) {
        globalThis.shapes.push(this.getAttribute('class'));
        return animate.apply(this, given);
      };
    });
    const animated = (name) => page.evaluate((name) => globalThis.shapes.some((shape) => shape?.split(' ').includes(name)), name);
    await newGame(page, 'chowka-bhara', { players: ['here', 'here'], throws: 'click' });
    await press(page, '.throw');
    await page.locator('#dice .die').first().waitFor();
    await page.waitForTimeout(30);
    assert.equal(await animated('die'), !reduced);
    await newGame(page, 'barbarossa', { players: ['here', 'random', 'random'] });
    const pick = random(3);
    for (let action = 0; action < 60 && (await page.locator('.card-picture').count()) === 0; action++) await clickSomething(page, pick);
    for (let action = 0; action < 3; action++) await clickSomething(page, pick);
    await page.waitForTimeout(60);
    assert.equal(await animated('card-picture'), !reduced);
    await page.context().close();
  }
});
