// What changed between two boards, as pieces that moved, came and went; and a board with the
// changes of a half-entered move. Pure functions.

/**
 * @typedef {{symbol: string, seat: number, from: string, to: string, turn?: number, before?: number}} Moved
 * @typedef {{symbol: string, seat: number, cell: string, turn?: number}} Single
 */

/** @param {Piece} piece */
const kindOf = (piece) => `${piece.symbol} ${piece.seat ?? 0}`;

/**
 * Pairs what left its cell with what came to one: first along the path that is told, then the
 * nearest first.
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @param {(cell: string) => Point | undefined} place
 * @param {string[]} path cells that the last move names
 * @returns {{moved: Moved[], came: Single[], went: Single[]}}
 */
export function difference(before, after, place, path = []) {
  /** @type {Map<string, {cells: Map<string, number>, turns: Map<string, number | undefined>[]}>} */
  const kinds = new Map();
  [before, after].forEach((pieces, index) => {
    for (const piece of pieces) {
      const kind = kinds.get(kindOf(piece)) ?? { cells: new Map(), turns: [new Map(), new Map()] };
      kinds.set(kindOf(piece), kind);
      const change = (index === 0 ? -1 : 1) * (piece.count ?? 1);
      kind.cells.set(piece.cell, (kind.cells.get(piece.cell) ?? 0) + change);
      kind.turns[index].set(piece.cell, piece.turn);
    }
  });
  const result = { moved: /** @type {Moved[]} */ ([]), came: /** @type {Single[]} */ ([]), went: /** @type {Single[]} */ ([]) };
  for (const [name, { cells, turns }] of kinds) {
    const [symbol, owner] = [name.slice(0, name.lastIndexOf(' ')), Number(name.slice(name.lastIndexOf(' ') + 1))];
    const from = [...cells].flatMap(([cell, change]) => Array(Math.max(-change, 0)).fill(cell));
    const to = [...cells].flatMap(([cell, change]) => Array(Math.max(change, 0)).fill(cell));
    for (const [a, b] of pairs(from, to, place, path)) {
      result.moved.push({ symbol, seat: owner, from: a, to: b, turn: turns[1].get(b), before: turns[0].get(a) });
    }
    for (const cell of from) result.went.push({ symbol, seat: owner, cell, turn: turns[0].get(cell) });
    for (const cell of to) result.came.push({ symbol, seat: owner, cell, turn: turns[1].get(cell) });
    for (const [cell, turn] of turns[1]) {
      const was = turns[0].get(cell);
      if (cells.get(cell) === 0 && turns[0].has(cell) && was !== turn) {
        result.moved.push({ symbol, seat: owner, from: cell, to: cell, turn, before: was });
      }
    }
  }
  return result;
}

/**
 * Takes pairs out of two lists of cells.
 * @param {string[]} from
 * @param {string[]} to
 * @param {(cell: string) => Point | undefined} place
 * @param {string[]} path
 * @returns {[string, string][]}
 */
function pairs(from, to, place, path) {
  /** @type {[string, string][]} */
  const found = [];
  const take = (/** @type {string} */ a, /** @type {string} */ b) => {
    from.splice(from.indexOf(a), 1);
    to.splice(to.indexOf(b), 1);
    found.push([a, b]);
  };
  path.forEach((cell, index) => {
    const next = path.slice(index + 1).find((other) => to.includes(other));
    if (next !== undefined && from.includes(cell)) take(cell, next);
  });
  while (from.length > 0 && to.length > 0) {
    let best = /** @type {[string, string, number] | null} */ (null);
    for (const a of from) {
      for (const b of to) {
        const [p, q] = [place(a), place(b)];
        const distance = p && q ? Math.hypot(p[0] - q[0], p[1] - q[1]) : 1e9;
        if (!best || distance < best[2]) best = [a, b, distance];
      }
    }
    if (best) take(best[0], best[1]);
  }
  return found;
}

/**
 * The board as a half-entered move leaves it.
 * @param {Board} board
 * @param {Show[]} changes
 * @returns {Board}
 */
export function preview(board, changes) {
  if (changes.length === 0) return board;
  const pieces = board.pieces.map((piece) => ({ ...piece }));
  const marks = (board.marks ?? []).map((mark) => ({ ...mark }));
  let dice = board.dice;
  /** @param {string} cell @param {string} symbol @param {number} seat @param {number} count */
  const take = (cell, symbol, seat, count) => {
    const at = pieces.findIndex((p) => p.cell === cell && p.symbol === symbol && (p.seat ?? 0) === seat);
    if (at < 0) return undefined;
    const [piece, left] = [pieces[at], (pieces[at].count ?? 1) - count];
    if (left > 0) piece.count = left;
    else pieces.splice(at, 1);
    return piece;
  };
  /** @param {Piece} piece */
  const put = (piece) => {
    const same = pieces.find(
      (p) => p.cell === piece.cell && p.symbol === piece.symbol && p.seat === piece.seat && p.turn === piece.turn,
    );
    if (same) same.count = (same.count ?? 1) + (piece.count ?? 1);
    else pieces.push(piece);
  };
  for (const change of changes) {
    if ('dice' in change) {
      if (dice) dice = { ...dice, left: change.dice };
      continue;
    }
    const seat = change.seat ?? 0;
    if ('move' in change) {
      const count = change.count ?? 1;
      const old = take(change.move[0], change.symbol, seat, count);
      put({ cell: change.move[1], symbol: change.symbol, seat, turn: change.turn ?? old?.turn, count });
    } else if ('add' in change) {
      if (change.symbol) put({ cell: change.add, symbol: change.symbol, seat, turn: change.turn });
      if (change.mark) marks.push({ cell: change.add, kind: change.mark, seat });
    } else {
      if (change.symbol) take(change.remove, change.symbol, seat, 1);
      const at = marks.findIndex((m) => m.cell === change.remove && m.kind === change.mark);
      if (change.mark && at >= 0) marks.splice(at, 1);
    }
  }
  return { ...board, pieces, marks, dice };
}
