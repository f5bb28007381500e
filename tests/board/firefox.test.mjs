// The page in Firefox, by WebDriver BiDi: the menu, a game by clicks, a lesson, another language.
// Without Firefox these tests are skipped.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import playwright from 'playwright-core';
import { GAMES, keepPicture, startServer } from './harness.mjs';

const program = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const skip = existsSync(program) ? false : 'there is no firefox-esr';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server;
let browser;
before(async () => {
  if (skip) return;
  server = await startServer();
  browser = await playwright._bidiFirefox.launch({ executablePath: program, headless: true });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Waits until a function of the page says something, and something that will do. */
async function seen(page, what, holds, argument, willDo = () => true) {
  for (const end = Date.now() + 20_000; ; ) {
    const value = await page.evaluate(holds, argument);
    if (value && willDo(value)) return value;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await page.waitForTimeout(20);
  }
}

/** Clicks the middle of the first element that a selector finds, with the mouse, once it stands still. */
async function click(page, selector) {
  let before;
  const [x, y] = await seen(page, `${selector} can be clicked`, (selector) => {
    const element = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled);
    element?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = element?.getBoundingClientRect();
    const at = box && [box.x + box.width / 2, box.y + box.height / 2];
    return at && element.contains(document.elementFromPoint(...at)) ? at : null;
  }, selector, (at) => {
    const stands = String(at) === String(before);
    before = at;
    return stands;
  });
  await page.mouse.click(x, y);
}

async function open() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.wrong = [];
  page.on('pageerror', (error) => page.wrong.push(String(error)));
  await page.goto(server.url);
  await seen(page, 'the menu is there', (count) => document.querySelectorAll('.menu-card .learn').length === count, GAMES.length);
  return page;
}

/** The rules of axe-core that are broken. */
const broken = (page) => page.evaluate(axe).then(() => page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)));

test('Firefox: a game by clicks against the engine, to the end', { skip }, async () => {
  const page = await open();
  assert.deepEqual(await broken(page), []);
  await click(page, '[data-game="barca"] .play-now');
  const plies = () => document.querySelectorAll('.turn .move').length;
  for (let turn = 0; turn < 3; turn++) {
    const before = await page.evaluate(plies);
    const from = await seen(page, 'an animal may move', () => document.querySelector('#board .hit.able')?.dataset.cell);
    await click(page, `#board .hit[data-cell="${from}"]`);
    const to = await seen(page, 'it may go somewhere', (from) => [...document.querySelectorAll('#board .hit.able')].find((one) => one.getAttribute('aria-label').endsWith('can go here') && one.dataset.cell !== from)?.dataset.cell, from);
    await click(page, `#board .hit[data-cell="${to}"]`);
    await seen(page, 'both have moved', (before) => document.querySelectorAll('.turn .move').length >= before + 2 && document.querySelector('#board .hit.able'), before);
  }
  assert.deepEqual(await broken(page), []);
  await keepPicture(page, 'firefox');
  await click(page, '#resign');
  await click(page, '.resign-now');
  assert.match(await seen(page, 'the end is told', () => document.querySelector('.banner.result')?.textContent), /^You lost: by resignation/);
  assert.deepEqual(page.wrong, []);
  await page.context().close();
});

test('Firefox: a lesson by clicks, and another language', { skip }, async () => {
  const page = await open();
  await click(page, '[data-game="barca"] .learn');
  await click(page, '.task-list button');
  await click(page, '#task-show');
  // The page says the move in words: from one cell to another.
  const cells = await seen(page, 'the move is told', () => document.querySelector('#task-said')?.textContent.match(/([a-j]\d+)–([a-j]\d+)/)?.slice(1));
  for (const cell of cells) await click(page, `#board .hit[data-cell="${cell}"]`);
  await seen(page, 'it is right', () => document.querySelector('#task-said.right'));
  await click(page, '#go-settings');
  await page.evaluate(() => {
    const select = document.querySelector('dialog select');
    select.value = [...select.options].find((option) => option.textContent === 'Deutsch').value;
    select.dispatchEvent(new Event('change'));
  });
  await seen(page, 'it is German', () => document.querySelector('#go-settings').textContent === 'Einstellungen');
  assert.deepEqual(page.wrong, []);
  await page.context().close();
});
