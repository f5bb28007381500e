// The worker with the board of a household. `web/build` writes before it: GAMES, the names of the
// games, and `instance.js`. A page sends { page, text } or { page, leave }, and is sent the same
// way; { trap } is the last that it is sent.

/* global GAMES, instantiate */
'use strict';

/** The module with the referee of a game. */
const moduleOf = (game) => (game === 'barbarossa' ? game : 'table');

const modules = new Map();
const sessions = new Map();
const engines = new Map();
/** What gives a game that is open here to others. */
const held = new Map();
let next = 1;
let board = null;
let timer = 0;
let fault = '';

const bytesOf = (start, length) => new Uint8Array(board.memory.buffer, start, length);
const read = (start, length) => new TextDecoder().decode(bytesOf(start, length));

/** Writes a text for the next call; the length of its first part. */
function give(first, rest = '') {
  const bytes = new TextEncoder().encode(first + rest);
  const at = board.room(bytes.length);
  bytesOf(at, bytes.length).set(bytes);
  return new TextEncoder().encode(first).length;
}

/** Calls the module; a trap is its end. */
function call(act) {
  if (!board) return;
  try {
    act();
    clearTimeout(timer);
    timer = setTimeout(() => call(() => {}), board.tick());
  } catch (error) {
    board = null;
    postMessage({ trap: fault || error.message });
  }
}

const imports = {
  page: {
    now: () => performance.now(),
    date: () => Date.now(),
    signal: () => 0,
    random: () => crypto.getRandomValues(new Uint32Array(1))[0],
    panicked: (start, length) => {
      fault = read(start, length);
    },
  },
  board: {
    session(start, length) {
      const game = read(start, length);
      const lines = [];
      if (!modules.has(moduleOf(game))) return 0;
      try {
        const act = instantiate(modules.get(moduleOf(game)), { game, referee: true, say: (line) => lines.push(line) });
        sessions.set(next, { act, lines });
      } catch {
        return 0;
      }
      return next++;
    },
    say(session, start, length) {
      const { act, lines } = sessions.get(session);
      const { trap } = act(read(start, length));
      give(lines.splice(0).map((line) => `${line}\n`).join(''));
      return trap === undefined;
    },
    leave_session: (session) => sessions.delete(session),
    start(engine, start, length) {
      const worker = new Worker(`${read(start, length)}.js`);
      worker.onmessage = ({ data }) => call(() => {
        give(data);
        board.hear(engine);
      });
      worker.onerror = ({ message }) => worker.onmessage({ data: `info string error internal ${message}` });
      engines.set(engine, worker);
    },
    tell: (engine, start, length) => engines.get(engine)?.postMessage(read(start, length)),
    end(engine) {
      engines.get(engine)?.terminate();
      engines.delete(engine);
    },
    send: (page, start, length) => postMessage({ page, text: read(start, length) }),
    keep: (start, length, at, size) => void keep(read(start, length), read(at, size)),
    release(start, length) {
      held.get(read(start, length))?.();
      held.delete(read(start, length));
    },
  },
};

// The games that are kept, in the browser's database.

const database = new Promise((resolve, reject) => {
  const request = indexedDB.open('parlor', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('games');
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
database.catch(() => {});

/** Does something with the kept games; resolves when that is done. */
async function withGames(mode, act) {
  const transaction = (await database).transaction('games', mode);
  const request = act(transaction.objectStore('games'));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

async function keep(name, text) {
  let why = '';
  try {
    if (text && !held.has(name)) await hold(name);
    await withGames('readwrite', (games) => (text ? games.put(text, name) : games.delete(name)));
  } catch (error) {
    why = error?.message || 'the browser keeps nothing here';
  }
  call(() => board.kept(give(name, why)));
}

const LOCK = 'parlor-game ';

/** Makes a game this page's own as long as it is open, if no other page has it. */
const hold = (name) => new Promise((done) => {
  const own = (lock) => {
    done();
    return lock && new Promise((release) => held.set(name, release));
  };
  if (self.navigator.locks) navigator.locks.request(LOCK + name, { ifAvailable: true }, own);
  else done();
});

/** Tells the board what is kept and what other pages have open; the games of the texts. */
async function readKept() {
  const names = await withGames('readonly', (games) => games.getAllKeys()).catch(() => []);
  const texts = await withGames('readonly', (games) => games.getAll()).catch(() => []);
  const locks = (await self.navigator.locks?.query())?.held ?? [];
  names.forEach((name, index) => {
    const elsewhere = !held.has(name) && locks.some((lock) => lock.name === LOCK + name);
    board?.add_saved(give(name, texts[index]), elsewhere);
  });
  call(() => board.take_saved());
  return new Map(names.map((name, index) => [name, texts[index]]));
}

async function compile(file) {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Fetches what the board needs to act on a message. */
async function prepare(message) {
  let game = message.menu;
  if (['hello', 'continue', 'discard', 'end'].includes(message.do)) {
    if (message.do === 'continue') await hold(message.saved);
    const kept = await readKept();
    if (message.do === 'continue') {
      game = GAMES.find((name) => kept.get(message.saved)?.includes(`"menu":"${name}"`));
    }
  }
  if (!GAMES.includes(game)) return;
  const name = moduleOf(game);
  if (!modules.has(name)) {
    // The card of a game can wait for a large module until more has been seen of the page.
    if (message.do === 'about' && name !== 'table') await new Promise((done) => setTimeout(done, 2000));
    modules.set(name, await compile(`${name}.wasm`));
  }
  if (message.do === 'rules') {
    const rules = await fetch(`rules/${game}.md`).then((found) => (found.ok ? found.text() : ''));
    call(() => board.set_rules(give(game, rules)));
  }
}

async function receive({ page, text, leave }) {
  if (leave) {
    call(() => board.leave(page));
    return;
  }
  // What cannot be fetched the board finds missing.
  await prepare(JSON.parse(text)).catch(() => {});
  call(() => {
    give(text);
    board.receive(page);
  });
}

let work = compile('household.wasm').then(async (module) => {
  board = (await WebAssembly.instantiate(module, imports)).exports;
  give(GAMES.join('\n'));
  board.begin();
}).catch((error) => postMessage({ trap: error.message }));
onmessage = ({ data }) => {
  // What is told of a game before it begins waits for its module, and nothing for that.
  const done = work.then(() => receive(data));
  if (!data.text?.includes('"do":"about"')) work = done;
};
