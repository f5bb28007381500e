// Every lesson, ten puzzles and a game of each game, by a finger on a phone and by keys alone. The
// script knows no rules: it does what the page shows. Some of it always, with PARLOR_SLOW_TESTS=1 all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { GAMES, HANDS, answered, cell, everyLesson, latest, offers, openPage, random, somePuzzles, until } from './harness.mjs';

const IS_SLOW = Boolean(process.env.PARLOR_SLOW_TESTS);
const PUZZLES = 10;
/** A page for each way to press. */
const WAYS = {
  finger: { width: 390, height: 800, touch: true },
  keys: { width: 1366, height: 900 },
};

/** A game against the engine at its gentle level, to the end or for so many presses. */
async function aGame(page, game, hand, most) {
  const heard = page.heard.length;
  await hand(page, `[data-game="${game}"] .play-now`);
  await until(page, 'the game begins', () => page.heard.slice(heard).some(({ type }) => type === 'position'));
  const pick = random(29);
  const quoted = (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  for (let presses = 0, idle = Date.now(); latest(page, 'state').phase !== 'over' && presses < most; ) {
    if (Date.now() > idle + 60_000) throw new Error(`nothing happens any more: ${JSON.stringify(await offers(page))}`);
    const found = await offers(page);
    const all = [
      ...found.cells.map(cell),
      // Rotations could go on for ever.
      ...found.choices.filter((choice, _, all) => !/^[<>]/.test(choice) || all.length + found.cells.length === found.choices.filter((other) => /^[<>]/.test(other)).length).map((choice) => `#entry .choice[data-choice="${quoted(choice)}"]`),
      ...found.cards.map((card) => `.card-choice[data-card="${card}"]`),
    ];
    const target = found.throws ? '.throw' : found.done && (all.length === 0 || pick(2) === 0) ? '#done, .thumb-done' : all[pick(all.length || 1)];
    const { act, node } = latest(page, 'position');
    // Of what is typed the page lists completions.
    if (!target && found.form) {
      await page.locator('#form-text').fill('abcdefghijklmnoprstuvw'[pick(22)]);
      await page.waitForTimeout(200);
      idle = Date.now();
      continue;
    }
    if (!target || !act || node !== latest(page, 'state').live) {
      await page.waitForTimeout(20);
      continue;
    }
    const asked = page.heard.length;
    await hand(page, target);
    await until(page, 'the press is answered', () => answered(page, asked) || latest(page, 'state').phase === 'over');
    presses += 1;
    idle = Date.now();
  }
  if (most === Infinity) {
    await page.locator('.banner.result').waitFor();
    assert.ok(latest(page, 'state').result);
  }
  await hand(page, '#go-home');
  await page.locator('#home').waitFor();
}

for (const [way, size] of Object.entries(WAYS)) {
  for (const game of GAMES) {
    test(`${game}: ${IS_SLOW ? 'every lesson, ten puzzles, a game' : 'a lesson, two puzzles, some moves'}, ${way} alone`, async () => {
      const page = await openPage(browser, server.url, { ...size, settings: { sound: false } });
      await page.locator(`[data-game="${game}"] .learn`).waitFor();
      const hand = HANDS[way];
      await everyLesson(page, game, hand, IS_SLOW ? Infinity : 1);
      await somePuzzles(page, game, hand, IS_SLOW ? PUZZLES : 2);
      await aGame(page, game, hand, IS_SLOW ? Infinity : 12);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
