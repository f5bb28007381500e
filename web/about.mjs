// Prints what the board tells of a game before it begins, for a site whose pages are not to fetch the
// game's module for that: node web/about.mjs FOLDER GAME

import { readFileSync } from 'node:fs';
import path from 'node:path';

const [folder, game] = process.argv.slice(2);
const code = readFileSync(path.join(import.meta.dirname, 'instance.js'), 'utf8');
const { instantiate, refereeOf } = new Function(`${code}; return { instantiate, refereeOf };`)();
const module = (name) => new WebAssembly.Module(readFileSync(path.join(folder, `${name}.wasm`)));

const apart = module(game);
const sessions = new Map();
const told = [];
const WISHES = {
  session(number) {
    sessions.set(number, refereeOf(apart, game));
    return '';
  },
  say: (number, line) => sessions.get(number)(line),
  send: (page, text) => void told.push(JSON.parse(text)),
};
const board = instantiate(module('household'), { tell: (what, whom, text) => WISHES[what]?.(whom, text) });
board(game, 'start');
board('receive 1\n{"do":"hello","v":1,"token":"here"}');
board(`receive 1\n{"do":"about","menu":"${game}"}`);
const about = told.find(({ type }) => type === 'about');
if (!about?.engines[0]?.ok) throw new Error(`nothing is told of ${game}: ${JSON.stringify(told)}`);
console.log(JSON.stringify(about));
