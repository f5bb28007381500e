// The way to the server on a static site: the server is a worker of the page.

/** Nobody else can reach it: it asks for nothing. */
export const key = () => 'here';

let worker = null;
let pages = 0;

/** What connections there are, by their numbers. */
const open = new Map();

/** Ends all connections; the next one finds a new worker. */
function fail(text) {
  console.warn(`the board is started anew: ${text}`);
  worker.terminate();
  worker = null;
  for (const way of [...open.values()]) way.end(1006);
}

function start() {
  worker = new Worker('household.js');
  worker.onmessage = ({ data: { page, text, trap } }) => {
    if (trap !== undefined) fail(trap);
    else open.get(page)?.dispatchEvent(new MessageEvent('message', { data: text }));
  };
  worker.onerror = (event) => fail(event.message);
}

class Way extends EventTarget {
  readyState = WebSocket.OPEN;
  #page = ++pages;

  constructor() {
    super();
    open.set(this.#page, this);
    queueMicrotask(() => this.dispatchEvent(new Event('open')));
  }

  send(text) {
    worker?.postMessage({ page: this.#page, text });
  }

  close() {
    worker?.postMessage({ page: this.#page, leave: true });
    this.end(1000);
  }

  end(code) {
    if (!open.delete(this.#page)) return;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }
}

export function openTransport() {
  if (!worker) start();
  return new Way();
}

// The first visit has other things to do before it keeps the site for those without a network.
addEventListener('load', () => setTimeout(() => navigator.serviceWorker?.register('offline.js').catch(() => {}), 3000));
