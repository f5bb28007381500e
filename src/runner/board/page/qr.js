// A QR code of an address: model 2, bytes, error correction M, versions 1 to 10.

import { svg } from './svg.js';

/** By version: bytes of correction in a block, and the data bytes of each block. @type {[number, number[]][]} */
const BLOCKS = [
  [10, [16]], [16, [28]], [26, [44]], [18, [32, 32]], [24, [43, 43]], [16, [27, 27, 27, 27]], [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]], [22, [36, 36, 36, 37, 37]], [26, [43, 43, 43, 43, 44]],
];
/** By version: where the middles of the alignment patterns are. */
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** Powers and logarithms in the field of 256 elements. */
const POWER = [1];
for (let index = 1; index < 255; index++) POWER.push(POWER[index - 1] < 128 ? 2 * POWER[index - 1] : (2 * POWER[index - 1]) ^ 0x11d);
const LOG = new Map(POWER.map((value, index) => [value, index]));
const times = (/** @type {number} */ a, /** @type {number} */ b) => (a && b ? POWER[(/** @type {number} */ (LOG.get(a)) + /** @type {number} */ (LOG.get(b))) % 255] : 0);

/** The bytes of correction of a block. @param {number[]} data @param {number} count */
function correction(data, count) {
  let generator = [1];
  for (let index = 0; index < count; index++) {
    generator = [...generator, 0].map((value, at) => value ^ times(at > 0 ? generator[at - 1] : 0, POWER[index]));
  }
  const rest = [...data, ...Array(count).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const factor = rest[index];
    generator.forEach((value, at) => (rest[index + at] ^= times(value, factor)));
  }
  return rest.slice(data.length);
}

/** The version for so many bytes, and its bytes in the order in which they are drawn. @param {number[]} bytes */
function codewords(bytes) {
  const version = BLOCKS.findIndex(([, blocks], index) => blocks.reduce((sum, size) => sum + size) >= bytes.length + (index >= 9 ? 3 : 2)) + 1;
  if (version === 0) return null;
  const [check, sizes] = BLOCKS[version - 1];
  const total = sizes.reduce((sum, size) => sum + size);
  const bits = [0, 1, 0, 0];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  put(bytes.length, version >= 10 ? 16 : 8);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, 8 * total - bits.length));
  while (bits.length % 8 > 0) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, index) => parseInt(bits.slice(8 * index, 8 * index + 8).join(''), 2));
  for (let pad = 0xec; data.length < total; pad ^= 0xec ^ 0x11) data.push(pad);
  let from = 0;
  const blocks = sizes.map((size) => data.slice(from, (from += size)));
  const checks = blocks.map((block) => correction(block, check));
  const mixed = (/** @type {number[][]} */ lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) => lists.flatMap((list) => (index < list.length ? [list[index]] : []))).flat();
  return { version, words: [...mixed(blocks), ...mixed(checks)] };
}

/** A remainder of the codes of format and version. @param {number} value @param {number} divisor @param {number} count */
function remainder(value, divisor, count) {
  let rest = value << count;
  for (let at = 31; at >= count; at--) if ((rest >>> at) & 1) rest ^= divisor << (at - count);
  return (value << count) | rest;
}

const MASKS = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0,
  (/** @type {number} */ _, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x) => x % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** How badly a picture can be read: long runs, squares, false finders, uneven darkness. @param {boolean[][]} grid */
function penalty(grid) {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  for (const lines of [grid, grid.map((_, x) => grid.map((row) => row[x]))]) {
    for (const line of lines) {
      let run = 0;
      line.forEach((cell, at) => {
        run = at > 0 && cell === line[at - 1] ? run + 1 : 1;
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
      });
      const text = line.map(Number).join('');
      for (const finder of ['10111010000', '00001011101']) for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) sum += 40;
    }
  }
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (grid[y][x]) dark += 1;
      if (x > 0 && y > 0 && grid[y][x] === grid[y - 1][x] && grid[y][x] === grid[y][x - 1] && grid[y][x] === grid[y - 1][x - 1]) sum += 3;
    }
  }
  return sum + 10 * Math.floor(Math.abs((20 * dark) / size ** 2 - 10));
}

/** The dark cells of the code, row by row; null for a text that is too long. @param {string} text @returns {boolean[][] | null} */
export function qrCode(text) {
  const coded = codewords([...new TextEncoder().encode(text)]);
  if (!coded) return null;
  const { version, words } = coded;
  const size = 17 + 4 * version;
  const grid = Array.from({ length: size }, () => /** @type {boolean[]} */ (Array(size).fill(false)));
  const fixed = Array.from({ length: size }, () => /** @type {boolean[]} */ (Array(size).fill(false)));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ isDark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    grid[y][x] = isDark;
    fixed[y][x] = true;
  };
  const ring = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ reach, /** @type {number[]} */ light) => {
    for (let dy = -reach; dy <= reach; dy++) for (let dx = -reach; dx <= reach; dx++) set(cx + dx, cy + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) ring(x, y, 4, [2, 4]);
  const places = ALIGNED[version - 1];
  for (const x of places) for (const y of places) if (!(x === 6 && y === 6) && !(x === 6 && y === size - 7) && !(x === size - 7 && y === 6)) ring(x, y, 2, [1]);
  if (version >= 7) {
    const bits = remainder(version, 0x1f25, 12);
    for (let at = 0; at < 18; at++) {
      const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
      set(far, near, Boolean((bits >> at) & 1));
      set(near, far, Boolean((bits >> at) & 1));
    }
  }
  const format = (/** @type {number} */ mask) => {
    // Correction M is 00.
    const bits = remainder(mask, 0x537, 10) ^ 0x5412;
    const bit = (/** @type {number} */ at) => Boolean((bits >> at) & 1);
    for (let at = 0; at < 15; at++) {
      const beside = at < 6 ? at : at < 8 ? at + 1 : size - 15 + at;
      set(8, beside, bit(at));
      const along = at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at;
      set(along, 8, bit(at));
    }
    set(8, size - 8, true);
  };
  format(0);
  const bits = words.flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (word >> at) & 1));
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!fixed[y][x]) grid[y][x] = bits[next++] === 1;
    }
  }
  let best = /** @type {boolean[][] | null} */ (null);
  for (const [mask, flips] of MASKS.entries()) {
    format(mask);
    const masked = grid.map((row, y) => row.map((cell, x) => (!fixed[y][x] && flips(x, y) ? !cell : cell)));
    if (!best || penalty(masked) < penalty(best)) best = masked;
  }
  return best;
}

/** The code as a picture. @param {string} text @param {string} label */
export function qrPicture(text, label) {
  const grid = qrCode(text);
  if (!grid) return null;
  const size = grid.length + 8;
  const d = grid.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join('');
  return svg('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' }, svg('rect', { width: size, height: size, fill: '#fff' }), svg('path', { d, fill: '#000' }));
}
