// Every lesson, ten puzzles and a game of each game, by a finger on a phone and by keys alone. The
// script knows no rules: it does what the page shows. Some of it always, with PARLOR_SLOW_TESTS=1 all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { GAMES, HANDS, answered, cell, latest, offers, openPage, random, solve, until } from './harness.mjs';

const IS_SLOW = Boolean(process.env.PARLOR_SLOW_TESTS);
const PUZZLES = 10;
/** A page for each way to press. */
const WAYS = {
  finger: { width: 390, height: 800, touch: true },
  keys: { width: 1366, height: 900 },
};

/** Waits until the board of a task stands. */
async function boardOf(page, text) {
  await page.locator('#task-text', { hasText: text }).waitFor();
  await until(page, 'the board stands', () => latest(page, 'position')?.game === latest(page, 'state')?.game && latest(page, 'position').node === latest(page, 'state').live);
  await page.waitForTimeout(30);
}

async function everyLesson(page, game, hand, most) {
  await hand(page, `[data-game="${game}"] .learn`);
  await page.locator('.task-list').waitFor();
  const { lessons } = latest(page, 'lessons');
  assert.ok(lessons.length >= 3, `${lessons.length} lessons`);
  for (const { id, steps } of lessons.slice(0, most)) {
    await hand(page, `[data-lesson="${id}"]`);
    for (const [index, step] of steps.entries()) {
      await boardOf(page, step.text);
      if (step.solution) {
        await solve(page, step.solution, hand);
        await page.locator('#task-said.right').waitFor();
      }
      await hand(page, index + 1 === steps.length ? '#task-list' : '#task-next');
    }
    await page.locator(`li:has([data-lesson="${id}"]) .done`).waitFor();
  }
  await hand(page, 'dialog .close');
  await hand(page, '#go-home');
  await page.locator('#home').waitFor();
}

async function tenPuzzles(page, game, hand, most) {
  // A game without puzzles has no button for them.
  if (latest(page, 'about', ({ menu }) => menu === game).puzzles === 0) return;
  await hand(page, `[data-game="${game}"] .puzzles`);
  const { puzzles } = await until(page, 'puzzles come', () => latest(page, 'puzzles', ({ menu }) => menu === game));
  await hand(page, '#next-puzzle');
  for (let number = 0; number < Math.min(most, puzzles.length); number++) {
    await page.locator('#task h2', { hasText: `Puzzle ${number + 1} ` }).waitFor();
    await boardOf(page, puzzles[number].text);
    await until(page, 'moves are offered', () => latest(page, 'position').step);
    await solve(page, puzzles[number].solution, hand);
    await page.locator('#task-said.right').waitFor();
    await hand(page, '#task-next');
  }
  await hand(page, '#go-home');
  await page.locator('#home').waitFor();
}

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
      await tenPuzzles(page, game, hand, IS_SLOW ? PUZZLES : 2);
      await aGame(page, game, hand, IS_SLOW ? Infinity : 12);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
