// Engines for the tests: those of web pages in Node, and the programs.

import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export const FOLDER = process.env.PARLOR_WEB;
export const PROGRAMS = process.env.PARLOR_PROGRAMS;

/** The games whose engines are in the folder. */
export const GAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.wasm'))
  .map((name) => name.slice(0, -'.wasm'.length))
  .filter((name) => !['table', 'household'].includes(name));

/** The nodes of `bench`, game by game. */
export const SIGNATURES = Object.fromEntries(
  readFileSync(path.join(import.meta.dirname, '../../tests/data/bench.txt'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(' ')));

/** What both kinds of engine share: lines, and waiting for one of them. */
class Lines {
  #lines = [];
  #waiting = null;

  heard(line) {
    this.#lines.push(line);
    this.#waiting?.();
  }

  /** The lines up to the first that fits, and it; the lines before it count as heard. */
  async until(pattern) {
    const found = () => this.#lines.findIndex((line) => pattern.test(line));
    const timer = setTimeout(() => {
      this.#lines.push(`no line ${pattern} within a minute`);
      this.#waiting?.();
    }, 60_000);
    while (found() < 0) {
      if (this.#lines.at(-1)?.startsWith('no line ')) throw new Error(this.#lines.join('\n'));
      await new Promise((resolve) => {
        this.#waiting = resolve;
      });
    }
    clearTimeout(timer);
    return this.#lines.splice(0, found() + 1);
  }

  /** Sends a line, and returns what comes up to the first line that fits. */
  async ask(line, pattern) {
    this.send(line);
    return this.until(pattern);
  }
}

/** The worker of a game in Node; `shared: false` as in a page that may not share memory. */
export class WebEngine extends Lines {
  constructor(game, options = {}) {
    super();
    this.worker = new Worker(path.join(FOLDER, `${game}.js`), { workerData: options });
    this.worker.on('message', (line) => this.heard(line));
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', resolve);
    });
  }

  send(line) {
    this.worker.postMessage(line);
  }

  async end() {
    await this.worker.terminate();
  }
}

/** The program of a game. */
export class Program extends Lines {
  constructor(game) {
    super();
    this.process = spawn(path.join(PROGRAMS, game), { stdio: ['pipe', 'pipe', 'ignore'] });
    let rest = '';
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      lines.forEach((line) => this.heard(line));
    });
  }

  send(line) {
    this.process.stdin.write(`${line}\n`);
  }

  async end() {
    this.process.kill();
  }
}
