// Where things lie: turning the board, neighbours by direction, outlines of groups of cells.
// Pure functions; nothing here touches the document.

/**
 * A turn of the board about its middle.
 * @param {Point} size of the table
 * @param {number} degrees clockwise
 * @returns {{size: Point, degrees: number, at: (point: Point) => Point, by: (offset: Point) => Point}}
 */
export function turned([width, height], degrees) {
  const angle = (degrees * Math.PI) / 180;
  // Exact for quarter turns, so that squares stay square.
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)].map((value) => Math.round(value * 1e9) / 1e9);
  const size = /** @type {Point} */ ([
    Math.abs(width * cos) + Math.abs(height * sin),
    Math.abs(width * sin) + Math.abs(height * cos),
  ]);
  const by = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([x * cos - y * sin, x * sin + y * cos]);
  const at = (/** @type {Point} */ [x, y]) => {
    const [dx, dy] = by([x - width / 2, y - height / 2]);
    return /** @type {Point} */ ([dx + size[0] / 2, dy + size[1] / 2]);
  };
  return { size, degrees, at, by };
}

/** The directions of the arrow keys. @type {Record<string, Point>} */
export const ARROWS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * The place to go to from a place in a direction: near, and rather straight ahead than aside.
 * @template T
 * @param {Point} from
 * @param {Point} direction of length 1
 * @param {Iterable<[T, Point]>} places that may be gone to
 * @returns {T | null} null where nothing lies that way
 */
export function neighbour([x, y], [ux, uy], places) {
  let [best, least] = [/** @type {T | null} */ (null), Infinity];
  for (const [name, [px, py]] of places) {
    const [dx, dy] = [px - x, py - y];
    const ahead = dx * ux + dy * uy;
    const aside = Math.abs(dx * uy - dy * ux);
    if (ahead < 1e-3 || aside > 3 * ahead) continue;
    const cost = ahead + (aside > 1.05 * ahead ? 4 : 2) * aside;
    if (cost < least - 1e-9) [best, least] = [name, cost];
  }
  return best;
}

/**
 * The edges of polygons that no two of them share.
 * @param {Point[][]} polygons
 * @returns {[Point, Point][]}
 */
export function outline(polygons) {
  /** @type {Map<string, [Point, Point]>} */
  const edges = new Map();
  // Corners that are rounded differently still meet.
  const key = (/** @type {Point} */ [x, y]) => `${Math.round(x * 200)},${Math.round(y * 200)}`;
  for (const corners of polygons) {
    corners.forEach((a, index) => {
      const b = corners[(index + 1) % corners.length];
      const name = [key(a), key(b)].sort().join(' ');
      if (!edges.delete(name)) edges.set(name, [a, b]);
    });
  }
  return [...edges.values()];
}

/**
 * The corners of an arrow between two points, which starts and ends a little inside.
 * @param {Point} from
 * @param {Point} to
 * @param {number} r the radius of a piece
 * @param {number} width 1 for the usual width
 * @returns {Point[]}
 */
export function arrow([x1, y1], [x2, y2], r, width = 1) {
  const length = Math.max(Math.hypot(x2 - x1, y2 - y1), 1e-3);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(0.9 * r, 0.6 * length);
  const neck = length - head;
  const tail = Math.min(0.6 * r, neck);
  const [half, wide] = [0.16 * r * width, 0.45 * r * (0.5 + width / 2)];
  const corners = [
    [tail, half],
    [neck, half],
    [neck, wide],
    [length, 0],
    [neck, -wide],
    [neck, -half],
    [tail, -half],
  ];
  return corners.map(([along, aside]) => [x1 + along * ux - aside * uy, y1 + along * uy + aside * ux]);
}
