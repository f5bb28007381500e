// The way to the server on a static site: the server is a worker of the page.

/** Nobody else can reach it: it asks for nothing. */
export const key = () => 'here';

/** @type {Worker | null} */
let worker = null;
/** The connection that is open; each has a number. @type {Way | null} */
let open = null;
let ways = 0;

/** Ends the server with its connection; the next one finds a new server. @param {string} text */
function fail(text) {
  console.warn(`the board is started anew: ${text}`);
  worker?.terminate();
  worker = null;
  open?.end(1006);
}

function start() {
  const made = new Worker('household.js');
  made.onmessage = ({ data: { page, text, trap, uses } }) => {
    if (trap !== undefined) fail(trap);
    else if (uses) keep(uses);
    else if (page === open?.number) open?.dispatchEvent(new MessageEvent('message', { data: text }));
  };
  made.onerror = (event) => fail(event.message);
  return made;
}

class Way extends EventTarget {
  /** @type {number} */
  readyState = WebSocket.OPEN;
  number = ++ways;

  /** @param {string} text */
  send(text) {
    worker?.postMessage({ page: this.number, text });
  }

  close() {
    worker?.postMessage({ page: this.number, leave: true });
    this.end(1000);
  }

  /** @param {number} code */
  end(code) {
    open = null;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }
}

export function openTransport() {
  worker ??= start();
  const way = new Way();
  open = way;
  queueMicrotask(() => way.dispatchEvent(new Event('open')));
  return way;
}

/** Has the engine of a game kept for those without a network, or all: `''`. @param {string} game */
function keep(game) {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(game));
}

// The first visit has other things to do before it keeps the site.
addEventListener('load', () => setTimeout(() => navigator.serviceWorker?.register('offline.js').catch(() => {}), 3000));
// Who installs it wants to have it all.
addEventListener('appinstalled', () => keep(''));
if (matchMedia('(display-mode: standalone)').matches) keep('');
