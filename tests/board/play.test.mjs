// A whole game of every game, played by clicks; one by the keyboard alone; one with a finger on a
// small screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { answered, cell, clickSomething, keepPicture, latest, newGame, openPage, playOut, press, random, until, untilSeen } from './harness.mjs';

/** The choices of the engine's hint, clicked one after another. */
async function followHint(page, enter) {
  const state = latest(page, 'state');
  const position = latest(page, 'position');
  if (!position?.act || position.node !== state.live || state.phase !== 'play') return false;
  const heard = page.heard.length;
  await page.locator('#hint').click();
  const hint = await until(page, 'the hint comes', () => page.heard.slice(heard).findLast((message) => message.type === 'hint'));
  for (const choice of hint.path) await enter(choice);
  if (await page.locator('#done').isVisible()) await press(page, '#done');
  await until(page, 'the move is played', () => latest(page, 'state').live !== state.live);
  return true;
}

/** What is to be seen at the end of every game. */
async function checkEnd(page, state) {
  assert.ok(state.result, 'a finished game has a result');
  await page.locator('.banner.result').waitFor();
  assert.equal(await page.locator('#board .hit.able').count(), 0, 'nothing may be chosen any more');
  assert.deepEqual(page.problems, []);
}

/** Clicks a cell or a button and waits for the answer. */
function clicker(page, touch = false) {
  return async (choice) => {
    const heard = page.heard.length;
    const button = page.locator(`#entry .choice[data-choice="${choice}"]`);
    if (await button.count()) await press(page, `#entry .choice[data-choice="${choice}"]`, touch);
    else await press(page, cell(choice), touch);
    await until(page, 'the click is answered', () => answered(page, heard));
  };
}

test('Barca, as the hints say: White wins against random', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['here', 'random'] });
  const state = await playOut(page, () => followHint(page, clicker(page)));
  await keepPicture(page, 'barca-won');
  await checkEnd(page, state);
  assert.equal(state.result.places[0], 1);
  await page.context().close();
});

test("Por'rika as Silver", async () => {
  const page = await openPage(browser, server.url);
  const pick = random(3);
  await newGame(page, 'porrika', { players: ['random', 'here'], rules: { MaxPlies: 90 } });
  const state = await playOut(page, () => clickSomething(page, pick));
  await checkEnd(page, state);
  await page.context().close();
});

test('Pacru', async () => {
  const page = await openPage(browser, server.url);
  const pick = random(5);
  await newGame(page, 'pacru', { players: ['here', 'random'], rules: { MaxPlies: 80 } });
  // Rotations could go on for ever.
  const state = await playOut(page, () => clickSomething(page, pick, { avoid: (choice) => /^[<>]/.test(choice) }));
  await checkEnd(page, state);
  await page.context().close();
});

test('Chowka bhara: throws by a click, several steps in a turn', async () => {
  const page = await openPage(browser, server.url);
  const pick = random(7);
  await newGame(page, 'chowka-bhara', { players: ['here', 'random'], throws: 'click' });
  const state = await playOut(page, () => clickSomething(page, pick));
  await checkEnd(page, state);
  await page.context().close();
});

test('Barbarossa: words, clay, questions, guesses', async () => {
  const page = await openPage(browser, server.url, { width: 1500, height: 900 });
  const pick = random(11);
  await newGame(page, 'barbarossa', { players: ['here', 'random', 'random'], rules: { Goal: 10, CurseWindows: 'turn' } });
  const state = await playOut(page, () => clickSomething(page, pick), 6000);
  // Every word lies open, with what was told of it.
  await untilSeen(page, 'nothing is hidden any more', () => document.querySelectorAll('.card').length === 9 && !document.querySelector('.hidden-card'));
  const cards = await page.locator('.card').evaluateAll((all) => all.map((card) => ({ word: card.querySelector('strong').textContent, lines: card.querySelectorAll('li').length, badges: card.querySelector('.badges')?.textContent ?? '' })));
  assert.equal(cards.length, 9);
  for (const { word, lines } of cards) assert.ok(/^[a-z_ ]+$/.test(word) && !['hidden', 'not chosen yet'].includes(word) && lines > 0, word);
  await keepPicture(page, 'barbarossa-over');
  await checkEnd(page, state);
  await page.context().close();
});

test('Barca by the keyboard alone', async () => {
  const page = await openPage(browser, server.url);
  const key = (name) => page.keyboard.press(name);
  // From the head of the page to the button of the first game.
  const focused = () => page.evaluate(() => document.activeElement?.dataset?.cell ?? document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
  await until(page, 'the games are described', () => latest(page, 'about', (message) => message.menu === 'barca'));
  await page.locator('[data-game="barca"] .play-now[aria-label]').waitFor();
  for (let tabs = 0; tabs < 12 && (await focused()) !== 'Set up a game of Barca'; tabs++) await key('Tab');
  assert.equal(await focused(), 'Set up a game of Barca');
  await key('Enter');
  await page.locator('dialog').waitFor();
  // Black is to be the engine's player `random`.
  for (let tabs = 0; tabs < 12 && (await focused()) !== 'Player of Black'; tabs++) await key('Tab');
  for (let steps = 0; steps < 12 && (await page.evaluate(() => document.activeElement.value)) !== 'random'; steps++) await key('ArrowDown');
  for (let tabs = 0; tabs < 12 && (await focused()) !== 'start'; tabs++) await key('Tab');
  await key('Enter');
  await until(page, 'the game begins', () => latest(page, 'position')?.step);
  const walk = async (to) => {
    for (let tabs = 0; tabs < 40 && !(await page.evaluate(() => Boolean(document.activeElement?.closest('#board')))); tabs++) await key('Tab');
    for (let steps = 0; steps < 30; steps++) {
      const at = await focused();
      if (at === to) break;
      const [file, rank] = [to.charCodeAt(0) - at.charCodeAt(0), Number(to.slice(1)) - Number(at.slice(1))];
      await key(file > 0 ? 'ArrowRight' : file < 0 ? 'ArrowLeft' : rank > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    assert.equal(await focused(), to);
    const heard = page.heard.length;
    await key('Enter');
    await until(page, 'the key is answered', () => answered(page, heard));
  };
  // The engine's advice is fetched from the socket's messages; every press is a key.
  const hint = async (page, enter) => {
    const state = latest(page, 'state');
    const position = latest(page, 'position');
    if (!position?.act || position.node !== state.live || state.phase !== 'play') return false;
    for (let tabs = 0; tabs < 40 && (await focused()) !== 'hint'; tabs++) await key('Tab');
    const heard = page.heard.length;
    await key('Enter');
    const advice = await until(page, 'the hint comes', () => page.heard.slice(heard).findLast((message) => message.type === 'hint'));
    for (const choice of advice.path) await enter(choice);
    await until(page, 'the move is played', () => latest(page, 'state').live !== state.live);
    return true;
  };
  const state = await playOut(page, () => hint(page, walk));
  await checkEnd(page, state);
  assert.equal(state.result.places[0], 1);
  await page.context().close();
});

test('a phone: Chowka bhara with a finger, moves are confirmed', async () => {
  const page = await openPage(browser, server.url, { width: 360, height: 740, touch: true });
  const pick = random(13);
  await newGame(page, 'chowka-bhara', { players: ['here', 'random'], throws: 'click' });
  let confirmed = 0;
  const state = await playOut(page, async () => {
    if (await page.locator('.thumb-done').isVisible()) confirmed += 1;
    return clickSomething(page, pick, { touch: true });
  });
  await keepPicture(page, 'phone-over');
  await checkEnd(page, state);
  assert.ok(confirmed > 5, 'a finger is asked before a move is played');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `the page is ${wide} px wide`);
  await page.context().close();
});
