// Takes the picture of the board for the README: node tests/board/picture.mjs docs/images/board.png

import { launch, newGame, openPage, startServer } from './harness.mjs';

const LINE =
  'startpos moves f1j1 d9a6 j1g4 e10c8 e2e7 c8c3 d2g5 g9f8 e7e6 f8e7 e6g6 c3h3 g2c6 f9f3 g4e6 e7b10 g5f4 f3c3 g6g4 h3d3 c6e8 e9g9 e6b6 a6c8 b6f6 g9g7 f6c9 c8f5';

const server = await startServer();
const browser = await launch();
try {
  const page = await openPage(browser, server.url, { width: 1180, height: 760 });
  await newGame(page, 'barca', { players: ['here', 'greedy'], start: LINE, clock: '300+3' });
  await page.locator('#analyse').click();
  await page.locator('.lines li').nth(2).waitFor();
  await page.waitForTimeout(1500);
  await page.mouse.move(5, 400);
  await page.screenshot({ path: process.argv[2] });
} finally {
  await browser.close();
  await server.stop();
}
