// The words for cells, pieces and seats: what a screen reader says. Pure functions.

import { t } from './language.js';

const PLACES = ['First place', 'Second place', 'Third place', 'Fourth place', 'Fifth place', 'Sixth place'];

/** A place of a finished game in words. @param {number} place from 1 */
export const placeWords = (place) => t(PLACES[place - 1] ?? String(place));

/** @param {Table | null} table @param {string} seat such as "p1" */
export function seatName(table, seat) {
  const name = table?.seats?.find((known) => known.seat === seat)?.name ?? seat;
  const player = name.match(/^(?:Player |p)(\d)$/);
  return player ? t('Player {number}', { number: player[1] }) : t(name);
}

/** A sentence in which seats are called by their names instead of "p1". @param {Table} table @param {string} text */
export function named(table, text) {
  return text.replace(/\bp[1-6]\b/g, (seat) => (table.seats?.some((known) => known.seat === seat) ? seatName(table, seat) : seat));
}

/** @param {Table} table @param {Piece} piece */
export function pieceName(table, piece) {
  const label = t(table.symbols?.[piece.symbol]?.label ?? piece.symbol);
  const owner = piece.seat ? `${seatName(table, `p${piece.seat}`).toLowerCase()} ` : '';
  const count = piece.count ?? 1;
  const many = count === 1 ? `${owner}${label}` : `${count} × ${owner}${label}`;
  return piece.label ? `${many} ${piece.label}` : many;
}

/**
 * The name of a cell: where it is, what stands there, how it is marked, what may be done.
 * @param {Table} table
 * @param {Board} board
 * @param {TableCell} cell
 * @param {string[]} abilities such as "can move"
 */
export function cellName(table, board, cell, abilities = []) {
  const words = [cell.label ?? cell.id];
  const kind = cell.kind ? table.kinds?.[cell.kind] : undefined;
  const isPlain = !kind?.mark && !kind?.symbol && ['light', 'dark', undefined].includes(kind?.fill);
  if (kind && !isPlain && !words[0].includes(kind.label)) words.push(t(kind.label));
  const pieces = board.pieces.filter((piece) => piece.cell === cell.id);
  words.push(...(pieces.length ? pieces.map((piece) => pieceName(table, piece)) : [t('empty')]));
  for (const mark of board.marks ?? []) {
    if (mark.cell !== cell.id) continue;
    const label = t(table.kinds?.[mark.kind]?.label ?? mark.kind);
    words.push(mark.seat ? `${seatName(table, `p${mark.seat}`).toLowerCase()} ${label}` : label);
  }
  return [...words, ...abilities].join(', ');
}

/**
 * Whose turn it is.
 * @param {Table} table
 * @param {string} turn in the words of `query turn`
 */
export function turnText(table, turn) {
  if (turn === 'none') return t('The game is over');
  if (turn === 'chance') return t('Chance decides');
  if (turn.startsWith('chance ')) return t('{name} throws', { name: seatName(table, turn.slice(7)) });
  return t('{name} to move', { name: seatName(table, turn) });
}

/** The seat that a turn names, if it names one. @param {string} turn */
export function turnSeat(turn) {
  return turn.match(/p[1-6]$/)?.[0] ?? null;
}
