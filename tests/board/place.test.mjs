// The board as a place: beginning and learning, the end of a game and its review, others on their
// phones, what is kept, languages, sounds, sizes of screens.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import jsQR from 'jsqr';
import { browser, server } from './both.mjs';
import { GAMES, cell, clickCells, clickSomething, keepPicture, latest, newGame, offers, openImport, openPage, pageFolder, press, random, resign, review, servedSize, solve, until, untilSeen, violations } from './harness.mjs';


/** White wins at once by b2 to d4. */
const WON = 'fen 10/9l/10/3M2M3/10/10/8m1/10/1L7e/10 w';

/** A game of Barca that White wins by one move, against the engine at a level. */
async function winBarca(page, level = 3) {
  if (await page.locator('#go-home').isVisible()) await page.locator('#go-home').click();
  await page.locator('[data-game="barca"] .set-up').click();
  const dialog = page.locator('dialog');
  await dialog.locator('[data-field="limit 1"]').selectOption(`level ${level}`);
  await dialog.locator('summary').last().click();
  await dialog.locator('[data-field="start"]').fill(WON);
  const heard = page.heard.length;
  await dialog.locator('#start').click();
  await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
  await clickCells(page, 'b2', 'd4');
  await until(page, 'the game is won', () => latest(page, 'state').phase === 'over');
}

test('the menu says what each game is; Play opens a gentle level', async () => {
  const page = await openPage(browser, server.url);
  await until(page, 'the games are described', () => page.heard.filter((message) => message.type === 'about').length >= GAMES.length);
  for (const game of GAMES) {
    const card = page.locator(`[data-game="${game}"]`);
    assert.ok((await card.locator('p').first().textContent()).length > 30, game);
    assert.match(await card.locator('.facts').textContent(), /^\d(–\d)?\splayers · \d+\smin/);
  }
  await keepPicture(page, 'menu');
  await page.locator('[data-game="barca"] .play-now').click();
  await until(page, 'the game begins', () => latest(page, 'position')?.step);
  assert.equal(latest(page, 'state').seats[1].level, 3);
  // A game that is going on is offered first.
  await clickCells(page, 'e1', 'a1');
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  const game = latest(page, 'state').game;
  await page.locator('#go-home').click();
  await page.locator('#resume').click();
  await until(page, 'the game goes on', () => page.heard.at(-1) && latest(page, 'position').game === game && latest(page, 'position').ply === 2);
  await page.context().close();
});

for (const game of GAMES) {
  test(`${game}: a lesson by clicks`, async () => {
    const page = await openPage(browser, server.url, { width: 1500, height: 900 });
    await page.locator(`[data-game="${game}"] .learn`).click();
    await page.locator('.task-list button').first().click();
    const { lessons } = latest(page, 'lessons');
    for (const [index, step] of lessons[0].steps.entries()) {
      await page.locator('#task-text', { hasText: step.text }).waitFor();
      await until(page, 'the board stands', () => latest(page, 'position')?.game === latest(page, 'state')?.game && latest(page, 'position').node === latest(page, 'state').live);
      if (index === 0) {
        await keepPicture(page, `lesson-${game}`);
        assert.deepEqual(await violations(page), []);
      }
      if (step.solution) {
        await solve(page, step.solution);
        await page.locator('#task-said.right').waitFor();
      }
      const last = index + 1 === lessons[0].steps.length;
      await page.locator(last ? '#task-list' : '#task-next').click();
    }
    await page.locator('.task-list .done').waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

for (const game of GAMES) {
  test(`${game}: puzzles by clicks; the progress stays`, async () => {
    const page = await openPage(browser, server.url, { width: 1500, height: 900 });
    const about = await until(page, 'the game is described', () => latest(page, 'about', ({ menu }) => menu === game));
    if (about.puzzles === 0) {
      await page.context().close();
      return;
    }
    await page.locator(`[data-game="${game}"] .puzzles`).click();
    const { puzzles } = await until(page, 'puzzles come', () => latest(page, 'puzzles'));
    await page.locator('#next-puzzle').click();
    for (let number = 0; number < 2; number++) {
      await page.locator('#task-text', { hasText: puzzles[number].text }).waitFor();
      await until(page, 'the board stands', () => latest(page, 'position')?.game === latest(page, 'state')?.game && latest(page, 'position').node === latest(page, 'state').live && latest(page, 'position').step);
      await page.locator('#task h2', { hasText: `Puzzle ${number + 1} ` }).waitFor();
      await solve(page, puzzles[number].solution);
      await page.locator('#task-said.right').waitFor();
      if (number === 0) await keepPicture(page, `puzzle-${game}`);
      await page.locator('#task-next').click();
    }
    await page.locator('#go-home').click();
    await page.reload();
    await page.locator(`[data-game="${game}"] .puzzles`, { hasText: '✓ 2' }).waitFor();
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

for (const [width, height] of [[360, 740], [740, 360], [1280, 800], [1920, 1080]]) {
  test(`${width} by ${height}: the board of a lesson is to be seen whole`, async () => {
    const page = await openPage(browser, server.url, { width, height, touch: width < 800 });
    await page.locator('[data-game="porrika"] .learn').click();
    await page.locator('.task-list button').first().click();
    await until(page, 'the board stands', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'position')?.board);
    await page.locator('#board .piece').first().waitFor();
    const board = await page.locator('#board').boundingBox();
    assert.ok(board.y >= 0 && board.y + board.height <= height, `from ${board.y} to ${board.y + board.height}`);
    assert.ok(board.height >= Math.min(height * 0.45, 250), `${board.height} px high`);
    await page.context().close();
  });
}

test('a wrong move of a puzzle is not played, and something is said', async () => {
  const page = await openPage(browser, server.url);
  await page.locator('[data-game="barca"] .puzzles').click();
  await page.locator('#next-puzzle').click();
  await until(page, 'the board stands', () => latest(page, 'position')?.step && latest(page, 'state').phase === 'analysis');
  const { accept } = latest(page, 'puzzles').puzzles[0].solution;
  const moves = await page.evaluate(() => [...document.querySelectorAll('#board .hit.able')].map((one) => one.dataset.cell));
  for (const from of moves) {
    await clickCells(page, from);
    const targets = (await offers(page)).cells.filter((to) => to !== from && !moves.includes(to) && !accept.includes(`${from}${to}`));
    if (targets.length === 0) continue;
    await press(page, cell(targets[0]));
    await page.locator('#task-said.wrong').waitFor();
    break;
  }
  assert.equal(latest(page, 'position').ply, 0);
  await page.context().close();
});

test('the end is told in words; after three wins the next level; the game is kept', async () => {
  const page = await openPage(browser, server.url);
  await page.evaluate(() => localStorage.setItem('parlor-progress', JSON.stringify({ barca: { level: 3, row: 2 } })));
  await winBarca(page);
  const banner = page.locator('.banner.result');
  assert.match(await banner.locator('p').first().textContent(), /^You won: three animals at the water$/);
  // The three holes are marked.
  assert.equal(await page.locator('#board .decided').count(), 3);
  await page.locator('#next-level', { hasText: 'Play level 4' }).waitFor();
  await keepPicture(page, 'won');
  assert.deepEqual(await violations(page), []);
  await page.locator('#next-level').click();
  await until(page, 'a game at the next level begins', () => latest(page, 'state').seats[1].level === 4);
  await page.locator('#go-home').click();
  await page.locator('#open-my-games').click();
  const rows = page.locator('.my-games li');
  assert.equal(await rows.count(), 1);
  assert.match(await rows.textContent(), /Barca.*level 3.*You won/);
  assert.deepEqual(await page.locator('#statistics td').allTextContents(), ['1', '0', '0']);
  assert.deepEqual(await violations(page), []);
  await page.locator('#search-games').fill('pacru');
  assert.equal(await rows.count(), 0);
  await page.locator('#search-games').fill('water won');
  assert.equal(await rows.count(), 1);
  await rows.locator('.export-game').click();
  const [record] = await Promise.all([page.waitForEvent('download'), page.locator('[data-export="record"]').click()]);
  assert.match(record.suggestedFilename(), /^barca-.*\.jsonl$/);
  const [text] = await Promise.all([page.waitForEvent('download'), page.locator('[data-export="text"]').click()]);
  assert.match(readFileSync(await text.path(), 'utf8'), /^\[Game "Barca"\]\n[^]*\[Reason "watering-holes"\]\n[^]*1\. b2d4\n$/);
  await page.locator('dialog .close').click();
  await page.locator('#open-my-games').click();
  await rows.locator('.open-game').click();
  await until(page, 'the game is shown', () => latest(page, 'state').phase === 'analysis');
  await page.locator('#go-home').click();
  await page.locator('#open-my-games').click();
  await rows.locator('.drop-game').click();
  assert.equal(await rows.count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a guest keeps the board when the host closes the game', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'link'] });
  const { game, seats } = latest(page, 'state');
  const guest = await openPage(browser, seats[1].link);
  await guest.locator('#game:not([hidden])').waitFor();
  await page.locator('#go-home').click();
  await page.locator(`[data-end="${game}"]`).click();
  await guest.locator('.toast', { hasText: 'closed the game' }).waitFor();
  assert.equal(await guest.locator('#board').isVisible(), true);
  assert.equal(await guest.locator('#home').isVisible(), false);
  await guest.context().close();
  await page.context().close();
});

test('a game that two pages of one browser show counts once', async () => {
  const page = await openPage(browser, server.url);
  await page.evaluate(() => localStorage.setItem('parlor-progress', JSON.stringify({ barca: { level: 3, row: 0 } })));
  const second = await page.context().newPage();
  const opened = page.heard.length;
  await page.locator('[data-game="barca"] .set-up').click();
  await page.locator('dialog summary').last().click();
  await page.locator('dialog [data-field="start"]').fill(WON);
  await page.locator('dialog #start').click();
  await until(page, 'the game begins', () => page.heard.slice(opened).some((message) => message.type === 'position' && message.step));
  await second.goto(server.url);
  await second.locator(`[data-open="${latest(page, 'state').game}"]`).click();
  await second.locator('#game:not([hidden])').waitFor();
  await clickCells(page, 'b2', 'd4');
  for (const one of [page, second]) await one.locator('.banner.result').waitFor();
  await untilSeen(page, 'the game is kept', () => localStorage.getItem('parlor-my-games') !== null);
  // The other page has its time to count it again.
  await page.waitForTimeout(500);
  const kept = await page.evaluate(() => [JSON.parse(localStorage.getItem('parlor-my-games')).length, JSON.parse(localStorage.getItem('parlor-progress')).barca.row]);
  assert.deepEqual(kept, [1, 1]);
  await page.context().close();
});

test('a lost game and a draw do not raise the level; three losses lower it', async () => {
  const page = await openPage(browser, server.url);
  const found = await page.evaluate(async () => {
    localStorage.clear();
    const { countResult, levelOf } = await import('./keeping.js');
    const results = [1, 1, 0, 1, -1, -1, -1, -1, -1, -1].map((result) => {
      const level = levelOf('x', 10);
      const offer = countResult('x', level, 10, result);
      return offer;
    });
    return [results, levelOf('y', 2), levelOf('y', 10)];
  });
  assert.deepEqual(found, [[null, null, null, null, null, null, 2, null, null, 2], 2, 3]);
  await page.context().close();
});

test('a review has arrows, accuracies, reasons, and lets one try again', async () => {
  const page = await openPage(browser, server.url);
  // White gives away the win; Black could not stop it.
  await newGame(page, 'barca', { players: ['here', 'here'], start: WON });
  await clickCells(page, 'b2', 'a1', 'i4', 'i10');
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  await resign(page);
  await review(page);
  await page.locator('.accuracy b').first().waitFor();
  const accuracies = await page.locator('.accuracy b').allTextContents();
  assert.equal(accuracies.length, 2);
  assert.ok(Number.parseInt(accuracies[0]) < 30, `White gave the game away: ${accuracies}`);
  await page.locator('.graph-mark.blunder').first().waitFor({ state: 'attached' });
  await page.locator('#next-mistake').click();
  await until(page, 'the mistake is shown', () => latest(page, 'position').ply === 0);
  await page.locator('#board .arrow').first().waitFor({ state: 'attached' });
  assert.match(await page.locator('#why').textContent(), /^A blunder: b2–a1\. Better was b2–\w+\. It keeps \d+ % of the game for White; what was played keeps \d+ %\./);
  await keepPicture(page, 'review');
  assert.deepEqual(await violations(page), []);
  await page.locator('#try-again').click();
  await until(page, 'play goes on', () => latest(page, 'state').phase === 'play' && latest(page, 'state').live === 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what was reviewed of My games and of a record is tried again against the engine, to the end', async () => {
  const page = await openPage(browser, server.url);
  for (const text of [`position ${WON} moves b2a1 i4i10`, null]) {
    if (text) {
      await openImport(page, text);
      await page.locator('dialog [aria-label="Game"]').selectOption('barca');
      await page.locator('#import').click();
    } else {
      await newGame(page, 'barca', { players: ['here', 'here'], start: WON });
      await clickCells(page, 'b2', 'a1', 'i4', 'i10');
      await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
      await resign(page);
      await page.locator('#go-home').click();
      await page.locator('#open-my-games').click();
      page.heard.length = 0;
      await page.locator('.open-game').first().click();
    }
    await until(page, 'the game is loaded', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'position')?.ply === 2);
    await press(page, '#review');
    await until(page, 'the review is done', () => latest(page, 'review') && !latest(page, 'review').running, 60_000);
    await page.locator('#next-mistake').click();
    await until(page, 'the mistake is shown', () => latest(page, 'position').ply === 0);
    await page.locator('#try-again').click();
    await until(page, 'play goes on', () => latest(page, 'state').phase === 'play' && latest(page, 'state').live === 0);
    assert.deepEqual(latest(page, 'state').seats.map(({ kind, yours, level }) => [kind, yours, level ?? 0]), [['here', true, 0], ['engine', false, 3]]);
    if (text) {
      await keepPicture(page, 'try-again');
      await clickCells(page, 'b2', 'a1');
      await until(page, 'the engine has answered', () => latest(page, 'position').ply === 2 && latest(page, 'state').turn === 'p1');
      await press(page, '#take-back');
      await until(page, 'it is taken back', () => latest(page, 'position').ply === 0);
    }
    await clickCells(page, 'b2', 'd4');
    await page.locator('.banner.result', { hasText: 'You won: three animals at the water' }).waitFor();
    page.heard.length = 0;
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('on a phone what was better stands below the board, and both are to be seen', async () => {
  const page = await openPage(browser, server.url, { width: 390, height: 844, touch: true });
  await newGame(page, 'barca', { players: ['here', 'here'], start: WON });
  for (const id of ['b2', 'a1', '.thumb-done', 'i4', 'i10', '.thumb-done']) {
    const heard = page.heard.length;
    await press(page, id.startsWith('.') ? id : cell(id), true);
    await until(page, 'it is answered', () => page.heard.slice(heard).some(({ type }) => type === 'step' || type === 'position'));
  }
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  await resign(page, true);
  await review(page, true);
  await press(page, '#next-mistake', true);
  await page.locator('#why').waitFor();
  await page.evaluate(() => document.querySelector('#board').scrollIntoView({ block: 'start', behavior: 'instant' }));
  const [board, why] = [await page.locator('#board').boundingBox(), await page.locator('#why').boundingBox()];
  assert.ok(why.y >= board.y + board.height && why.y + why.height < 844 - 60, `${why.y} below ${board.y + board.height}`);
  await keepPicture(page, 'phone-review');
  await page.context().close();
});

test('moves are read: a column a seat, turns of several tokens in one place, words of the engine', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e2', 'e4', 'e9', 'e6');
  await untilSeen(page, 'the moves are in words', () => [...document.querySelectorAll('.turns.two .turn .move')].map((move) => move.lastChild.textContent).join() === 'e2–e4,e9–e6');
  assert.deepEqual(await page.locator('.turn-head').allTextContents(), ['White', 'Black']);
  await page.locator('#notation').click();
  await untilSeen(page, 'the tokens are shown', () => [...document.querySelectorAll('.turn .move')].map((move) => move.lastChild.textContent).join() === 'e2e4,e9e6');
  await page.locator('#notation').click();
  await newGame(page, 'chowka-bhara', { players: ['here', 'here'], throws: 'click' });
  const pick = random(3);
  for (let seen = new Set(); seen.size < 2; seen.add(latest(page, 'position').act)) await clickSomething(page, pick);
  await until(page, 'somebody has moved', () => latest(page, 'position').ply >= 2);
  await untilSeen(page, 'the throw and the move stand together', () => [...document.querySelectorAll('.turn')].some((turn) => turn.querySelectorAll('.move').length >= 2 && /throws \d/.test(turn.textContent)));
  await page.context().close();
});

/** What a QR code on the page says. */
async function readCode(page) {
  await page.locator('dialog .qr').waitFor();
  const { grid, size } = await page.locator('dialog .qr').evaluate((code) => ({
    size: Number(code.getAttribute('viewBox').split(' ')[2]),
    grid: [...code.querySelector('path').getAttribute('d').matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
  }));
  const scale = 4;
  const pixels = new Uint8ClampedArray(4 * (size * scale) ** 2).fill(255);
  for (const [x, y] of grid) {
    for (let dy = 0; dy < scale; dy++) for (let dx = 0; dx < scale; dx++) pixels.fill(0, 4 * ((y * scale + dy) * size * scale + x * scale + dx), 4 * ((y * scale + dy) * size * scale + x * scale + dx) + 3);
  }
  return jsQR(pixels, size * scale, size * scale)?.data;
}

test('codes are read as they were written, at every length', async () => {
  const page = await openPage(browser, server.url);
  for (const length of [5, 14, 20, 40, 60, 80, 100, 120, 150, 180, 210]) {
    const text = Array.from({ length }, (_, index) => 'abcdefghij0123456789:/#.'[(7 * index + length) % 24]).join('');
    const grid = await page.evaluate(async (text) => (await import('./qr.js')).qrCode(text), text);
    const scale = 3;
    const size = (grid.length + 8) * scale;
    const pixels = new Uint8ClampedArray(4 * size * size).fill(255);
    grid.forEach((row, y) => row.forEach((dark, x) => {
      if (dark) for (let dy = 0; dy < scale; dy++) for (let dx = 0; dx < scale; dx++) pixels.fill(0, 4 * (((y + 4) * scale + dy) * size + (x + 4) * scale + dx), 4 * (((y + 4) * scale + dy) * size + (x + 4) * scale + dx) + 3);
    }));
    assert.equal(jsQR(pixels, size, size)?.data, text, `${length} characters`);
  }
  assert.equal(await page.evaluate(async () => (await import('./qr.js')).qrCode('x'.repeat(300))), null);
  await page.context().close();
});

test('everybody on a phone, the laptop as table: codes, who is there, phrases, a draw, spectators', async () => {
  const page = await openPage(browser, server.url, { width: 1500, height: 900 });
  await newGame(page, 'barbarossa', { players: ['link', 'link', 'link'] });
  // The table shows what all may see.
  await page.locator('#board').waitFor();
  assert.equal(latest(page, 'state').you.view, 'table');
  assert.equal(await page.locator('.card').count(), 9);
  assert.equal(await page.locator('.seat-link').count(), 3);
  await keepPicture(page, 'table');
  assert.deepEqual(await violations(page), []);
  const links = latest(page, 'state').seats.map((seat) => seat.link);
  await page.locator('.show-qr').nth(1).click();
  assert.equal(await readCode(page), links[1]);
  assert.deepEqual(await violations(page), []);
  await page.locator('dialog .close').click();
  const phone = await openPage(browser, links[0], { width: 390, height: 800, touch: true });
  await until(phone, 'the seat sees the game', () => latest(phone, 'position')?.board);
  // Who is there, and who is ready, is told to all.
  const who = (of) => of.locator('.presence').allTextContents();
  const tells = (of, expected) => untilSeen(of, expected.join(), (expected) => [...document.querySelectorAll('.presence')].map((one) => one.textContent).join() === expected, expected.join());
  await tells(page, ['here', 'away', 'away']);
  await phone.locator('#ready').click();
  await tells(page, ['ready', 'away', 'away']);
  await phone.locator('#ready').waitFor({ state: 'detached' });
  const second = await openPage(browser, links[1]);
  await tells(phone, ['ready', 'here', 'away']);
  assert.deepEqual(await violations(second), []);
  await second.context().close();
  await tells(phone, ['ready', 'away', 'away']);
  await keepPicture(page, 'lobby');
  await keepPicture(phone, 'lobby-phone');
  assert.deepEqual([...await who(page), await page.locator('#looking').count()], ['ready', 'away', 'away', 0]);
  await page.locator('#spectators').click();
  const watch = await readCode(page);
  assert.equal(watch, latest(page, 'state').watch);
  await page.locator('dialog .close').click();
  const spectator = await openPage(browser, watch, { width: 390, height: 800, touch: true });
  await until(spectator, 'the spectator sees the game', () => latest(spectator, 'position')?.board);
  assert.equal(await spectator.locator('#resign').count(), 0);
  assert.equal(await spectator.locator('#ready').count(), 0);
  for (const each of [page, phone, spectator]) await each.locator('#looking', { hasText: '1 spectator' }).waitFor();
  assert.deepEqual(await violations(spectator), []);
  await spectator.locator('#say').selectOption('hello');
  await page.locator('.toast', { hasText: 'A spectator: Hello!' }).waitFor();
  await phone.locator('.toast', { hasText: 'A spectator: Hello!' }).waitFor();
  await phone.locator('#say').selectOption('luck');
  await page.locator('.toast', { hasText: 'Good luck!' }).waitFor();
  // A draw needs all others.
  await phone.locator('#offer-draw').click();
  await phone.locator('.banner.offer', { hasText: 'Waiting for' }).waitFor();
  const others = await Promise.all([1, 2].map((seat) => openPage(browser, links[seat], { width: 390, height: 800, touch: true })));
  for (const other of others) await other.locator('#accept').click();
  await until(page, 'it is a draw', () => latest(page, 'state').phase === 'over');
  assert.match(await page.locator('.banner.result').textContent(), /A draw: by agreement/);
  // Who came by a link keeps the game too; who only looked on does not.
  await phone.locator('#my-games').click();
  await phone.locator('.my-games li', { hasText: 'A draw: by agreement' }).waitFor();
  assert.equal(await phone.locator('.open-game').count(), 0);
  await keepPicture(phone, 'my-games-phone');
  assert.deepEqual(await violations(phone), []);
  const [download] = await Promise.all([phone.waitForEvent('download'), (async () => {
    await phone.locator('.export-game').click();
    await phone.locator('[data-export="record"]').click();
  })()]);
  assert.match(readFileSync(await download.path(), 'utf8'), /"reason":"agreed"/);
  await phone.reload();
  assert.equal(await phone.evaluate(() => JSON.parse(localStorage.getItem('parlor-my-games')).length), 1);
  for (const each of [page, spectator]) assert.equal(await each.evaluate(() => localStorage.getItem('parlor-my-games')), null);
  for (const each of [page, phone, spectator, ...others]) {
    assert.deepEqual(each.problems, []);
    await each.context().close();
  }
});

/** One game with secrets at one screen: at every curtain nothing of what only one may see is left. Returns how many there were. */
async function curtains(page, seed, most) {
  await newGame(page, 'barbarossa', { players: ['here', 'here', 'here'], rules: { CurseWindows: 'turn' } });
  const pick = random(seed);
  // A word that the page itself has, such as a class, tells nothing.
  const own = readdirSync(pageFolder).map((name) => readFileSync(path.join(pageFolder, name), 'utf8')).join('\n');
  const session = await page.context().newCDPSession(page);
  /** @type {Map<string, Set<string>>} */
  const words = new Map();
  let seen = 0;
  for (let action = 0; action < 1500 && seen < most; action++) {
    const { you, phase } = latest(page, 'state');
    if (phase !== 'play') break;
    if (await page.locator('#show-view').isVisible()) {
      const read = () => page.evaluate(() => (document.querySelector('#show-view')?.checkVisibility() ? [document.documentElement.outerHTML, document.title, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), ...[...document.querySelectorAll('input, textarea')].map((field) => field.value)].join('\n') : ''));
      const left = await read();
      const tree = await session.send('Accessibility.getFullAXTree');
      // The curtain may have been lifted meanwhile.
      if (!left || !(await read())) continue;
      seen += 1;
      const all = `${left}\n${JSON.stringify(tree)}`;
      for (const seat of words.values()) for (const word of seat) {
        const found = all.match(new RegExp(`.{0,80}\\b${word}\\b.{0,40}`))?.[0];
        assert.equal(found, undefined, `seed ${seed}, curtain ${seen}: ${word}`);
      }
    }
    for (const card of latest(page, 'position').board?.cards ?? []) {
      if (card.secret && card.seat === you.view && /^[a-z]{5,}$/.test(card.title) && !own.includes(card.title)) words.set(card.seat, (words.get(card.seat) ?? new Set()).add(card.title));
    }
    if (!(await clickSomething(page, pick, { avoid: (choice) => /^(guess|curse)/.test(choice) }))) await page.waitForTimeout(10);
  }
  assert.ok(words.size > 0, `seed ${seed}: no words were chosen`);
  await session.detach();
  return seen;
}

const GAMES_BEHIND_CURTAINS = process.env.PARLOR_SLOW_TESTS ? 50 : 1;
test(`nothing that only one may see stays in the page behind the curtain, ${GAMES_BEHIND_CURTAINS} games`, async () => {
  const page = await openPage(browser, server.url, { width: 1500, height: 900, settings: { sound: false } });
  let all = 0;
  for (let game = 0; game < GAMES_BEHIND_CURTAINS; game++) {
    all += await curtains(page, 23 + game, GAMES_BEHIND_CURTAINS === 1 ? 50 : 14);
    page.heard.splice(0, page.heard.length - 50);
  }
  console.log(`${all} curtains`);
  assert.ok(all >= 12 * GAMES_BEHIND_CURTAINS, `${all} curtains`);
  await page.context().close();
});

test('German, Spanish, Hindi: the browser says which, settings say otherwise; nothing is missing', async () => {
  const keys = new Set();
  for (const file of readdirSync(pageFolder).filter((name) => /\.(js|html)$/.test(name) && name !== 'words.js')) {
    const text = readFileSync(path.join(pageFolder, file), 'utf8');
    for (const [, , key] of text.matchAll(/\bt\((['"])((?:\\.|(?!\1).)*)\1/g)) keys.add(key.replaceAll("\\'", "'"));
    for (const [, key] of text.matchAll(/data-t="([^"]+)"/g)) keys.add(key);
  }
  const context = await browser.newContext({ locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator('.home-title', { hasText: 'Wähle ein Spiel' }).waitFor();
  const { words, reasons } = await page.evaluate(async () => ({ words: (await import('./words.js')).WORDS, reasons: [...Object.values((await import('./newgame.js')).VALUES).flatMap(Object.values), ...Object.values((await import('./banners.js')).REASONS), ...Object.values((await import('./banners.js')).KINDS), ...(await import('./review.js')).COUNTS.flatMap(([, ...texts]) => texts)] }));
  assert.deepEqual([...keys, ...reasons].filter((key) => !words[key]), [], 'words without translations');
  const names = (text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort().join();
  for (const [key, texts] of Object.entries(words)) {
    assert.equal(texts.length, 3, key);
    for (const text of texts) assert.equal(names(text), names(key), `${key}: ${text}`);
  }
  await page.locator('#go-settings', { hasText: 'Einstellungen' }).click();
  await page.locator('dialog select').first().selectOption('hi');
  await page.locator('.home-title', { hasText: 'खेल चुनें' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'hi');
  assert.deepEqual(await violations(page), []);
  await keepPicture(page, 'hindi');
  await context.close();
});

test('the rules are told in the language of the page, without what is for terminals', async () => {
  const heading = { en: 'How animals move', de: 'Wie die Tiere ziehen', es: 'Cómo se mueven los animales', hi: 'जानवर कैसे चलते हैं' };
  for (const [language, expected] of Object.entries(heading)) {
    const page = await openPage(browser, server.url, { settings: { language } });
    for (const game of GAMES) {
      await page.locator(`[data-game="${game}"] .play-now`).click();
      await page.locator('#go-rules').click();
      const rules = await page.locator('dialog .rules').innerText();
      if (game === 'barca') assert.ok(rules.includes(expected), `${language}: ${rules}`);
      assert.ok(rules.length > 800, `${language}: ${game}`);
      assert.doesNotMatch(rules, /capital letters|What to type|terminal/i, `${language}: ${game}`);
      // Other texts than the English ones.
      if (language !== 'en') assert.doesNotMatch(rules, /First advice|A turn/, `${language}: ${game}`);
      if (game === 'pacru') assert.deepEqual(await violations(page), []);
      await page.locator('dialog .close').click();
      await page.locator('#go-home').click();
      await page.locator('#home').waitFor();
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('options of rules and their values have names of words', async () => {
  const page = await openPage(browser, server.url);
  for (const game of GAMES) {
    await page.locator(`[data-game="${game}"] .set-up`).click();
    await page.locator('dialog[open]').waitFor();
    const names = await page.locator('dialog .new-rules .field').evaluateAll((fields) => fields.map((field) => field.firstChild.textContent));
    assert.ok(names.length > 0, game);
    for (const name of names) assert.doesNotMatch(name, /[a-z][A-Z\d]/, game);
    // A value is more than one word of the protocol, or says what it means.
    const values = await page.locator('dialog .new-rules option').allTextContents();
    for (const value of values) assert.match(value, /^(\d+|yes|no|(anti)?clockwise|always|never|allowed|loses|passes|draws|everybody|.* .*)$/, game);
    await page.locator('dialog .close').click();
  }
  await page.context().close();
});

test('options of rules, pieces and marks have names in every language', async () => {
  const page = await openPage(browser, server.url, { settings: { language: 'hi' } });
  // Names of the games, of cells and what Indians say too.
  const names = /schelati/i;
  for (const game of GAMES) {
    await page.locator(`[data-game="${game}"] .set-up`).click();
    await page.locator('dialog[open]').waitFor();
    await page.locator('dialog details').first().evaluate((details) => { details.open = true; });
    const fields = await page.locator('dialog .new-rules .field').evaluateAll((all) => all.flatMap((field) => [field.firstChild.textContent, ...[...field.querySelectorAll('option')].map((option) => option.textContent)]));
    await keepPicture(page, `options-${game}-hi`);
    await page.locator('dialog .close').click();
    await page.locator(`[data-game="${game}"] .play-now`).click();
    await until(page, 'the game begins', () => latest(page, 'state')?.menu === game && latest(page, 'position')?.game === latest(page, 'state').game);
    await press(page, '#go-rules');
    await page.locator('.legend li').first().waitFor();
    const legend = await page.locator('.legend li').allTextContents();
    await page.locator('dialog .close').click();
    const panel = await page.locator('#seats dt').allTextContents();
    assert.deepEqual([...fields, ...legend, ...panel].filter((text) => /[a-z]{2}/i.test(text) && !names.test(text)), [], game);
    await page.locator('#go-home').click();
    await page.locator('#home').waitFor();
  }
  await page.context().close();
});

test('a game is saved as a moving picture', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e1', 'a1', 'd9', 'a6');
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  await press(page, '#copy');
  const [film] = await Promise.all([page.waitForEvent('download'), page.locator('[data-save="film"]').click()]);
  assert.equal(film.suggestedFilename(), 'barca-game.svg');
  const text = readFileSync(await film.path(), 'utf8');
  const seen = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    const frames = [...root.querySelectorAll(':scope > g:has(> animate)')];
    return { cells: root.querySelectorAll(':scope > polygon').length, frames: frames.map((frame) => [frame.querySelector('animate').getAttribute('values'), frame.querySelector('animate').getAttribute('keyTimes')]), pieces: frames.map((frame) => frame.querySelectorAll('use').length), same: new Set(frames.map((frame) => frame.innerHTML)).size };
  }, text);
  assert.equal(seen.cells, 100, 'cells are drawn once');
  assert.deepEqual(seen.frames, [['visible;hidden', '0.00000;0.20000'], ['hidden;visible;hidden', '0.00000;0.20000;0.40000'], ['hidden;visible', '0.00000;0.40000']]);
  assert.ok(seen.pieces.every((count) => count >= 12));
  assert.equal(seen.same, 3);
  await page.context().close();
});

test('what happens can be heard, and is silent on request', async () => {
  for (const sound of [true, false]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    Object.assign(page, { heard: [], raw: [], problems: [] });
    await page.addInitScript(([kept]) => {
      localStorage.setItem('parlor-settings', kept);
      globalThis.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...given) {
        globalThis.tones += 1;
        return start.apply(this, given);
      };
    }, [JSON.stringify({ sound })]);
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => page.heard.push(JSON.parse(String(payload)))));
    await page.goto(server.url);
    await newGame(page, 'barca', { players: ['here', 'here'] });
    await clickCells(page, 'e1', 'a1');
    await until(page, 'it is played', () => latest(page, 'position').ply === 1);
    await page.waitForTimeout(50);
    assert.equal(await page.evaluate(() => globalThis.tones > 0), sound);
    await context.close();
  }
});

test('boards of wood, slate and paper, pieces as letters', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  const colours = new Set();
  await page.locator('#go-settings').click();
  const select = (label) => page.locator('dialog .field', { hasText: new RegExp(`^${label}`) }).locator('select');
  for (const board of ['plain', 'wood', 'slate', 'paper']) {
    await select('Board').selectOption(board);
    colours.add(await page.locator('#board .cell').first().evaluate((one) => getComputedStyle(one).fill));
    await keepPicture(page, `board-${board}`);
  }
  assert.equal(colours.size, 4);
  assert.equal(await page.locator('#board .piece .letter').count(), 0);
  await select('Pieces').selectOption('letters');
  await untilSeen(page, 'letters are drawn', () => document.querySelectorAll('#board .piece .letter').length === 12);
  assert.deepEqual(await violations(page), []);
  await page.context().close();
});

test('what was played before is told where the page looks', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'random'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
  await resign(page);
  await newGame(page, 'barca', { players: ['here', 'random'] });
  await page.locator('#explorer summary').click();
  await untilSeen(page, 'the moves are in words', () => [...document.querySelectorAll('#explorer td:first-child')].every((move) => move.textContent.includes('–')));
  assert.deepEqual(await page.locator('#explorer td').allTextContents(), ['e1–a1', '1', '0 %']);
  await page.context().close();
});

test('games of a file that was loaded are counted too, and only where games begin as usual', async () => {
  const page = await openPage(browser, server.url);
  const line = (game, token, places) => JSON.stringify({ game, seating: ['one', 'two'], start: 'startpos', moves: [{ token, seat: 1 }], places });
  await page.locator('#open-import').click();
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('dialog [type="file"]').setInputFiles({ name: 'club.jsonl', mimeType: 'text/plain', buffer: Buffer.from([JSON.stringify({ parlor: 1 }), line(1, 'e1a1', [1, 2]), line(2, 'e1b1', [2, 1]), line(3, 'e1a1', [1, 1])].join('\n')) });
  await page.locator('dialog [aria-label="Which game"] option').nth(2).waitFor({ state: 'attached' });
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'position')?.board);
  await press(page, '#go-first');
  await page.locator('#explorer summary').click();
  await page.locator('#explorer p', { hasText: '3 of club.jsonl' }).waitFor();
  await untilSeen(page, 'the moves are in words', () => [...document.querySelectorAll('#explorer td:first-child')].every((move) => move.textContent.includes('–')));
  assert.deepEqual(await page.locator('#explorer td').allTextContents(), ['e1–a1', '2', '75 %', 'e1–b1', '1', '0 %']);
  // A file with one game is one more.
  await openImport(page, [JSON.stringify({ parlor: 1 }), line(9, 'e1b1', [1, 2])].join('\n'));
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  page.heard.length = 0;
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'position')?.ply === 1);
  await press(page, '#go-first');
  await page.locator('#explorer summary').click();
  await page.locator('#explorer p', { hasText: '4 of club.jsonl, File' }).waitFor();
  assert.deepEqual(await page.locator('#explorer td:not(:first-child)').allTextContents(), ['2', '75 %', '2', '50 %']);
  await newGame(page, 'barca', { players: ['here', 'here'], start: WON });
  await page.waitForTimeout(200);
  assert.equal(await page.locator('#explorer').count(), 0);
  await page.context().close();
});

test('the page can be installed, and is small', async () => {
  const page = await openPage(browser, server.url);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel="manifest"]').href)).json());
  assert.equal(manifest.display, 'standalone');
  assert.ok(manifest.icons.length > 0);
  const size = await servedSize(server.url);
  assert.ok(size <= 120 * 1024, `${size} bytes, each file by gzip`);
  await page.context().close();
});

for (const language of ['en', 'de', 'es', 'hi']) {
  test(`the menu and the head of a game fit on a small phone: ${language}`, async () => {
    const page = await openPage(browser, server.url, { width: 320, height: 568, touch: true, settings: { language } });
    const count = (length) => Array.from({ length }, (_, index) => String(index));
    const done = JSON.stringify(Object.fromEntries(GAMES.map((game) => [game, { lessons: count(8), puzzles: count(10) }])));
    await page.evaluate((kept) => localStorage.setItem('parlor-progress', kept), done);
    page.heard.length = 0;
    await page.reload();
    await until(page, 'the games are described', () => page.heard.filter((message) => message.type === 'about').length >= GAMES.length);
    const outside = () => page.evaluate(() => [...document.querySelectorAll('#home button, header button')].filter((button) => button.getBoundingClientRect().right > 320).map((button) => button.textContent));
    assert.deepEqual(await outside(), []);
    await page.locator('[data-game="barca"] .play-now').click();
    await until(page, 'the game begins', () => latest(page, 'position')?.step);
    assert.deepEqual(await outside(), []);
    await page.context().close();
  });
}

for (const [width, height] of [[320, 568], [360, 740], [381, 800], [768, 1024], [740, 360], [1280, 800], [1920, 1080]]) {
  test(`${width} by ${height}: nothing overflows, boards are large, nothing is cut`, async () => {
    const page = await openPage(browser, server.url, { width, height, touch: width < 800 });
    await until(page, 'the games are described', () => page.heard.filter((message) => message.type === 'about').length >= GAMES.length);
    const fits = async (what) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${what} is ${wide} px wide`);
    };
    await fits('the menu');
    // A toast that says nothing is not there.
    assert.equal(await page.locator('#toasts').isVisible(), false);
    for (const game of ['chowka-bhara', 'barbarossa']) {
      await page.locator(`[data-game="${game}"] .set-up`).click();
      await page.locator('dialog').waitFor();
      const [scroll, client] = await page.locator('dialog').evaluate((dialog) => [dialog.scrollWidth, dialog.clientWidth]);
      assert.ok(scroll <= client, `the set-up of ${game} is ${scroll} px wide in ${client}`);
      await page.locator('dialog .close').click();
    }
    for (const game of ['barca', 'barbarossa']) {
      const heard = page.heard.length;
      await page.locator(`[data-game="${game}"] .play-now`).click();
      await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
      await clickSomething(page, random(1));
      await page.waitForTimeout(50);
      await fits(game);
      const board = await page.locator('#board').boundingBox();
      if (height < 480) {
        const moves = await page.locator('#moves').boundingBox();
        assert.ok(moves.x >= board.x + board.width - 1, 'the moves stand beside the board');
      }
      if (game === 'barca') assert.ok(Math.min(board.width, board.height) >= Math.min(width, height) * 0.68, `the board of ${board.width} by ${board.height} px`);
      if (width <= 820) assert.equal(await page.locator('#token').isVisible(), false, 'the field for moves stands in the way');
      const long = await page.evaluate(() => document.documentElement.scrollHeight);
      if (width <= 381) assert.ok(long <= 2400, `${game} is ${long} px long`);
      if (game === 'barbarossa' && width >= 1280) {
        const cut = await page.evaluate(() => [...document.querySelectorAll('#cards, .hand, .card')].filter((one) => one.scrollHeight > one.clientHeight + 1).length);
        assert.equal(cut, 0, 'cards are cut');
      }
      await keepPicture(page, `size-${game}-${width}`);
      await page.locator('#go-home').click();
      await page.locator('#home').waitFor();
    }
    await page.context().close();
  });
}
