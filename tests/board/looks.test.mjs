// Every screen of the page under axe-core, in every theme and at every size; nothing may be wider
// than the window. One theme and size always, with PARLOR_SLOW_TESTS=1 all of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { GAMES, clickSomething, keepPicture, latest, newGame, openPage, press, random, resign, review, until, violations } from './harness.mjs';

const SIZES = [[320, 568], [360, 740], [768, 1024], [1280, 800], [1920, 1080], [740, 360]];
const THEMES = { light: { scheme: 'light' }, dark: { scheme: 'dark' }, contrast: { contrast: true }, forced: { scheme: 'dark', forced: true } };
const IS_SLOW = Boolean(process.env.PARLOR_SLOW_TESTS);

/** The screens of the page, one after the other; each calls `check` with its name. */
async function everyScreen(page, check) {
  const home = async () => {
    await page.locator('#go-home').click();
    await page.locator('#home').waitFor();
  };
  const shut = () => page.locator('dialog .close').click();
  const dialog = async (name, open) => {
    await open();
    await page.locator('dialog[open]').waitFor();
    await check(name);
    await shut();
  };
  await until(page, 'the games are described', () => page.heard.filter((message) => message.type === 'about').length >= GAMES.length);
  await check('menu');
  await dialog('settings', () => page.locator('#go-settings').click());
  await dialog('my games', () => page.locator('#open-my-games').click());
  await dialog('import', () => page.locator('#open-import').click());
  await dialog('set-up', () => page.locator('[data-game="chowka-bhara"] .set-up').click());
  await dialog('lessons', () => page.locator('[data-game="barca"] .learn').click());
  await dialog('puzzles', () => page.locator('[data-game="barca"] .puzzles').click());
  for (const game of GAMES) {
    const heard = page.heard.length;
    await page.locator(`[data-game="${game}"] .play-now`).click();
    await until(page, 'the game begins', () => page.heard.slice(heard).some((message) => message.type === 'position' && message.step));
    await clickSomething(page, random(1));
    await page.waitForTimeout(60);
    await check(game);
    if (game === 'porrika') await dialog('rules', () => page.locator('#go-rules').click());
    if (game === 'porrika') await dialog('copy', () => press(page, '#copy'));
    await home();
  }
  await page.locator('[data-game="porrika"] .learn').click();
  await page.locator('.task-list button').first().click();
  await until(page, 'the lesson stands', () => latest(page, 'state').phase === 'analysis' && latest(page, 'position').game === latest(page, 'state').game);
  await page.waitForTimeout(60);
  await check('lesson');
  await home();
  await page.locator('[data-game="chowka-bhara"] .puzzles').click();
  await page.locator('#next-puzzle').click();
  await page.locator('#task-show').waitFor();
  await page.waitForTimeout(60);
  await check('puzzle');
  await home();
  await newGame(page, 'barbarossa', { players: ['here', 'here', 'random'] });
  await page.locator('#show-view').waitFor();
  await check('curtain');
  await newGame(page, 'barbarossa', { players: ['link', 'link', 'link'] });
  await page.locator('.seat-link').first().waitFor();
  await check('table');
  await dialog('code', () => page.locator('.show-qr').first().click());
  await newGame(page, 'barca', { players: ['here', 'here'] });
  for (let ply = 0; ply < 6; ply = latest(page, 'position').ply) await clickSomething(page, random(ply + 2));
  await dialog('resign', () => press(page, '#resign'));
  await resign(page);
  await review(page);
  if (await page.locator('#next-mistake').count()) await press(page, '#next-mistake');
  await page.locator('.toast').first().waitFor({ state: 'detached' });
  await check('review');
  await home();
  await check('menu with games');
}

for (const [theme, look] of Object.entries(THEMES)) {
  for (const [width, height] of SIZES) {
    if (!IS_SLOW && !(theme === 'dark' && width === 320)) continue;
    test(`axe-core finds nothing on any screen, ${theme}, ${width} by ${height}`, async () => {
      const page = await openPage(browser, server.url, { ...look, width, height, touch: width < 800 });
      const found = [];
      await everyScreen(page, async (name) => {
        found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) found.push(`${name} is ${wide} px wide`);
        await keepPicture(page, `${width}-${theme}-${name.replaceAll(' ', '-')}`);
      });
      assert.deepEqual(found, []);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
