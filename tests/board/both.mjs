// A server and a browser for all tests of a file: they run before its first test and end after its
// last.

import { after } from 'node:test';
import { launch, startServer } from './harness.mjs';

export const browser = await launch();
export const server = await startServer();
after(async () => {
  await browser.close();
  await server.stop();
});
