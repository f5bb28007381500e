// A real Chromium, and a host of static files for it.

import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

import { FOLDER } from './engine.mjs';

export const TYPES = {
  '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.svg': 'image/svg+xml',
};
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Serves the folder, and `pages` by their addresses; with `isolated`, pages may share memory. */
export async function serve({ isolated = false, pages = {} } = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const headers = {
      'content-type': TYPES[path.extname(pathname)] ?? 'text/html',
      ...(isolated ? ISOLATED : {}),
    };
    if (pathname in pages) {
      response.writeHead(200, headers).end(pages[pathname]);
      return;
    }
    createReadStream(path.join(FOLDER, path.normalize(pathname === '/' ? '/index.html' : pathname)))
      .on('open', function open() {
        this.pipe(response.writeHead(200, headers));
      })
      .on('error', () => response.writeHead(404).end());
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Chromium as the tests of the board start it, with further flags. */
export async function launch(flags = []) {
  const require = createRequire(path.join(import.meta.dirname, '../../tests/board/package.json'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...flags];
  return require('playwright-core').chromium.launch({ executablePath, headless: true, args });
}

/** Megabytes that the process of the one tab has for itself. */
export async function tabMemory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const own = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(text)[1]) / 1024;
  });
  return Math.round(Math.max(...own));
}

/** Starts an engine in a page: `ask` sends lines and gives those up to the first that fits. */
export async function engineIn(page, script) {
  const name = await page.evaluate((script) => {
    globalThis.engines ??= [];
    const worker = new Worker(script);
    const engine = { worker, lines: [], wake: () => {} };
    worker.onmessage = ({ data }) => {
      engine.lines.push(data);
      engine.wake();
    };
    return engines.push(engine) - 1;
  }, script);
  return {
    ask: (lines, pattern) => page.evaluate(async ([name, lines, source]) => {
      const engine = engines[name];
      for (const line of [lines].flat()) engine.worker.postMessage(line);
      const found = () => engine.lines.findIndex((line) => new RegExp(source).test(line));
      while (found() < 0) {
        await new Promise((resolve) => {
          engine.wake = resolve;
        });
      }
      return engine.lines.splice(0, found() + 1);
    }, [name, lines, pattern.source]),
    end: () => page.evaluate((name) => engines[name].worker.terminate(), name),
  };
}
