// What is to be seen, and not cut or covered, on small screens; what stands at the thumb; full screen;
// what moves when something is taken; offers between people.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, server } from './both.mjs';
import { answered, cell, clickCells, clickSomething, keepPicture, latest, newGame, openPage, press, random, resign, review, until, untilSeen, violations } from './harness.mjs';

/** White wins at once by b2 to d4. */
const WON = 'fen 10/9l/10/3M2M3/10/10/8m1/10/1L7e/10 w';

/** Elements of a selector of which a part lies outside the window, or is covered where it stands now. */
function hidden(page, selector) {
  return page.evaluate((selector) => {
    const seen = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    if (seen.length === 0) return [`there is no ${selector}`];
    return seen.flatMap((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const what = `${one.id || one.textContent.slice(0, 40)} at ${[left, top, right, bottom].map(Math.round)}`;
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return [`${what} is outside`];
      const spots = [[left + 4, top + 4], [right - 4, bottom - 4], [(left + right) / 2, (top + bottom) / 2]];
      const cover = spots.map(([x, y]) => document.elementFromPoint(x, y)).find((at) => at && !one.contains(at) && !at.contains(one));
      return cover ? [`${what} is covered by ${cover.id || cover.className}`] : [];
    });
  }, selector);
}

/** What lies outside the window to the side, but for what may be scrolled there. */
function cutAtTheSide(page, selector) {
  return page.evaluate((selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map((one) => [one.textContent.slice(0, 30), one.getBoundingClientRect()]).filter(([, box]) => box.left < -1 || box.right > innerWidth + 1).map(([text, box]) => `${text} ${Math.round(box.left)} to ${Math.round(box.right)}`), selector);
}

for (const [width, height] of [[320, 568], [360, 740], [768, 1024], [740, 360]]) {
  test(`${width} by ${height}: a mistake, the board and why are to be seen at once`, async () => {
    const page = await openPage(browser, server.url, { width, height, touch: true, settings: { confirm: 'never' } });
    await newGame(page, 'barca', { players: ['here', 'here'], start: WON });
    await clickCells(page, 'b2', 'a1', 'i4', 'i10');
    await until(page, 'both have moved', () => latest(page, 'position').ply === 2);
    await resign(page, true);
    await review(page, true);
    await press(page, '#next-mistake', true);
    await page.locator('#why').waitFor();
    await until(page, 'the mistake is shown', () => latest(page, 'position').ply === 0);
    await page.waitForTimeout(400);
    await keepPicture(page, `why-${width}`);
    assert.deepEqual(await hidden(page, '#why'), []);
    assert.deepEqual(await hidden(page, '#board'), []);
    await page.context().close();
  });
}

test('a phone that lies: nothing covers the buttons, the moves begin on the screen, all choices are there', async () => {
  const page = await openPage(browser, server.url, { width: 740, height: 360, touch: true, settings: { confirm: 'never' } });
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await clickCells(page, 'e1', 'a1');
  await until(page, 'it is played', () => latest(page, 'position').ply === 1);
  for (const what of ['#analyse', '#hint', '#thumb button', '#moves h2', '#board']) assert.deepEqual(await hidden(page, what), [], what);
  await press(page, '#hint', true);
  await page.locator('.lines li').first().waitFor();
  assert.deepEqual(await hidden(page, '.lines li'), []);
  // Six words to choose from.
  await newGame(page, 'barbarossa', { players: ['here', 'random', 'random'] });
  await page.locator('#entry .choice').nth(5).waitFor();
  const box = await page.locator('#entry .choices').first().evaluate((one) => [one.scrollHeight, one.clientHeight]);
  assert.ok(box[0] <= box[1] + 1, `choices of ${box[0]} px in ${box[1]}`);
  await page.evaluate(() => scrollTo(0, 0));
  await newGame(page, 'barca', { players: ['here', 'link'] });
  await press(page, '.show-qr', true);
  await page.locator('dialog .qr').waitFor();
  await page.waitForTimeout(100);
  assert.deepEqual(await hidden(page, 'dialog .qr'), []);
  await page.context().close();
});

for (const [width, height] of [[360, 740], [740, 360], [1280, 800]]) {
  test(`${width} by ${height}: no card of Barbarossa is cut; on a phone hands of others fold`, async () => {
    const page = await openPage(browser, server.url, { width, height, touch: width < 800 });
    await newGame(page, 'barbarossa', { players: ['here', 'random', 'random'] });
    const hands = page.locator('.hand');
    await hands.nth(2).waitFor();
    const open = () => hands.evaluateAll((all) => all.map((one) => one.open));
    assert.deepEqual(await open(), [true, width >= 800, width >= 800]);
    if (width < 800) {
      await press(page, '.hand:nth-child(2) summary', true);
      assert.deepEqual(await open(), [true, true, false]);
      // It stays open when something else happens.
      await press(page, '#flip', true);
      assert.deepEqual(await open(), [true, true, false]);
      await press(page, '.hand:nth-child(2) summary', true);
    }
    const pick = random(9);
    for (let n = 0; n < 60 && latest(page, 'position').ply < 80; n++) await clickSomething(page, pick, { touch: width < 800, avoid: (choice) => /^(guess|curse)/.test(choice) });
    assert.deepEqual(await cutAtTheSide(page, '.card, .hand, .hand *'), []);
    // Where objects are chosen all hands are open. Others move meanwhile: both are asked at once.
    const [long, choosing] = await page.evaluate(() => [document.documentElement.scrollHeight, document.querySelectorAll('.card-choice').length]);
    if (width < 800 && choosing === 0) assert.ok(long <= 2600, `${long} px long`);
    await page.evaluate(() => scrollTo(0, 0));
    assert.deepEqual(await violations(page), []);
    await keepPicture(page, `cards-${width}`);
    await page.context().close();
  });
}

test('360 by 740: a finished game in the list, the seats of the set-up, and the links are not squeezed', async () => {
  const page = await openPage(browser, server.url, { width: 360, height: 740, touch: true });
  await newGame(page, 'barca', { players: ['here', 'here'] });
  await resign(page, true);
  await page.locator('#go-home').tap();
  await page.locator('#open-my-games').tap();
  const row = await page.locator('.my-games li').first().boundingBox();
  const text = await page.locator('.my-games li > span').first().boundingBox();
  assert.ok(text.width > 0.85 * row.width, `${text.width} px of ${row.width}`);
  await page.locator('dialog .close').tap();
  await page.locator('[data-game="barca"] .set-up').tap();
  const fields = await page.locator('.new-seat').nth(1).locator('select').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  assert.equal(fields[1], fields[2], 'player and level stand in one row');
  await page.locator('dialog .close').tap();
  await newGame(page, 'barca', { players: ['here', 'link'] });
  const link = await page.locator('.seat-link input').evaluate((field) => [field.clientWidth, field.value.length]);
  assert.ok(link[0] > 230, `the link has ${link[0]} px`);
  await page.context().close();
});

test('at the thumb stands what matters now', async () => {
  const page = await openPage(browser, server.url, { width: 390, height: 844, touch: true });
  const thumb = () => page.locator('#thumb button').allTextContents();
  await newGame(page, 'barca', { players: ['here', 'here'] });
  assert.deepEqual(await thumb(), ['Hint']);
  const tap = async (selector) => {
    const heard = page.heard.length;
    await press(page, selector, true);
    await until(page, 'it is answered', () => answered(page, heard));
  };
  await tap(cell('e1'));
  await untilSeen(page, 'a choice can be undone', () => [...document.querySelectorAll('#thumb button')].map((one) => one.textContent).join() === 'Undo');
  await tap(cell('a1'));
  await untilSeen(page, 'the move can be played', () => [...document.querySelectorAll('#thumb button')].map((one) => one.textContent).join() === 'Undo,Play it');
  await tap('.thumb-done');
  await untilSeen(page, 'it can be taken back', () => [...document.querySelectorAll('#thumb button')].map((one) => one.textContent).join() === 'Take back,Hint');
  await press(page, '#thumb button', true);
  await until(page, 'it is taken back', () => latest(page, 'position').ply === 0);
  await newGame(page, 'chowka-bhara', { players: ['here', 'here'], throws: 'click' });
  await untilSeen(page, 'one may throw', () => [...document.querySelectorAll('#thumb button')].map((one) => one.textContent).join() === 'Throw');
  await resign(page, true);
  await untilSeen(page, 'one may step back and on', () => [...document.querySelectorAll('#thumb button')].map((one) => one.textContent).join() === '◀,▶');
  await page.context().close();
});

test('the page fills the screen on request, and leaves it', async () => {
  const page = await openPage(browser, server.url);
  await page.locator('#go-settings').click();
  for (const isFull of [true, false]) {
    await page.locator('#full-screen').click();
    await untilSeen(page, 'the screen is full, or not any more', (isFull) => Boolean(document.fullscreenElement) === isFull, isFull);
  }
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a piece that is taken fades while the other arrives', async () => {
  const page = await openPage(browser, server.url, { reduced: false });
  await newGame(page, 'barca', { players: ['here', 'here'] });
  const seen = await page.evaluate(async () => {
    const [{ BoardView }, { app }, { svg }] = await Promise.all(['board', 'store', 'svg'].map((name) => import(`./${name}.js`)));
    const view = new BoardView(svg('svg'));
    document.body.append(view.element);
    view.setTable(app.table, 0);
    const [mover, taken] = [{ cell: 'e2', symbol: 'E', seat: 1 }, { cell: 'e4', symbol: 'L', seat: 2 }];
    view.draw({ v: 1, turn: 'p1', pieces: [mover, taken] }, {});
    const runs = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, ...given) {
      runs.push([this.getAttribute('class'), Object.keys(frames[0]).join(), frames[0].opacity ?? frames[0].transform]);
      return animate.call(this, frames, ...given);
    };
    view.draw({ v: 1, turn: 'p2', pieces: [{ ...mover, cell: 'e4' }] }, { last: ['e2', 'e4'] });
    Element.prototype.animate = animate;
    const fading = view.layers.states.querySelectorAll('.piece').length;
    await Promise.all(view.element.getAnimations({ subtree: true }).map((one) => one.finished));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const left = [fading, view.layers.states.querySelectorAll('.piece').length, view.layers.pieces.querySelectorAll('.piece').length];
    view.element.remove();
    return { runs, left };
  });
  assert.deepEqual(seen.runs.map(([name, what]) => `${name} ${what}`), ['inner transform', 'piece role-2 opacity']);
  assert.equal(seen.runs[1][2], 1);
  assert.deepEqual(seen.left, [1, 0, 1], 'one fades, none of it is left, one stands');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a take-back and a draw are offered, refused, and accepted', async () => {
  const page = await openPage(browser, server.url);
  await newGame(page, 'barca', { players: ['link', 'link'] });
  const [white, black] = await Promise.all(latest(page, 'state').seats.map(({ link }) => openPage(browser, link)));
  await until(white, 'White may act', () => latest(white, 'position')?.act === 'p1');
  await clickCells(white, 'e1', 'a1');
  const refused = async () => {
    await black.locator('.banner.offer p').waitFor();
    await press(black, '#refuse');
    await until(white, 'it is refused', () => latest(white, 'state').offer === null);
    await white.locator('.banner.offer').waitFor({ state: 'detached' });
  };
  await press(white, '#take-back');
  await white.locator('.banner.offer', { hasText: 'Waiting for Black.' }).waitFor();
  assert.match(await black.locator('.banner.offer').textContent(), /^White asks to take back the last move\./);
  assert.deepEqual(await violations(black), []);
  await refused();
  assert.equal(latest(white, 'position').ply, 1);
  await press(white, '#take-back');
  await press(black, '#accept');
  await until(white, 'it is taken back', () => latest(white, 'position').ply === 0);
  await press(white, '#offer-draw');
  await black.locator('.banner.offer', { hasText: /^White offers a draw\./ }).waitFor();
  await refused();
  assert.equal(latest(white, 'state').phase, 'play');
  await press(white, '#offer-draw');
  await press(black, '#accept');
  await until(white, 'it is a draw', () => latest(white, 'state').phase === 'over');
  await white.locator('.banner.result', { hasText: 'A draw: by agreement' }).waitFor();
  for (const one of [page, white, black]) await one.context().close();
});
