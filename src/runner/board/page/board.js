// The board: draws a table and what stands on it, and tells which cell was pressed, dragged or
// reached with the arrow keys. It knows no rules and no connection.

import { ARROWS, arrow, neighbour, outline, turned } from './geometry.js';
import { alertSign, badge, pieceShape, printedSymbol, roleClass, seatRole, sign } from './pieces.js';
import { cellName } from './names.js';
import { difference } from './difference.js';
import { t } from './language.js';
import { points, round, svg } from './svg.js';

/** @typedef {{from: string, to: string, rank: number, label?: string}} BoardArrow */
/**
 * What is shown beside the pieces.
 * @typedef {object} Scene
 * @property {Set<string>} [targets] cells that may be chosen now
 * @property {string[]} [path] cells that were chosen already
 * @property {string[]} [last] cells of the last move
 * @property {BoardArrow[]} [arrows]
 * @property {string[]} [frames] cells that an arrow cannot show
 * @property {string[]} [decided] cells that decided the game
 * @property {boolean} [hints] whether targets are drawn
 */

const LAYERS = ['cells', 'lasts', 'marks', 'states', 'pieces', 'badges', 'labels', 'dots', 'arrows', 'hand', 'hits'];
/** How much of a cell a tile covers that a seat has laid on it. */
const TILE = 0.84;
/** A press that moves less than this many pixels is a click. */
const DRAG_THRESHOLD = 6;

export class BoardView {
  /** @type {Table} */ table = { v: 1, title: '', size: [0, 0], piece: 0.4, cells: [], shapes: {} };
  /** @type {Board} */ board = { v: 1, turn: 'none', pieces: [] };
  /** @type {Scene} */ scene = {};
  /** How long a piece moves, in milliseconds. */
  duration = 200;
  /** Called with the name of a cell that was clicked or dropped on. @type {(cell: string) => void} */
  onChoose = () => {};
  /** Called when a piece is taken up: whether it may be dragged. @type {(cell: string) => boolean} */
  onLift = () => false;
  /** Called when nothing comes of a drag. */
  onCancel = () => {};

  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Record<string, SVGGElement>} */
    this.layers = {};
    /** @type {Map<string, SVGElement>} */
    this.buttons = new Map();
    /** @type {Map<string, TableCell>} */
    this.cells = new Map();
    this.turn = turned([0, 0], 0);
    this.focused = '';
    /** @type {{cell: string, x: number, y: number, moving: boolean, ghost: SVGElement | null} | null} */
    this.drag = null;
    /** Where a piece was taken up and put down last. */
    this.dropped = ['', ''];
    element.addEventListener('keydown', (event) => this.#key(event));
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', () => this.#endDrag());
  }

  /**
   * A new table, or the same turned another way.
   * @param {Table} table
   * @param {number} degrees clockwise
   */
  setTable(table, degrees) {
    this.table = table;
    this.turn = turned(table.size, degrees);
    this.cells = new Map(table.cells.map((cell) => [cell.id, cell]));
    const [width, height] = this.turn.size;
    this.element.setAttribute('viewBox', `0 0 ${round(width)} ${round(height)}`);
    this.element.replaceChildren(definitions());
    for (const name of LAYERS) {
      this.layers[name] = svg('g', { class: `layer-${name}` });
      if (name !== 'hits') this.layers[name].setAttribute('aria-hidden', 'true');
      this.element.append(this.layers[name]);
    }
    this.#drawCells();
    this.#drawButtons();
    this.board = { v: 1, turn: 'none', pieces: [] };
  }

  /** Width by height. */
  get ratio() {
    return round(this.turn.size[0] / Math.max(this.turn.size[1], 0.1));
  }

  /** Where the middle of a cell is drawn. @param {string} id */
  place(id) {
    const cell = this.cells.get(id);
    return cell && this.turn.at(cell.at);
  }

  /** @param {TableCell} cell @param {number} factor @returns {Point[]} */
  corners(cell, factor = 1) {
    return (this.table.shapes[cell.shape] ?? []).map(([dx, dy]) =>
      this.turn.at([cell.at[0] + factor * dx, cell.at[1] + factor * dy]),
    );
  }

  #drawCells() {
    const { table, layers } = this;
    for (const cell of table.cells) {
      const kind = cell.kind ? table.kinds?.[cell.kind] : undefined;
      const at = this.turn.at(cell.at);
      layers.cells.append(svg('polygon', { class: `cell ${roleClass(kind?.fill)}`, points: points(this.corners(cell)) }));
      const printed = kind?.symbol ? table.symbols?.[kind.symbol] : undefined;
      if (printed) layers.cells.append(printedSymbol(printed, at, table.piece));
      const mark = kind?.mark ? sign(kind.mark, at, table.piece) : null;
      if (mark) layers.cells.append(mark);
    }
    this.#outline(table.cells, 'edge');
    for (const region of table.regions ?? []) {
      this.#outline(region.cells.flatMap((id) => this.cells.get(id) ?? []), 'region');
    }
    for (const [x1, y1, x2, y2] of table.lines ?? []) {
      const [a, b] = [this.turn.at([x1, y1]), this.turn.at([x2, y2])];
      layers.cells.append(svg('line', { class: 'line', x1: a[0], y1: a[1], x2: b[0], y2: b[1] }));
    }
    const size = Math.min(0.28, Math.max(0.13, 0.026 * Math.max(...table.size)));
    for (const { at, text } of table.labels ?? []) {
      const [x, y] = this.turn.at(at);
      layers.labels.append(svg('text', { class: 'label', x, y, 'font-size': round(size) }, text));
    }
  }

  /** @param {TableCell[]} cells @param {string} name */
  #outline(cells, name) {
    const edges = outline(cells.map((cell) => this.corners(cell)));
    const d = edges.map(([a, b]) => `M${points([a])}L${points([b])}`).join('');
    if (d) this.layers.cells.append(svg('path', { class: `outline ${name}`, d }));
  }

  #drawButtons() {
    this.buttons.clear();
    for (const cell of this.table.cells) {
      const button = svg('polygon', { class: 'hit', role: 'button', tabindex: -1, points: points(this.corners(cell)) });
      button.dataset.cell = cell.id;
      // Not on the whole board: Chromium makes a drawing that listens for focus a tab stop.
      button.addEventListener('focus', () => this.#focus(cell.id));
      this.buttons.set(cell.id, button);
      this.layers.hits.append(button);
    }
    if (!this.buttons.has(this.focused)) this.focused = this.table.cells[0]?.id ?? '';
    this.buttons.get(this.focused)?.setAttribute('tabindex', '0');
  }

  /**
   * Draws what stands where; what changed since the last drawing moves.
   * @param {Board} board
   * @param {Scene} scene
   * @param {boolean} [animate]
   */
  draw(board, scene, animate = true) {
    const before = this.board;
    const samePieces = JSON.stringify(before.pieces) === JSON.stringify(board.pieces);
    const isFirst = this.layers.pieces.childElementCount === 0;
    [this.board, this.scene] = [board, scene];
    this.#drawLast(scene.last ?? []);
    this.#drawMarks(board.marks ?? []);
    if (!samePieces || isFirst) {
      const drawn = this.#drawPieces();
      if (animate && !isFirst && !samePieces && this.duration > 0) this.#animate(before, drawn);
    }
    this.#drawScene(scene);
    this.#nameCells(scene);
  }

  /** @param {string[]} last */
  #drawLast(last) {
    const layer = this.layers.lasts;
    layer.replaceChildren();
    const cells = last.flatMap((id) => this.cells.get(id) ?? []);
    for (const cell of new Set(cells)) {
      layer.append(svg('polygon', { class: 'last', points: points(this.corners(cell, 0.94)), 'stroke-width': round(0.12 * this.table.piece) }));
    }
    const line = cells.map((cell) => this.turn.at(cell.at));
    if (line.length > 1) layer.append(svg('polyline', { class: 'last-path', points: points(line), 'stroke-width': round(0.17 * this.table.piece), 'stroke-dasharray': `${round(0.4 * this.table.piece)} ${round(0.3 * this.table.piece)}` }));
  }

  /** @param {Mark[]} marks */
  #drawMarks(marks) {
    const { marks: low, badges: high } = this.layers;
    low.replaceChildren();
    high.replaceChildren();
    const manySeats = (this.table.seats?.length ?? 0) > 2;
    const r = this.table.piece;
    for (const mark of marks) {
      const cell = this.cells.get(mark.cell);
      if (!cell) continue;
      const kind = this.table.kinds?.[mark.kind];
      const at = this.turn.at(cell.at);
      const role = mark.seat ? seatRole(this.table, mark.seat) : kind?.fill;
      if (role) {
        const tile = svg('polygon', { class: `tile ${roleClass(role)}`, points: points(this.corners(cell, TILE)) });
        low.append(tile);
      }
      if (mark.seat && manySeats) {
        low.append(badge([at[0] - 0.8 * r, at[1] - 0.8 * r], 0.32 * r, 'badge-seat', String(mark.seat)));
      }
      if (kind?.mark) high.append(alertSign(kind.mark, at, r));
    }
  }

  /** Pieces cell by cell: several on one cell stand smaller, side by side. */
  #drawPieces() {
    const layer = this.layers.pieces;
    layer.replaceChildren();
    /** @type {Map<string, Piece[]>} */
    const cells = new Map();
    for (const piece of this.board.pieces) cells.set(piece.cell, [...(cells.get(piece.cell) ?? []), piece]);
    /** @type {{piece: Piece, shape: SVGGElement}[]} */
    const drawn = [];
    for (const [id, pieces] of cells) {
      const at = this.place(id);
      if (!at) continue;
      const columns = pieces.length === 1 ? 1 : pieces.length <= 4 ? 2 : 3;
      const rows = Math.ceil(pieces.length / columns);
      const pitch = (2.5 * this.table.piece) / columns;
      const r = pieces.length === 1 ? this.table.piece : 0.5 * pitch;
      pieces.forEach((piece, index) => {
        const x = at[0] + ((index % columns) - (columns - 1) / 2) * pitch;
        const y = at[1] + (Math.floor(index / columns) - (rows - 1) / 2) * pitch;
        const shape = pieceShape(this.table, piece, r, this.turn.degrees);
        shape.setAttribute('transform', `translate(${round(x)} ${round(y)})`);
        shape.dataset.cell = id;
        layer.append(shape);
        drawn.push({ piece, shape });
      });
    }
    return drawn;
  }

  /**
   * @param {Board} before
   * @param {{piece: Piece, shape: SVGGElement}[]} drawn
   */
  #animate(before, drawn) {
    // A hand has moved that piece already.
    const [lifted, dropped] = this.dropped;
    this.dropped = ['', ''];
    const change = difference(before.pieces, this.board.pieces, (id) => this.place(id), this.scene.last);
    if (change.moved.length + change.came.length + change.went.length > 24) return;
    const timing = { duration: this.duration, easing: 'ease-in-out' };
    const shapeOf = (/** @type {{symbol: string, seat: number}} */ what, /** @type {string} */ cell) =>
      drawn.find(({ piece: p }) => p.cell === cell && p.symbol === what.symbol && (p.seat ?? 0) === what.seat)?.shape;
    for (const moved of change.moved) {
      const shape = shapeOf(moved, moved.to);
      const [from, to] = [this.place(moved.from), this.place(moved.to)];
      if (!shape || !from || !to || (moved.from === lifted && moved.to === dropped)) continue;
      this.layers.pieces.append(shape);
      const start = `translate(${from[0] - to[0]}px, ${from[1] - to[1]}px)`;
      shape.querySelector('.inner')?.animate([{ transform: start }, { transform: 'none' }], timing);
    }
    for (const came of change.came) shapeOf(came, came.cell)?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    for (const went of change.went) {
      const at = this.place(went.cell);
      if (!at) continue;
      const piece = { cell: went.cell, symbol: went.symbol, seat: went.seat, turn: went.turn };
      const shape = pieceShape(this.table, piece, this.table.piece, this.turn.degrees);
      shape.setAttribute('transform', `translate(${round(at[0])} ${round(at[1])})`);
      this.layers.states.append(shape);
      shape.animate([{ opacity: 1 }, { opacity: 0 }], timing).finished.then(
        () => shape.remove(),
        () => shape.remove(),
      );
    }
  }

  /** @param {Scene} scene */
  #drawScene({ targets = new Set(), path = [], arrows = [], frames = [], decided = [], hints = true }) {
    const { states, dots, arrows: above } = this.layers;
    states.querySelectorAll('polygon').forEach((old) => old.remove());
    dots.replaceChildren();
    above.replaceChildren();
    const r = this.table.piece;
    for (const id of new Set(path)) {
      const cell = this.cells.get(id);
      if (cell) states.append(svg('polygon', { class: 'chosen', points: points(this.corners(cell, 0.92)), 'stroke-width': round(0.16 * r) }));
    }
    // Many are marked inside, so that the rings do not run together.
    const ring = decided.length > 8 ? 0.6 : 1.16;
    for (const id of new Set(decided)) {
      const at = this.place(id);
      if (at) above.append(svg('circle', { class: 'decided', cx: at[0], cy: at[1], r: round(ring * r), 'stroke-width': round(0.2 * r) }));
    }
    const occupied = new Set(this.board.pieces.map((piece) => piece.cell));
    for (const id of hints ? targets : []) {
      const cell = this.cells.get(id);
      if (!cell) continue;
      const [x, y] = this.turn.at(cell.at);
      if (path.length === 0) {
        states.append(svg('polygon', { class: 'movable', points: points(this.corners(cell, 0.88)), 'stroke-width': round(0.11 * r), 'stroke-dasharray': `${round(0.35 * r)} ${round(0.25 * r)}` }));
      } else if (occupied.has(id)) {
        dots.append(svg('circle', { class: 'target-ring', cx: x, cy: y, r: round(1.12 * r), 'stroke-width': round(0.18 * r) }));
      } else {
        dots.append(svg('circle', { class: 'target', cx: x, cy: y, r: round(0.36 * r), 'stroke-width': round(0.1 * r) }));
      }
    }
    for (const { from, to, rank, label } of [...arrows].reverse()) {
      const [a, b] = [this.place(from), this.place(to)];
      if (!a || !b) continue;
      const width = Math.max(0.5, 1.2 - 0.25 * rank);
      above.append(svg('polygon', { class: `arrow arrow-${Math.min(rank, 3)}`, points: points(arrow(a, b, r, width)) }));
      if (label) above.append(badge([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], 0.42 * r, 'badge-arrow', label));
    }
    for (const id of frames) {
      const cell = this.cells.get(id);
      if (cell) above.append(svg('polygon', { class: 'frame', points: points(this.corners(cell, 0.9)) }));
    }
  }

  /** @param {Scene} scene */
  #nameCells({ targets = new Set(), path = [], last = [] }) {
    for (const [id, button] of this.buttons) {
      const cell = this.cells.get(id);
      if (!cell) continue;
      const able = targets.has(id) ? [path.length === 0 ? t('can be chosen') : t('can go here')] : [];
      if (path.at(-1) === id) able.push(t('selected'));
      if (last.includes(id)) able.push(t('last move'));
      if (targets.has(id) && path.length === 0 && this.board.pieces.some((piece) => piece.cell === id)) able[0] = t('can move');
      const name = cellName(this.table, this.board, cell, able);
      if (button.getAttribute('aria-label') !== name) button.setAttribute('aria-label', name);
      button.classList.toggle('able', targets.has(id));
    }
  }

  /** Puts the keyboard on a cell. @param {string} id */
  focus(id) {
    this.buttons.get(id)?.focus();
  }

  /** @param {string} id */
  #focus(id) {
    if (id === this.focused) return;
    this.buttons.get(this.focused)?.setAttribute('tabindex', '-1');
    this.focused = id;
    this.buttons.get(id)?.setAttribute('tabindex', '0');
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.onChoose(this.focused);
      return;
    }
    const from = this.place(this.focused);
    const direction = ARROWS[event.key];
    if (!from || !direction) return;
    event.preventDefault();
    /** @type {[string, Point][]} */
    const others = [...this.cells.keys()].filter((id) => id !== this.focused).map((id) => [id, /** @type {Point} */ (this.place(id))]);
    const next = neighbour(from, direction, others);
    if (next) this.focus(next);
  }

  /** @param {EventTarget | null} target */
  #cellOf(target) {
    return target instanceof SVGElement ? target.dataset.cell : undefined;
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const matrix = this.element.getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return /** @type {Point} */ ([x, y]);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#cellOf(event.target);
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.focus(cell);
    this.drag = { cell, x: event.clientX, y: event.clientY, moving: false, ghost: null };
    this.element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD) return;
      drag.moving = true;
      const piece = this.layers.pieces.querySelector(`[data-cell="${CSS.escape(drag.cell)}"]`);
      if (piece instanceof SVGElement && this.onLift(drag.cell)) {
        drag.ghost = /** @type {SVGElement} */ (piece.cloneNode(true));
        drag.ghost.classList.add('ghost');
        piece.classList.add('lifted');
        this.layers.hand.append(drag.ghost);
      }
    }
    const [x, y] = this.#point(event);
    drag.ghost?.setAttribute('transform', `translate(${round(x)} ${round(y)})`);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.drag;
    this.#endDrag();
    if (!drag) return;
    const over = this.#cellOf(document.elementFromPoint(event.clientX, event.clientY));
    this.dropped = ['', ''];
    if (!drag.moving) this.onChoose(drag.cell);
    else if (drag.ghost && over && over !== drag.cell) {
      this.dropped = [drag.cell, over];
      this.onChoose(over);
    }
    else if (drag.ghost && over !== drag.cell) this.onCancel();
  }

  #endDrag() {
    this.drag?.ghost?.remove();
    this.element.querySelectorAll('.lifted').forEach((piece) => piece.classList.remove('lifted'));
    this.drag = null;
  }
}

/** Light and shade. */
function definitions() {
  const stop = (/** @type {string} */ offset, /** @type {string} */ name) => svg('stop', { offset, class: name });
  return svg('defs', {}, svg('radialGradient', { id: 'light-on-disc', cx: 0.36, cy: 0.28, r: 0.8 }, stop('0', 'glow'), stop('0.55', 'clear'), stop('1', 'shade')));
}
