// Small helpers to make SVG and HTML elements and to change them. Text goes in as text, never as
// markup.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number | boolean | EventListener | undefined>} attributes
 *   `on...` are listeners; true is an attribute without a value; false and undefined are left out
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') Object.assign(element, { [key]: value });
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, String(value));
  }
  for (const child of children) if (child || child === '') element.append(child);
  return element;
}

/** What `update` hands on from a new element to the one that stays. */
const LISTENERS = /** @type {const} */ (['onclick', 'onchange', 'oninput', 'onfocus', 'onsubmit']);

/**
 * Gives an element these children. A child that is there already in another state is changed and
 * stays, with its focus, its scrolling and a press that has begun. Listeners have to be attributes
 * of `html`, and to find their element by the event.
 * @param {Element} place
 * @param {...(Node | string | null | undefined | false)} children
 */
export function update(place, ...children) {
  let at = place.firstChild;
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    const fresh = typeof child === 'string' ? new Text(child) : child;
    let same = at;
    const name = fresh instanceof Element ? fresh.id : '';
    while (name && same && !isSame(same, fresh)) same = same.nextSibling;
    if (!same || !isSame(same, fresh)) {
      place.insertBefore(fresh, at);
      continue;
    }
    while (at && at !== same) at = drop(at);
    adopt(same, fresh);
    at = same.nextSibling;
  }
  while (at) at = drop(at);
}

/** @param {ChildNode} node */
function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** @param {Node} old @param {Node} fresh */
function isSame(old, fresh) {
  return old.nodeName === fresh.nodeName && (old instanceof Element ? old.id : '') === (fresh instanceof Element ? fresh.id : '');
}

/** @param {Node} old @param {Node} fresh */
function adopt(old, fresh) {
  if (!(old instanceof Element && fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  // What somebody has opened stays open.
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && `${old.id} ${name}` !== 'explorer open') old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    // The page's policy forbids to set styles as text.
    if (name !== 'style' && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLElement && fresh instanceof HTMLElement) {
    if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
    for (const name of LISTENERS) Object.assign(old, { [name]: fresh[name] });
  }
  if (old instanceof SVGElement && fresh instanceof SVGElement) old.onclick = fresh.onclick;
  update(old, ...fresh.childNodes);
  // What a hand is on keeps its value.
  const field = /** @type {HTMLInputElement} */ (old);
  const isField = ['INPUT', 'SELECT'].includes(old.nodeName);
  if (isField && !old.matches(':active, :focus:not([type="range"])')) field.value = /** @type {HTMLInputElement} */ (fresh).value;
}

/** @param {Point[]} points */
export const points = (points) => points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');

/** @param {number} value */
export const round = (value) => Math.round(value * 1000) / 1000;

/**
 * The element with an id that the page has.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element #${id}`);
  return element;
}
