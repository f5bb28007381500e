// The game as one moving picture: the pictures of its positions in an SVG, shown one after the other.

/** How long a position stands, in seconds; the last one longer. */
const PAUSE = 1;
const END = 3;

/**
 * What all pictures begin with is drawn once.
 * @param {string[]} pictures SVG texts of one board
 * @returns {string}
 */
export function film(pictures) {
  const parser = new DOMParser();
  const roots = pictures.map((text) => parser.parseFromString(text, 'image/svg+xml').documentElement);
  /** @type {Map<string, Element>} */
  const symbols = new Map();
  for (const root of roots) {
    // What a cell holds is told by its title: here it changes.
    root.querySelectorAll(':scope > * title').forEach((title) => title.remove());
    root.querySelectorAll(':scope > defs > *').forEach((symbol) => symbols.set(symbol.id, symbol));
    root.querySelectorAll(':scope > defs').forEach((defs) => defs.remove());
  }
  const tall = roots.reduce((best, root) => (Number(root.getAttribute('height')) > Number(best.getAttribute('height')) ? root : best));
  const shared = /** @type {Element} */ (tall.cloneNode(false));
  const lists = roots.map((root) => [...root.children]);
  const ground = lists[roots.indexOf(tall)].map((child) => child.outerHTML);
  let same = 0;
  // The ground behind everything is as high as the tallest picture.
  const fits = (/** @type {Element[]} */ list) => list[same] !== undefined && (list[same].nodeName === 'rect' || list[same].outerHTML === ground[same]);
  while (same < ground.length && lists.every(fits)) same++;
  const defs = document.createElementNS('http://www.w3.org/2000/svg', 'defs');
  defs.append(...symbols.values());
  shared.append(defs, ...lists[roots.indexOf(tall)].slice(0, same).map((child) => child.cloneNode(true)));
  const all = PAUSE * (roots.length - 1) + END;
  lists.forEach((list, index) => {
    const frame = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    const isLast = index + 1 === lists.length;
    // Where nothing moves the first position is to be seen.
    if (index > 0) frame.setAttribute('visibility', 'hidden');
    if (lists.length > 1) {
      const animate = document.createElementNS('http://www.w3.org/2000/svg', 'animate');
      const times = [index === 0 ? null : ['hidden', 0], ['visible', (index * PAUSE) / all], isLast ? null : ['hidden', ((index + 1) * PAUSE) / all]].filter((time) => time !== null);
      const given = { attributeName: 'visibility', calcMode: 'discrete', dur: `${all}s`, repeatCount: 'indefinite', values: times.map(([value]) => value).join(';'), keyTimes: times.map(([, time]) => Number(time).toFixed(5)).join(';') };
      for (const [name, value] of Object.entries(given)) animate.setAttribute(name, value);
      frame.append(animate);
    }
    frame.append(...list.slice(same));
    shared.append(frame);
  });
  return new XMLSerializer().serializeToString(shared);
}
