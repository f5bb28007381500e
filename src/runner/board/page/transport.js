// The way to the server: a socket, opened with the key in the address of the page. Where the server is
// in the page, as on a static site, another file of this name takes its place.

/** What a connection needs of a socket. @typedef {Pick<WebSocket, 'send' | 'close' | 'readyState' | 'addEventListener'>} Transport */

/** What the server asks of a page before it answers; empty where it lacks. */
export const key = () => location.hash.match(/^#([0-9a-f]{32})$/)?.[1] ?? '';

/** @returns {Transport} */
export function openTransport() {
  const address = new URL('socket', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.hash = '';
  return new WebSocket(address);
}
