// Groups of buttons with one tab stop: the arrow keys go to the nearest button that way.

import { ARROWS, neighbour } from './geometry.js';

/** @param {Element} element @returns {Point} */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/**
 * Makes the buttons of a container one tab stop. To be called again when they have changed.
 * @param {HTMLElement} container
 * @param {string} selector
 * @param {Element | null} [current] the button that is the tab stop; the first if there is none
 */
export function rove(container, selector, current = null) {
  const items = () => /** @type {HTMLElement[]} */ ([...container.querySelectorAll(selector)]);
  const all = items();
  const stop = all.find((item) => item === current || item === document.activeElement) ?? all[0];
  for (const item of all) item.tabIndex = item === stop ? 0 : -1;
  if (container.dataset.roves) return;
  container.dataset.roves = 'yes';
  container.addEventListener('focusin', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!target.matches(selector)) return;
    for (const item of items()) item.tabIndex = item === target ? 0 : -1;
  });
  container.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!target.matches(selector) || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    let next = null;
    if (event.key === 'Home') next = all[0];
    if (event.key === 'End') next = all.at(-1);
    const direction = ARROWS[event.key];
    if (direction) {
      next = neighbour(middle(target), direction, all.filter((item) => item !== target).map((item) => [item, middle(item)]));
    }
    if (!next && !direction) return;
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  });
}
