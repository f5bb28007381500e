// Prints how long a person waits, medians in ms: node tests/board/measure.mjs
// PARLOR_PROGRAMS: a folder with the built programs, in place of target/debug.

import { cell, launch, newGame, openPage, press, startServer } from './harness.mjs';

const RUNS = 9;

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** Presses a cell; ms from the click to the frame in which the name of another cell fits. */
async function clickToFrame(page, from, to, part) {
  await page.evaluate(([to, part]) => {
    const fits = () => document.querySelector(`#board .hit[data-cell="${to}"]`)?.getAttribute('aria-label')?.includes(part);
    globalThis.waited = new Promise((resolve) => {
      addEventListener('pointerup', () => {
        const start = performance.now();
        const look = () => (fits() ? resolve(performance.now() - start) : requestAnimationFrame(look));
        requestAnimationFrame(look);
      }, { once: true, capture: true });
    });
  }, [to, part]);
  await press(page, cell(from));
  return page.evaluate(() => globalThis.waited);
}

const browser = await launch();
const starts = [], choices = [], moves = [];
try {
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    const server = await startServer();
    const page = await openPage(browser, server.url);
    starts.push(performance.now() - began);
    await newGame(page, 'barca', { players: ['here', 'here'] });
    choices.push(await clickToFrame(page, 'e2', 'e4', 'can go here'));
    moves.push(await clickToFrame(page, 'e4', 'e4', 'mouse'));
    await page.context().close();
    await server.stop();
  }
} finally {
  await browser.close();
}
console.log(`command to page ${median(starts).toFixed(0)} (slowest ${Math.max(...starts).toFixed(0)})`);
console.log(`click to drawn targets ${median(choices).toFixed(1)} (slowest ${Math.max(...choices).toFixed(1)})`);
console.log(`click to drawn move ${median(moves).toFixed(1)} (slowest ${Math.max(...moves).toFixed(1)})`);
