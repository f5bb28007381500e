// Pieces, and the signs of cells and marks.

import { settings } from './settings.js';
import { round, svg } from './svg.js';

/** The box of an icon. */
const ICON = 512;
/** Icons that are a piece by themselves; the others are printed on a disc. */
const FIGURES = ['pawn', 'jewel', 'curse'];

/** Outlines by name, in the syntax of SVG paths. @type {Map<string, string>} */
const icons = new Map();

/** Strokes of signs in a box from -1 to 1, by name. @type {Map<string, string>} */
const signs = new Map();

/**
 * Reads what the server has: on each line a name, a blank, a path; or `sign`, its name, two characters
 * for terminals, a path.
 */
export async function loadIcons() {
  const answer = await fetch('icons.txt');
  for (const line of (await answer.text()).split('\n')) {
    const [name, ...rest] = line.split(' ');
    if (name === 'sign') signs.set(rest[0], rest.slice(3).join(' '));
    else if (rest.length > 0 && name !== '#') icons.set(name, rest.join(' '));
  }
}

/** The syntax of an outline that an engine may give. */
export const OUTLINE = /^[\d\s.,\-+MmLlHhVvCcSsQqTtAaZze]{1,4000}$/;

/** The class of the colour of a role. @param {string | undefined} role @param {string} otherwise */
export function roleClass(role, otherwise = 'light') {
  return `role-${/^[a-z0-9]+$/.test(role ?? '') ? role : otherwise}`;
}

/** The role of the colour of a seat. @param {Table} table @param {number} seat */
export function seatRole(table, seat) {
  return table.seats?.find((known) => known.seat === `p${seat}`)?.fill ?? String(seat);
}

/**
 * A sign on a cell.
 * @param {string} name
 * @param {Point} at
 * @param {number} r
 */
export function sign(name, [x, y], r) {
  const d = signs.get(name);
  if (!d) return null;
  const transform = `translate(${round(x)} ${round(y)}) scale(${round(0.85 * r)})`;
  return svg('path', { class: `sign sign-${name}`, d, transform });
}

/** A round badge with a sign or a text. @param {Point} at @param {number} r @param {string} kind @param {string} text */
export function badge([x, y], r, kind, text) {
  const g = svg('g', { class: `badge ${kind}`, transform: `translate(${round(x)} ${round(y)})` });
  g.append(svg('circle', { r: round(r), 'stroke-width': round(0.14 * r) }));
  const d = signs.get(text);
  if (d) g.append(svg('path', { d, transform: `scale(${round(0.5 * r)})` }));
  else g.append(svg('text', { 'font-size': round((text.length > 1 ? 1.15 : 1.4) * r) }, text));
  return g;
}

/**
 * A mark of a cell that is a sign around or at the corner of what stands there.
 * @param {string} name
 * @param {Point} at
 * @param {number} r
 */
export function alertSign(name, [x, y], r) {
  const g = svg('g', { class: 'alert' });
  const isRinged = ['ring', 'cross', 'lock'].includes(name);
  const outer = isRinged ? svg('circle', { class: 'alert-ring', cx: x, cy: y, r: round(1.08 * r) }) : sign(name, [x, y], r);
  if (outer) g.append(outer);
  if (name === 'ring') g.append(badge([x + 0.76 * r, y - 0.76 * r], 0.34 * r, 'badge-alert', '!'));
  if (name === 'cross' || name === 'lock') g.append(badge([x + 0.76 * r, y - 0.76 * r], 0.36 * r, 'badge-alert', name));
  return g;
}

/**
 * A piece about the origin; its outer element is to be placed, the inner one to be animated.
 * @param {Table} table
 * @param {Piece} piece
 * @param {number} r
 * @param {number} degrees by which the board is turned
 */
export function pieceShape(table, piece, r, degrees = 0) {
  const symbol = table.symbols?.[piece.symbol] ?? { label: piece.symbol, letter: piece.symbol };
  const role = piece.seat ? roleClass(seatRole(table, piece.seat)) : 'role-nobody';
  const inner = svg('g', { class: 'inner' });
  const outer = svg('g', { class: `piece ${role}` }, inner);
  const manySeats = (table.seats?.length ?? 0) > 2;
  const hasLetter = settings.pieces === 'letters' && Boolean(symbol.letter);
  const icon = symbol.icon && !hasLetter ? icons.get(symbol.icon) : undefined;
  const isFigure = piece.seat && ((symbol.path && !icon) || (FIGURES.includes(symbol.icon ?? '') && !hasLetter));
  if (piece.seat && !isFigure) inner.append(...disc(r));
  const drawn = symbolShape(symbol, icon, r, Boolean(isFigure));
  if (symbol.turns && piece.turn !== undefined) {
    const turn = svg('g', { class: 'turning', transform: `rotate(${round(piece.turn + degrees)})` }, drawn);
    inner.append(turn);
  } else {
    inner.append(drawn);
  }
  if (manySeats && piece.seat) inner.append(badge([-0.74 * r, 0.72 * r], 0.36 * r, 'badge-seat', String(piece.seat)));
  const count = piece.count ?? 1;
  if (count !== 1) inner.append(badge([0.74 * r, -0.66 * r], 0.42 * r, 'badge-count', String(count)));
  return outer;
}

/** A disc with shadow, rim and light. @param {number} r */
function disc(r) {
  return [
    svg('circle', { class: 'shadow', cy: round(0.1 * r), r: round(1.02 * r) }),
    svg('circle', { class: 'disc', r: round(r), 'stroke-width': round(0.06 * r) }),
    svg('circle', { class: 'light-on-disc', r: round(r) }),
    svg('circle', { class: 'rim', r: round(0.84 * r), 'stroke-width': round(0.05 * r) }),
  ];
}

/**
 * @param {TableSymbol} symbol
 * @param {string | undefined} icon
 * @param {number} r
 * @param {boolean} isFigure whether it is filled with the colour of its seat and has an edge
 */
export function symbolShape(symbol, icon, r, isFigure) {
  const name = isFigure ? 'figure' : 'print';
  if (icon) {
    const scale = ((isFigure ? 2.5 : 1.36) * r) / ICON;
    const transform = `scale(${scale.toFixed(6)}) translate(${-ICON / 2} ${-ICON / 2})`;
    return svg('path', { class: name, d: icon, transform, 'stroke-width': round((0.16 * r) / scale) });
  }
  if (symbol.path && OUTLINE.test(symbol.path)) {
    const scale = (isFigure ? 1 : 0.8) * r;
    return svg('path', { class: name, d: symbol.path, transform: `scale(${round(scale)})`, 'stroke-width': 0.2 });
  }
  const letter = symbol.letter ?? '?';
  return svg('text', { class: 'print letter', 'font-size': round((letter.length > 1 ? 0.95 : 1.25) * r) }, letter);
}

/** What is printed on a cell under the pieces. @param {TableSymbol} symbol @param {Point} at @param {number} r */
export function printedSymbol(symbol, [x, y], r) {
  const icon = symbol.icon ? icons.get(symbol.icon) : undefined;
  const g = svg('g', { class: 'printed', transform: `translate(${round(x)} ${round(y)})` });
  g.append(symbolShape(symbol, icon, r, false));
  return g;
}
