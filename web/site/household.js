// The worker with the board of a household. `web/build` writes before it: GAMES, the names of the
// games, and `instance.js`. A page sends { page, text } or { page, leave }, and is sent the same
// way; { uses } names a game whose engine is started, { trap } is the last that it is sent.

/* global GAMES, compile, instantiate, refereeOf */
'use strict';

/** Calls the board; there is none before it is fetched, and after a trap. */
let board = null;
let timer = 0;

/** Engines and, of a game whose referee the board has not, sessions with one, by their numbers. */
const engines = new Map();
const sessions = new Map();
/** The one such game. */
const APART = 'barbarossa';
let apart = null;

/** Texts of files. */
const texts = new Map();

/** What gives a game that is open here to others. */
const held = new Map();

/** Tells the board what has happened, to whom. */
function happen(what, whom = '', text = '') {
  if (!board) return;
  const { value, trap } = board(`${what} ${whom}\n${text}`);
  if (trap === undefined) {
    clearTimeout(timer);
    timer = setTimeout(happen, value, 'pass');
  } else {
    board = null;
    postMessage({ trap });
  }
}

/** What the board wants. */
const WISHES = {
  start(engine, game) {
    const worker = new Worker(`${game}.js`);
    worker.onmessage = ({ data }) => happen('hear', engine, data);
    worker.onerror = ({ message }) =>
      happen('hear', engine, `info string error internal ${message ?? 'the engine cannot be fetched'}`);
    engines.set(engine, worker);
    postMessage({ uses: game });
  },
  tell: (engine, lines) => engines.get(engine)?.postMessage(lines),
  end(engine) {
    engines.get(engine)?.terminate();
    engines.delete(engine);
  },
  send: (page, text) => postMessage({ page: Number(page), text }),
  keep: (name, text) => void keep(name, text),
  release(name) {
    held.get(name)?.();
    held.delete(name);
  },
  file: (name) => texts.get(name),
  session(number, game) {
    if (game !== APART || !apart) return undefined;
    sessions.set(number, refereeOf(apart, game));
    return '';
  },
  say: (session, line) => sessions.get(session)(line),
  leave: (session) => void sessions.delete(session),
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
  happen('kept', name, why);
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
  const kept = await withGames('readonly', (games) => games.getAll()).catch(() => []);
  const locks = (await self.navigator.locks?.query())?.held ?? [];
  happen('forget');
  names.forEach((name, index) => {
    const elsewhere = !held.has(name) && locks.some((lock) => lock.name === LOCK + name);
    happen(elsewhere ? 'elsewhere' : 'saved', name, kept[index]);
  });
  return new Map(names.map((name, index) => [name, kept[index]]));
}

/** Fetches what the board needs to act on a message. */
async function prepare(message) {
  let game = message.menu;
  if (['hello', 'continue', 'discard', 'end'].includes(message.do)) {
    if (message.do === 'continue') await hold(message.saved);
    const kept = await readKept();
    if (kept.get(message.saved)?.includes(`"menu":"${APART}"`)) game = APART;
  }
  if (!GAMES.includes(game)) return;
  if (game === APART && message.do !== 'rules') apart ??= await compile(`${APART}.wasm`);
  else if (['rules', 'lessons', 'puzzles'].includes(message.do)) await readText(`${message.do}/${game}.txt`);
}

async function readText(file) {
  if (texts.has(file)) return;
  const response = await fetch(file);
  if (response.ok) texts.set(file, await response.text());
}

async function receive({ page, text, leave }) {
  if (leave) {
    happen('leave', page);
    return;
  }
  const message = JSON.parse(text);
  // What is told of the game apart needs its module only where rules were chosen.
  const file = `about/${message.menu}.txt`;
  if (message.do === 'about' && message.menu === APART && !Object.keys(message.rules ?? {}).length) {
    await readText(file).catch(() => {});
    const about = texts.get(file) ?? '{"type":"error","code":"failed","text":"it cannot be fetched"}';
    postMessage({ page, text: JSON.stringify({ ...JSON.parse(about), id: message.id }) });
    return;
  }
  // What cannot be fetched the board finds missing.
  await prepare(message).catch(() => {});
  happen('receive', page, text);
}

let work = compile('household.wasm').then((module) => {
  board = instantiate(module, { tell: (what, whom, text) => WISHES[what](whom, text) });
  const { trap } = board(GAMES.join('\n'), 'start');
  if (trap !== undefined) throw new Error(trap);
}).catch((error) => postMessage({ trap: error.message }));
onmessage = ({ data }) => {
  // What is told of a game before it begins waits for its module, and nothing for that.
  const done = work.then(() => receive(data));
  if (!data.text?.includes('"do":"about"')) work = done;
};
