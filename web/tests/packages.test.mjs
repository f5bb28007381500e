// The packages for npm, installed from their tarballs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

import { FOLDER, GAMES, Program } from './engine.mjs';

const TARBALLS = path.join(FOLDER, 'npm');
const ROOT = path.join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'parlor-npm-'));
after(() => rmSync(folder, { recursive: true }));

const run = (...command) =>
  execFileSync(command[0], command.slice(1), { cwd: folder, encoding: 'utf8', timeout: 120_000 });

test('the packages install, and their example plays a legal game', { timeout: 240_000 }, async () => {
  const tarballs = readdirSync(TARBALLS).filter((name) => name.endsWith('.tgz'));
  assert.deepEqual(tarballs.map((name) => /^parlor-(.*)-[\d.]+\.tgz$/.exec(name)?.[1]).sort(),
    [...GAMES].sort());
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  run('npm', 'install', '--offline', '--silent', '--no-audit', '--no-fund',
    ...tarballs.map((name) => path.join(TARBALLS, name)));
  for (const game of GAMES) {
    const place = path.join(folder, 'node_modules', '@parlor', game);
    // What `web/build` fills in is filled in.
    const { version, description } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.doesNotMatch(description, /TITLE|GAME/);
    for (const name of readdirSync(place).filter((name) => /\.(js|cjs|html|ts|md)$/.test(name))) {
      if (name === `${game}.js`) continue;
      assert.doesNotMatch(readFileSync(path.join(place, name), 'utf8'), /TITLE|GAME|VERSION/);
    }
    assert.ok(statSync(path.join(place, `${game}.wasm`)).size > 100_000);
    // The notices of all that is in the module.
    for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'data/licences.txt']) {
      const [packed, own] = [path.join(place, path.basename(name)), path.join(ROOT, name)];
      assert.ok(readFileSync(packed).equals(readFileSync(own)), packed);
    }
  }
  for (const game of GAMES.filter((game) => game !== 'barbarossa')) {
    const moves = run('node', path.join('node_modules', '@parlor', game, 'example.cjs')).trim();
    assert.ok(moves.split(' ').length >= 20, moves);
    const program = new Program(game);
    program.send('setoption name MaxPlies value 40');
    program.send(`position startpos moves ${moves}`);
    assert.deepEqual(await program.ask('query gameover', /^response/), ['response true']);
    await program.end();
  }
});
