// What stands when somebody comes back, to the page, to a game, or with a text: keys, names, results,
// exported games; and that all of it is told in words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { GAMES, clickCells, clickSomething, exportedText, keepPicture, latest, newGame, openImport, openPage, press, random, resign, startServer, until, untilSeen, violations } from './harness.mjs';

/** A code of the protocol before a text, as `bad-move:` or `Chowka-bhara: bad-value`. */
const CODE = /\b(bad|illegal|game|not)-[a-z]+\b/i;

/** The last error that the page shows. */
async function refusal(page) {
  await page.locator('.toast.error').last().waitFor();
  return page.locator('.toast.error').last().textContent();
}

test('numbered moves and a text that the page has exported are loaded', async () => {
  const page = await openPage(browser, server.url);
  await openImport(page, '1. e1a1 2. d9a6\n');
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'position')?.ply === 2);
  await newGame(page, 'shacru', { players: ['here', 'here', 'here'], rules: { Players: 3 } });
  await press(page, '#rename');
  await page.locator('dialog input').first().fill('Ann "A" B');
  await page.locator('dialog .primary').click();
  const pick = random(4);
  while (latest(page, 'position').ply < 3) await clickSomething(page, pick);
  const { board } = latest(page, 'position');
  await resign(page);
  await openImport(page, await exportedText(page));
  assert.equal(await page.locator('dialog [aria-label="Game"]').inputValue(), 'shacru');
  page.heard.length = 0;
  await page.locator('#import').click();
  await until(page, 'the game is loaded', () => latest(page, 'state')?.phase === 'analysis' && latest(page, 'position')?.ply === 3);
  assert.deepEqual(latest(page, 'position').board.pieces, board.pieces);
  assert.deepEqual(latest(page, 'state').seats.map(({ name }) => name), ['Ann A B', 'Player 2', 'Player 3']);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what is refused is told in words, not by codes', async () => {
  const page = await openPage(browser, server.url);
  await openImport(page, 'e1a1 e1a1');
  await page.locator('dialog [aria-label="Game"]').selectOption('barca');
  await page.locator('#import').click();
  const texts = [await refusal(page)];
  await page.locator('dialog .close').click();
  await page.locator('[data-game="barca"] .set-up').click();
  await page.locator('dialog summary').last().click();
  for (const start of ['fen 10/10 w', 'position startpos moves e1a1 e1a1']) {
    await page.locator('dialog [data-field="start"]').fill(start);
    await page.locator('.toast.error').evaluateAll((old) => old.forEach((one) => one.remove()));
    await page.locator('#start').click();
    texts.push(await refusal(page));
  }
  await page.locator('dialog .close').click();
  await page.locator('[data-game="chowka-bhara"] .set-up').click();
  await page.locator('.toast.error').evaluateAll((old) => old.forEach((one) => one.remove()));
  await page.locator('dialog [data-rule="Pawns"]').fill('99');
  await page.locator('dialog [data-rule="Pawns"]').blur();
  texts.push(await refusal(page));
  for (const text of texts) {
    assert.doesNotMatch(text, CODE);
    assert.match(text, /^[A-Z0-9]/);
  }
  await page.context().close();
});

test('every request that there is gets an answer, and a refusal is in words', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  const docs = readFileSync(new URL('../../docs/board-messages.md', import.meta.url), 'utf8');
  const found = [...docs.matchAll(/`(\{"do":[^`]*\})`/g)].map(([, text]) => JSON.parse(text.replace(',...', '').replace('{...}', '{"kind":"link"}')));
  const names = new Set(found.map((request) => request.do));
  for (const name of ['look', 'undo', 'show', 'hide', 'goon', 'ping', 'close']) assert.ok(names.has(name), name);
  // What leaves the game comes last.
  const leaves = (request) => ['rematch', 'resign', 'end', 'close', 'open', 'new', 'continue', 'load', 'import'].indexOf(request.do);
  for (const request of found.sort((one, other) => leaves(one) - leaves(other))) {
    const answer = await page.evaluate(async (request) => {
      const { app } = await import('./store.js');
      const late = new Promise((resolve) => { setTimeout(() => resolve(null), 10_000); });
      return Promise.race([late, app.connection.ask(request).then(({ type }) => type, ({ code, message }) => ({ code, message }))]);
    }, request);
    assert.ok(answer, `no answer to ${JSON.stringify(request)}`);
    if (answer.code) {
      assert.notEqual(answer.code, 'lost', JSON.stringify(request));
      assert.doesNotMatch(answer.message, CODE);
      assert.match(answer.message, / /);
    }
  }
  await page.context().close();
});

test('two people at one screen are not both "you"; one move is no "1 moves"', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'it is played', () => latest(page, 'position').ply === 1);
  await resign(page);
  await page.locator('#go-home').click();
  await page.locator('#open-my-games').click();
  assert.match(await page.locator('.my-games li').textContent(), /^Barca Player 1 – Player 2.* won: by resignation.*, 1 move/);
  await page.context().close();
});

test('the page of the host comes back when the server was killed; an installed page starts by its kept key', async () => {
  const first = await startServer();
  const port = new URL(first.url).port;
  const page = await openPage(browser, first.url);
  await newGame(page, 'barca', { players: ['here', 'link'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'it is played and saved', () => latest(page, 'position').ply === 1 && latest(page, 'state').saved);
  await page.waitForTimeout(300);
  await first.kill('SIGKILL');
  await page.locator('#connection', { hasText: 'Connecting' }).waitFor();
  const second = await startServer([], { data: first.data, port });
  try {
    assert.equal(second.url, first.url);
    // The game is not open any more: the menu offers it.
    await page.locator('#resume').click({ timeout: 40_000 });
    await until(page, 'the game goes on', () => page.heard.at(-1) && latest(page, 'position').ply === 1 && latest(page, 'state').seats[1].link);
    await untilSeen(page, 'the connection is well', () => document.getElementById('connection').textContent === '');
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel="manifest"]').href)).json());
    const start = new URL(manifest.start_url, new URL('parlor.webmanifest', first.url.split('#')[0])).href;
    assert.ok(!start.includes('#'));
    // As the system starts it: another window of the same browser.
    const installed = await page.context().newPage();
    await installed.goto(start);
    await installed.locator('.menu-card').first().waitFor();
    assert.equal(installed.url(), first.url);
    // The link that skips to the board leaves the key in the address.
    await installed.locator('.skip').focus();
    await installed.keyboard.press('Enter');
    assert.equal(installed.url(), first.url);
    assert.equal(await installed.evaluate(() => document.activeElement.id), 'home');
    await page.context().close();
  } finally {
    await second.stop();
  }
});

test('without a key, or with one that is not valid, the page says what to do, and takes an address', async () => {
  for (const address of [server.url.split('#')[0], server.url.replace(/#.*/, `#${'0'.repeat(32)}`)]) {
    const page = await openPage(browser, address);
    const text = await page.locator('#home').innerText();
    assert.match(text, /parlor board print/);
    assert.deepEqual(await violations(page), []);
    await page.locator('#key').fill('http://elsewhere/');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.menu-card').count(), 0);
    await page.locator('#key').fill(server.url);
    await page.keyboard.press('Enter');
    await page.locator('.menu-card').first().waitFor();
    await page.context().close();
  }
});

test('names and results are the same after a reload, and in the list of games', async () => {
  const own = await startServer();
  try {
    const page = await openPage(browser, own.url);
    await newGame(page, 'barca', { players: ['here', 'here'] });
    await clickCells(page, 'e1', 'a1');
    await until(page, 'it is played', () => latest(page, 'position').ply === 1);
    await resign(page);
    const live = await page.locator('.banner.result p').first().textContent();
    assert.match(live, /^(White|Black) won: by resignation$/);
    await page.reload();
    await page.locator('.banner.result').waitFor();
    await untilSeen(page, 'the banner names the seat', (text) => document.querySelector('.banner.result p').textContent === text, live);
    await newGame(page, 'pacru', { players: ['here', 'here', 'here'], rules: { Players: 3 } });
    await resign(page);
    const places = await page.locator('.banner .places').textContent();
    assert.doesNotMatch(places, /Player/);
    await page.reload();
    await untilSeen(page, 'the places name the seats', (text) => document.querySelector('.banner .places')?.textContent === text, places);
    await newGame(page, 'porrika', { players: ['here', 'random'] });
    await resign(page);
    // The list tells it in the language of the page.
    const german = await openPage(browser, own.url, { settings: { language: 'de' } });
    const list = german.locator('section[aria-label="Offene Partien"] li');
    await list.nth(2).waitFor();
    const texts = (await list.allTextContents()).join('\n');
    assert.match(texts, /random – du|du – random/);
    assert.match(texts, /Du hast verloren: durch Aufgabe|random hat gewonnen: durch Aufgabe/);
    assert.match(texts, /Spieler [12] hat gewonnen: durch Aufgabe/);
    assert.doesNotMatch(texts, /wins|resign|\bp[12]\b/);
    await Promise.all([page.context().close(), german.context().close()]);
  } finally {
    await own.stop();
  }
});

test('the curtain has the name of whom it waits for after a reload, and nothing to press but Show', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barbarossa', { players: ['here', 'here', 'random'] });
  await press(page, '#show-view');
  await until(page, 'the view is shown', () => latest(page, 'position').board);
  await press(page, '#rename');
  await page.locator('dialog input').first().fill('Ann');
  await page.locator('dialog .primary').click();
  await until(page, 'the name is known', () => latest(page, 'state').seats[0].name === 'Ann');
  await press(page, '#hide');
  const text = await page.locator('#handover p').textContent();
  assert.match(text, /Ann \(Player 1\)/);
  const buttons = () => page.evaluate(() => [...document.querySelectorAll('main button, main input, main select, main summary')].filter((one) => one.checkVisibility()).map((one) => one.id || one.textContent));
  assert.deepEqual(await buttons(), ['show-view', 'close-game']);
  await page.reload();
  await page.locator('#show-view').waitFor();
  await untilSeen(page, 'the curtain has the name', (text) => document.querySelector('#handover p')?.textContent === text, text);
  await page.context().close();
});

test('behind the curtain a typed word is nowhere: document, selection, accessibility, titles, storage, memory; nobody takes back or looks', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barbarossa', { players: ['here', 'here', 'random'], rules: { Words: 'free' } });
  await page.locator('#show-view, #form-text').first().waitFor();
  const words = ['umbrella', 'anchor', 'candle', 'bottle'];
  const pick = random(3);
  for (let action = 0; latest(page, 'state').you.curtain !== 'p2'; action++) {
    assert.ok(action < 60, 'the turn passes');
    if (latest(page, 'state').you.curtain === 'p1') {
      await press(page, '#show-view');
      await until(page, 'the view is shown', () => latest(page, 'state').you.curtain === null && latest(page, 'position').board);
    } else if (await page.locator('#form-text').isVisible()) {
      const heard = page.heard.length;
      words.push(words.shift());
      await page.locator('#form-text').fill(words.at(-1));
      await press(page, '.form [type="submit"]');
      await until(page, 'the word is answered', () => page.heard.slice(heard).some(({ type }) => ['step', 'position', 'error'].includes(type)));
      await page.waitForTimeout(50);
    } else if (await page.locator('#done').isVisible()) await press(page, '#done');
    else await clickSomething(page, pick);
    // What was wrong, and what is said, stays to be read for a while.
    await page.evaluate(() => import('./store.js').then(({ announce, app, toast }) => app.state.you.curtain === null && [announce('Ann: word:a3:umbrezzla'), toast('No word: umbrezzla', 'error')]));
  }
  await page.locator('#show-view').waitFor();
  const session = await page.context().newCDPSession(page);
  const tree = JSON.stringify(await session.send('Accessibility.getFullAXTree'));
  const places = await page.evaluate(async () => {
    const { app } = await import('./store.js');
    getSelection().selectAllChildren(document.body);
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
    const memory = JSON.stringify([app.state, app.position, app.table, [...app.tree.nodes.values()]]);
    const found = { document: document.documentElement.outerHTML, selection: String(getSelection()), title: document.title, storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]), fields: fields.join(), memory };
    getSelection().removeAllRanges();
    return found;
  });
  for (const [place, text] of Object.entries({ ...places, tree })) assert.equal(text.match(/.{0,60}(umbrezzla|umbrella|anchor|candle|bottle)/)?.[0], undefined, place);
  assert.match(places.selection, /Pass the screen to Player 2/);
  const refused = (request) => page.evaluate(async (request) => (await import('./store.js')).app.connection.ask(request).then(() => '', ({ message }) => message), request);
  assert.match(await refused({ do: 'undo' }), /^the screen is covered/);
  assert.match(await refused({ do: 'show', seat: 'p1' }), /^the screen waits for/);
  assert.equal(latest(page, 'position').board, null);
  await page.context().close();
});

test('a game without puzzles has no button for them; all puzzles can be reached', async () => {
  const page = await openPage(browser, server.url);
  await until(page, 'the games are described', () => page.heard.filter(({ type }) => type === 'about').length >= GAMES.length);
  for (const game of GAMES) {
    const { puzzles } = latest(page, 'about', (about) => about.menu === game);
    assert.equal(await page.locator(`[data-game="${game}"] .puzzles`).count(), puzzles > 0 ? 1 : 0, game);
  }
  await page.locator('[data-game="barca"] .puzzles').click();
  await page.locator('.puzzle-grid button').first().waitFor();
  const all = latest(page, 'puzzles').count;
  assert.ok(all > 100);
  while (await page.locator('#more-puzzles').count()) {
    const before = await page.locator('.puzzle-grid button').count();
    await page.locator('#more-puzzles').click();
    await untilSeen(page, 'more come', (before) => document.querySelectorAll('.puzzle-grid button').length > before, before);
  }
  assert.equal(await page.locator('.puzzle-grid button').count(), all);
  await page.context().close();
});

/** Words that are names, or the same everywhere. */
const NAMES = new Set('parlor board listen lorc delapouite game icons net svg fen english deutsch español http'.split(' '));

test('in another language every word comes from the list of words or from an engine', async () => {
  const page = await openPage(browser, server.url, { settings: { language: 'hi' } });
  /** Latin words that a person reads or hears and that no message has. */
  const strays = async (where) => {
    const seen = await page.evaluate(() => {
      const texts = [document.title];
      for (const element of document.querySelectorAll('body *')) {
        if (!element.checkVisibility() && !element.classList.contains('unseen')) continue;
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '');
        for (const node of element.childNodes) if (node.nodeType === 3 && !element.closest('script, noscript, .rules')) texts.push(node.nodeValue);
      }
      return texts;
    });
    const known = new Set(page.raw.flatMap((text) => text.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase().match(/[a-zäöüñé]{3,}/g) ?? []));
    const found = new Set(seen.flatMap((text) => text.toLowerCase().match(/[a-zäöüñé]{3,}/g) ?? []).filter((word) => !known.has(word) && !NAMES.has(word)));
    assert.deepEqual([...found], [], where);
  };
  await until(page, 'the games are described', () => page.heard.filter(({ type }) => type === 'about').length >= GAMES.length);
  await strays('the menu');
  for (const opener of ['#go-settings', '#open-my-games', '#open-import', '[data-game="chowka-bhara"] .set-up']) {
    await press(page, opener);
    await page.locator('dialog[open]').waitFor();
    await page.waitForTimeout(50);
    await strays(opener);
    await page.locator('dialog .close').click();
  }
  for (const game of GAMES) {
    const heard = page.heard.length;
    await page.locator(`[data-game="${game}"] .play-now`).click();
    await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
    await strays(game);
    await clickSomething(page, random(1));
    await page.waitForTimeout(50);
    await strays(`${game}, a piece chosen`);
    if (game === 'barca') {
      await press(page, '#copy');
      await page.locator('dialog textarea').waitFor();
      await strays('copy');
      await page.locator('dialog .close').click();
      await resign(page);
      await strays('the end');
    }
    await page.locator('#go-home').click();
    await page.locator('#home').waitFor();
  }
  await page.context().close();
});

test('lines of an analysis are in words', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await press(page, '#analyse');
  await untilSeen(page, 'the moves of a line are in words', () => /^\S+ [a-j]\d+–[a-j]\d+(, takes)?; [a-j]\d+–[a-j]\d+(, takes)?;/.test(document.querySelector('.lines[aria-label="Lines of analysis"] li')?.textContent ?? ''));
  await keepPicture(page, 'lines');
  await page.context().close();
});

test('who has the harder game meets a lower level, is told so, and meets the own level after a change of sides', async () => {
  const page = await openPage(browser, server.url);
  await page.locator('[data-game="porrika"] .set-up').click();
  const field = (name) => page.locator(`dialog [data-field="${name}"]`);
  assert.equal(await field('limit 1').inputValue(), 'level 3');
  assert.equal(await page.locator('dialog .even').count(), 0);
  await field('kind 0').selectOption('engine 0');
  await field('kind 1').selectOption('here');
  assert.equal(await field('limit 0').inputValue(), 'level 2');
  assert.equal(await page.locator('dialog .even').textContent(), 'Silver has the harder game: level 2 makes it even.');
  await page.locator('dialog #start').click();
  await page.locator('#seats .even', { hasText: 'Silver has the harder game: level 2 makes it even.' }).waitFor();
  await until(page, 'the engine has played', () => latest(page, 'position')?.ply > 0);
  await resign(page);
  // Two more losses, and a lower level is offered: this one counts as a loss at level 3.
  await untilSeen(page, 'the result is counted', () => JSON.parse(localStorage.getItem('parlor-progress') ?? '{}').porrika !== undefined);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('parlor-progress')).porrika);
  assert.deepEqual([kept.level, kept.row], [3, -1]);
  await press(page, '#rematch');
  await until(page, 'sides have changed', () => latest(page, 'state').round === 2);
  assert.deepEqual(latest(page, 'state').seats.map(({ kind, level }) => [kind, level ?? 0]), [['here', 0], ['engine', 3]]);
  await page.locator('#seats .even').waitFor({ state: 'detached' });
  await page.context().close();
});
