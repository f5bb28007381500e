// The worker of an engine: lines of the protocol by postMessage, lines back. `web/build` writes its
// name and `instance.js` before this text: ENGINE is that of a game, or `table` for the referees of several, of which
// the address says one behind a question mark.
//
// What a page starts is the outer part. It answers also while the engine thinks, because the engine
// runs in a worker of its own, the inner part. A search is stopped by a flag in shared memory; where
// the page may share none, its worker is ended: the answer is the first move of its last line, and a
// new instance of the module is told what the old one knew. So it is after a trap.

/* global ENGINE, compile, instantiate */
'use strict';

(() => {
  const threads = typeof process === 'object' && process.versions?.node
    ? require('node:worker_threads')
    : null;
  const port = threads ? threads.parentPort : self;
  const options = threads?.workerData ?? {};
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
  const game = ENGINE !== 'table' ? ENGINE : (options.game ?? decodeURIComponent(self.location.search.slice(1)));

  /** Calls `act` with every message. */
  function listen(source, act) {
    if (threads) source.on('message', act);
    else source.onmessage = (event) => act(event.data);
  }

  function fail(text) {
    port.postMessage(`info string error internal ${text}`);
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
        act = instantiate(message.module, { flags: message.flags, say: (line) => port.postMessage(line) });
        if (!act(game, 'start').value) throw new Error(`the module has no game ${game}`);
      } catch ({ message: trap }) {
        act = () => ({ trap });
      }
    });
  }

  // The outer part.

  async function load() {
    if (options.module) return options.module;
    if (threads) {
      const file = require('node:path').join(__dirname, `${ENGINE}.wasm`);
      return WebAssembly.compile(require('node:fs').readFileSync(file));
    }
    // Behind the sign # may stand where the module lies.
    const place = decodeURIComponent(self.location.hash.slice(1)) || `${ENGINE}.wasm`;
    return compile(new URL(place, self.location.href));
  }

  class Outer {
    #module;
    /** Memory to share, where that is allowed. */
    #flags;
    #worker = null;
    /** The lines that an engine must be told again to stand where it stood. */
    #known = [];
    /** Lines that wait for the one at work. */
    #queue = [];
    /** The line at work; until the module is there all lines wait. */
    #line = '';
    #command = null;
    /** The moves of the last report of a search. */
    #best = null;
    /** Called with the lines of the engine, and once it has done a line, with its state or its trap. */
    #heard;
    #done;

    constructor() {
      const isShared = threads ? options.shared !== false : self.crossOriginIsolated;
      this.#flags = isShared ? new Int32Array(new SharedArrayBuffer(4)) : null;
      load().then((module) => {
        this.#module = module;
        this.#begin();
        this.#line = null;
        this.#queue.splice(0).forEach((line) => this.receive(line));
      }, (error) => {
        fail(`the engine cannot be loaded: ${error.message}`);
        this.receive = () => fail('there is no engine');
      });
    }

    /** Starts an instance. */
    #begin() {
      const worker = threads
        ? new threads.Worker(__filename, { workerData: { inner: true, game } })
        : new Worker(self.location.href, { name: INNER });
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
      if (!command) return;
      if (this.#line !== null && command === 'isready' && ['go', 'bench', 'perft'].includes(this.#command)) {
        port.postMessage('readyok');
        return;
      }
      this.#queue.push(line);
      if (this.#line === null) this.#next();
      else if (command === 'ponderhit') this.#hit();
      else if (command !== 'debug' && (['stop', 'quit'].includes(command) || this.#isUnbounded())) this.#stop();
    }

    /** Whether the search at work ends only by a line. */
    #isUnbounded() {
      return this.#command === 'go' && /\s(infinite|ponder)(\s|$)/.test(this.#line);
    }

    /** Has the engine act on a line. */
    #give(line, heard, done) {
      [this.#line, this.#command, this.#heard, this.#done] = [line, commandOf(line), heard, done];
      this.#worker.postMessage(line);
    }

    /** Gives the engine the line that waits longest. */
    #next() {
      this.#line = null;
      if (this.#queue.length === 0) return;
      this.#best = null;
      if (this.#flags) Atomics.store(this.#flags, 0, 0);
      this.#give(this.#queue.shift(), (line) => this.#report(line), (result) => this.#finish(result));
      // A search that only a line could end while a line waits already.
      if (this.#isUnbounded() && this.#queue.length > 0) this.#stop();
    }

    #report(line) {
      port.postMessage(line);
      if (this.#command !== 'go') return;
      const moves = /^info (?!string).* pv (.+)$/.exec(line)?.[1].split(' ');
      if (moves && (!/ multipv /.test(line) || / multipv 1 /.test(line))) this.#best = moves;
    }

    #finish({ value: state, trap }) {
      if (trap !== undefined) this.#recover(trap);
      else if (state === 2) this.#end();
      else {
        this.#note();
        this.#next();
      }
    }

    #end() {
      this.#worker.terminate();
      port.close();
    }

    /** Takes down the line that was done. */
    #note() {
      if (this.#command === 'position') {
        // Of what was set before, what is said again later counts; a new position follows.
        const rest = this.#known.filter((line) => !['position', 'moves'].includes(commandOf(line)));
        this.#known = [...new Set(rest.reverse())].reverse();
      }
      const kept = ['ugi', 'uci', 'uginewgame', 'ucinewgame', 'setoption', 'position', 'moves'];
      if (kept.includes(this.#command)) this.#known.push(this.#line);
    }

    #hit() {
      if (!this.#isUnbounded()) return;
      const line = this.#line.replace(/\sponder(?=\s|$)/, '');
      if (this.#flags) {
        Atomics.store(this.#flags, 0, PONDER_HIT);
        this.#line = line;
      } else {
        // The clock begins to run, in an instance that searches from the start.
        this.#queue.unshift(line);
        this.#renew();
      }
    }

    #stop() {
      if (this.#flags) {
        Atomics.store(this.#flags, 0, STOP);
      } else if (['bench', 'perft'].includes(this.#command)) {
        port.postMessage(`info string ${this.#command} was stopped`);
        this.#renew();
      } else if (this.#command === 'go' && this.#best) {
        const [move, reply] = this.#best;
        const isUci = this.#known.findLast((line) => /^\s*u[cg]i\s*$/.test(line))?.includes('uci');
        port.postMessage(`bestmove ${move}${isUci && reply ? ` ponder ${reply}` : ''}`);
        this.#renew();
      } else if (this.#command === 'go') {
        // Before its first report it answers as fast as it can: a search of the same moves that ends at once.
        const moves = /\ssearchmoves\s.*/.exec(this.#line)?.[0].replace(/\s(infinite|ponder)(?=\s|$)/g, '') ?? '';
        this.#queue.unshift(`go depth 1${moves}`);
        this.#renew();
      }
    }

    /** Reports a trap; where a search was to be answered, by a random move. */
    #recover(trap) {
      const command = this.#command;
      const response = command === 'query' ? 'response' : 'info string';
      port.postMessage(`${response} error internal the engine failed and is started anew: ${trap}`);
      if (command !== 'go') this.#renew();
      else {
        this.#renew(() => this.#give('query random 1', (answer) => {
          const move = /^response (\S+)$/.exec(answer)?.[1];
          port.postMessage(`bestmove ${move && !['none', 'hidden'].includes(move) ? move : '0000'}`);
        }, () => this.#next()));
      }
    }

    /** Replaces the instance by a new one that knows as much; then calls `after`. */
    #renew(after = () => this.#next()) {
      this.#worker.terminate();
      this.#begin();
      const rest = [...this.#known];
      const tell = ({ trap }) => {
        if (trap !== undefined) {
          fail(`what it knew is lost: ${trap}`);
          this.#known = [];
          this.#renew(after);
        } else if (rest.length > 0) this.#give(rest.shift(), () => {}, tell);
        else after();
      };
      tell({});
    }
  }

  if (threads ? options.inner : self.name === INNER) inner();
  else if (port) {
    const engine = new Outer();
    listen(port, (message) => String(message).split('\n').forEach((line) => engine.receive(line)));
  }
})();
