// The worker of an engine: lines of the protocol by postMessage, lines back. `web/build` writes its
// name and `instance.js` before this text: ENGINE is that of a game, or `table` for the referees of several, of which
// the address says one behind a question mark.
//
// What a page starts is the outer part. It answers also while the engine thinks, because the engine
// runs in a worker of its own, the inner part. A search is stopped by a flag in shared memory; where
// the page may share none, its worker is ended: the answer is the first move of its last line, and a
// new instance of the module is told what the old one knew. So it is after a trap.

/* global ENGINE, instantiate */
'use strict';

(() => {
  const threads = typeof process === 'object' && process.versions?.node
    ? require('node:worker_threads')
    : null;
  const port = threads ? threads.parentPort : self;
  const INNER = 'the instance of a Parlor engine';
  const STOP = 1;
  const PONDER_HIT = 2;

  /** The commands of the protocol; words before them are skipped. */
  const COMMANDS = new Set(
    ('ugi uci isready uginewgame ucinewgame setoption position moves go stop ponderhit query d eval '
      + 'perft bench debug help quit xboard').split(' '));

  function commandOf(line) {
    return line.split(/\s+/).find((word) => COMMANDS.has(word));
  }

  /** The game whose lines come. */
  const game = ENGINE !== 'table' ? ENGINE
    : (threads?.workerData?.game ?? decodeURIComponent(port.location?.search.slice(1) ?? ''));

  /** Calls `act` with every message. */
  function listen(source, act) {
    if (threads) source.on('message', act);
    else source.onmessage = (event) => act(event.data);
  }

  // The inner part.

  function inner() {
    let act = null;
    listen(port, (message) => {
      if (act) {
        port.postMessage(act(message));
        return;
      }
      try {
        act = instantiate(message.module, {
          game, flags: message.flags, say: (line) => port.postMessage(line),
        });
      } catch (error) {
        act = () => ({ trap: error.message });
      }
    });
  }

  // The outer part.

  /** The module and, where it is allowed, memory to share. */
  async function load() {
    const options = threads?.workerData ?? {};
    const shared = threads ? options.shared !== false : self.crossOriginIsolated;
    return {
      flags: shared ? new Int32Array(new SharedArrayBuffer(4)) : null,
      module: await compile(options.module),
    };
  }

  async function compile(given) {
    if (given) return given;
    if (threads) {
      const file = require('node:path').join(__dirname, `${ENGINE}.wasm`);
      return WebAssembly.compile(require('node:fs').readFileSync(file));
    }
    // Behind the sign # may stand where the module lies.
    const place = decodeURIComponent(self.location.hash.slice(1)) || `${ENGINE}.wasm`;
    const response = await fetch(new URL(place, self.location.href));
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    if (response.headers.get('content-type')?.startsWith('application/wasm')) {
      return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
  }

  function innerWorker() {
    return threads
      ? new threads.Worker(__filename, { workerData: { inner: true, game } })
      : new Worker(self.location.href, { name: INNER });
  }

  /** What an engine must be told again to stand where it stood. */
  class History {
    #lines = [];

    note(line) {
      const command = commandOf(line);
      if (command === 'position') {
        // Of an option the last value counts; of everything else each line.
        const name = (old) => /\ssetoption\s+name\s+(.*?)\s*(\svalue\s|$)/i.exec(` ${old}`)?.[1];
        const last = new Map(this.#lines.map((old) => [name(old)?.toLowerCase() ?? old, old]));
        const counts = (old) => !name(old) || last.get(name(old).toLowerCase()) === old;
        this.#lines = this.#lines.filter((old) =>
          !['position', 'moves'].includes(commandOf(old)) && counts(old));
      }
      const kept = ['ugi', 'uci', 'uginewgame', 'ucinewgame', 'setoption', 'position', 'moves'];
      if (kept.includes(command)) this.#lines.push(line);
    }

    get lines() {
      return this.#lines;
    }
  }

  class Outer {
    #module;
    #flags;
    #worker = null;
    #history = new History();
    /** Lines that wait for the one at work. */
    #queue = [];
    /** The line at work. */
    #line = null;
    #command = null;
    /** The moves of the last report of a search. */
    #best = null;
    /** Called with the lines of the engine. */
    #heard = () => {};
    /** Called once the engine has done a line, with its state or its trap. */
    #done = () => {};

    constructor({ module, flags }) {
      this.#module = module;
      this.#flags = flags;
      this.#begin();
    }

    /** Starts an instance. */
    #begin() {
      const worker = innerWorker();
      this.#worker = worker;
      listen(worker, (message) => {
        if (worker !== this.#worker) return;
        if (typeof message === 'string') this.#heard(message);
        else this.#done(message);
      });
      const broken = (error) => {
        if (worker === this.#worker) this.#done({ trap: error.message });
      };
      if (threads) worker.on('error', broken);
      else worker.onerror = broken;
      worker.postMessage({ module: this.#module, flags: this.#flags });
    }

    /** Acts on a line of the client. */
    receive(line) {
      const command = commandOf(line);
      if (this.#line === null || !command || command === 'debug') {
        if (command) this.#queue.push(line);
        this.#next();
        return;
      }
      if (command === 'isready' && ['go', 'bench', 'perft'].includes(this.#command)) {
        port.postMessage('readyok');
        return;
      }
      this.#queue.push(line);
      if (command === 'ponderhit') this.#hit();
      else if (['stop', 'quit'].includes(command) || this.#isUnbounded()) this.#stop();
    }

    /** Whether the search at work ends only by a line. */
    #isUnbounded() {
      return this.#command === 'go' && /\s(infinite|ponder)(\s|$)/.test(this.#line);
    }

    /** Gives the engine the line that waits longest. */
    #next() {
      if (this.#line !== null || this.#queue.length === 0) return;
      this.#line = this.#queue.shift();
      this.#command = commandOf(this.#line);
      this.#best = null;
      this.#heard = (line) => this.#report(line);
      this.#done = (result) => this.#finish(result);
      if (this.#flags) Atomics.store(this.#flags, 0, 0);
      this.#worker.postMessage(this.#line);
      // A search that only a line could end while a line waits already.
      if (this.#isUnbounded() && this.#queue.length > 0) this.#stop();
    }

    #report(line) {
      port.postMessage(line);
      if (this.#command !== 'go') return;
      const moves = /^info (?!string).* pv (.+)$/.exec(line)?.[1].split(' ');
      if (moves && (!/ multipv /.test(line) || / multipv 1 /.test(line))) this.#best = moves;
    }

    #finish({ state, trap }) {
      if (trap !== undefined) {
        this.#recover(trap);
        return;
      }
      this.#history.note(this.#line);
      this.#line = null;
      if (state === 2) close(this.#worker);
      else this.#next();
    }

    #hit() {
      if (!this.#isUnbounded()) return;
      const line = this.#line.replace(/\sponder(?=\s|$)/, '');
      if (this.#flags) {
        Atomics.store(this.#flags, 0, PONDER_HIT);
        this.#line = line;
      } else {
        // The clock begins to run, in an instance that searches from the start.
        this.#renew(() => this.#queue.unshift(line));
      }
    }

    #stop() {
      if (this.#flags) {
        Atomics.store(this.#flags, 0, STOP);
        return;
      }
      if (this.#command === 'go') {
        if (this.#best) this.#answerForIt();
        // Before its first report it answers as fast as it can.
        else this.#renew(() => this.#queue.unshift(shortest(this.#line)));
      } else if (['bench', 'perft'].includes(this.#command)) {
        port.postMessage(`info string ${this.#command} was stopped`);
        this.#renew();
      }
    }

    /** Answers with what the engine has reported. */
    #answerForIt() {
      const [move, reply] = this.#best;
      const isUci = this.#history.lines.findLast((line) => /^\s*u[cg]i\s*$/.test(line))?.includes('uci');
      port.postMessage(`bestmove ${move}${isUci && reply ? ` ponder ${reply}` : ''}`);
      this.#renew();
    }

    /** Reports a trap; where a search was to be answered, by a random move. */
    #recover(trap) {
      const command = this.#command;
      const response = command === 'query' ? 'response' : 'info string';
      port.postMessage(`${response} error internal the engine failed and is started anew: ${trap}`);
      this.#renew(() => {
        if (command !== 'go') return;
        this.#ask('query random 1', (answer) => {
          const move = /^response (\S+)$/.exec(answer)?.[1];
          port.postMessage(`bestmove ${move && !['none', 'hidden'].includes(move) ? move : '0000'}`);
        });
      });
    }

    /** Replaces the instance by a new one that knows as much; then calls `after`. */
    #renew(after = () => {}) {
      this.#worker.terminate();
      this.#begin();
      const rest = [...this.#history.lines];
      const tell = () => {
        if (rest.length > 0) {
          this.#worker.postMessage(rest.shift());
          return;
        }
        this.#line = null;
        after();
        this.#next();
      };
      this.#line = 'renew';
      this.#command = 'renew';
      this.#heard = () => {};
      this.#done = ({ trap }) => {
        if (trap === undefined) {
          tell();
          return;
        }
        fail(`what it knew is lost: ${trap}`);
        this.#history = new History();
        this.#renew(after);
      };
      tell();
    }

    /** Asks the engine something for which no client waits. */
    #ask(line, take) {
      this.#line = line;
      this.#command = 'ask';
      this.#heard = take;
      this.#done = () => {
        this.#line = null;
        this.#next();
      };
      this.#worker.postMessage(line);
    }
  }

  /** A search of the same moves that ends at once. */
  function shortest(go) {
    const moves = /\ssearchmoves\s.*/.exec(go)?.[0] ?? '';
    return `go depth 1${moves.replace(/\s(infinite|ponder)(?=\s|$)/g, '')}`;
  }

  function fail(text) {
    port.postMessage(`info string error internal ${text}`);
  }

  function close(worker) {
    worker.terminate();
    port.close();
  }

  function outer() {
    // Lines that come before the module is there wait.
    let take = null;
    const early = [];
    listen(port, (message) => {
      for (const line of String(message).split('\n')) {
        if (take) take(line);
        else early.push(line);
      }
    });
    load().then((loaded) => {
      const engine = new Outer(loaded);
      take = (line) => engine.receive(line);
      early.forEach(take);
    }, (error) => {
      fail(`the engine cannot be loaded: ${error.message}`);
      take = () => fail('there is no engine');
    });
  }

  if (threads ? threads.workerData?.inner : self.name === INNER) inner();
  else if (port) outer();
})();
