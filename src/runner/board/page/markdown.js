// A small Markdown for the rules of a game: headings, paragraphs, lists, tables, code, bold,
// italic, pictures of the server. Makes elements, never markup.

import { html } from './svg.js';

const INLINE = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|!\[[^\]]*\]\([\w.-]+\)|\[[^\]]*\]\([^)]*\))/;

/** @param {string} text @returns {(Node | string)[]} */
export function inline(text) {
  return text.split(INLINE).filter(Boolean).map((part) => {
    if (part.startsWith('**') && part.length > 4) return html('strong', {}, ...inline(part.slice(2, -2)));
    if (part.startsWith('*') && part.length > 2) return html('em', {}, ...inline(part.slice(1, -1)));
    if (part.startsWith('`') && part.length > 2) return html('code', {}, part.slice(1, -1));
    const picture = part.match(/^!\[([^\]]*)\]\(([\w.-]+)\)$/);
    if (picture) return html('img', { src: picture[2], alt: picture[1] });
    // A link of the rules leads nowhere here: its text remains.
    const link = part.match(/^\[([^\]]*)\]\([^)]*\)$/);
    return link ? link[1] : part;
  });
}

/**
 * @param {string} source
 * @returns {DocumentFragment}
 */
export function markdown(source) {
  const result = document.createDocumentFragment();
  for (const block of blocks(source.split('\n'))) result.append(element(block));
  return result;
}

/**
 * @typedef {{kind: 'code' | 'heading' | 'list' | 'numbers' | 'table' | 'paragraph', lines: string[]}} Block
 */

/** @param {string} line @returns {Block['kind']} */
function kindOf(line) {
  if (/^#{1,6} /.test(line)) return 'heading';
  if (/^\s*[-*] /.test(line)) return 'list';
  if (/^\s*\d+[.)] /.test(line)) return 'numbers';
  if (line.startsWith('|')) return 'table';
  return 'paragraph';
}

/** @param {string[]} lines @returns {Block[]} */
export function blocks(lines) {
  /** @type {Block[]} */
  const found = [];
  /** @type {Block | null} */
  let current = null;
  let isCode = false;
  for (const line of lines) {
    if (/^```/.test(line)) {
      isCode = !isCode;
      current = isCode ? { kind: 'code', lines: [] } : null;
      if (current) found.push(current);
    } else if (isCode && current) {
      current.lines.push(line);
    } else if (line.trim() === '') {
      current = null;
    } else {
      const kind = kindOf(line);
      const goesOn = current && kind === 'paragraph' && ['list', 'numbers', 'paragraph'].includes(current.kind);
      if (current && goesOn && current.kind !== 'paragraph') {
        current.lines.push(`${current.lines.pop()} ${line.trim()}`);
      } else if (current && (goesOn || (kind === current.kind && kind !== 'heading'))) {
        current.lines.push(line);
      } else {
        current = { kind, lines: [line] };
        found.push(current);
      }
    }
  }
  return found;
}

/** @param {Block} block @returns {HTMLElement} */
function element({ kind, lines }) {
  const items = () => lines.map((line) => html('li', {}, ...inline(line.replace(/^\s*([-*]|\d+[.)]) /, ''))));
  switch (kind) {
    case 'code':
      return html('pre', { tabindex: 0 }, html('code', {}, lines.join('\n')));
    case 'heading': {
      const level = Math.min(lines[0].indexOf(' ') + 1, 4);
      return html(/** @type {'h2'} */ (`h${level}`), {}, ...inline(lines[0].replace(/^#+ /, '')));
    }
    case 'list':
      return html('ul', {}, ...items());
    case 'numbers':
      return html('ol', {}, ...items());
    case 'table':
      return table(lines);
    default:
      return html('p', {}, ...inline(lines.join(' ')));
  }
}

/** @param {string[]} lines */
function table(lines) {
  const rows = lines.filter((line) => !/^\|[\s:|-]+$/.test(line));
  const cells = (/** @type {string} */ line) => line.replace(/^\||\|\s*$/g, '').split('|').map((cell) => cell.trim());
  const row = (/** @type {'th' | 'td'} */ name) => (/** @type {string} */ line) =>
    html('tr', {}, ...cells(line).map((cell) => html(name, name === 'th' ? { scope: 'col' } : {}, ...inline(cell))));
  return html('table', {}, html('thead', {}, ...rows.slice(0, 1).map(row('th'))), html('tbody', {}, ...rows.slice(1).map(row('td'))));
}
