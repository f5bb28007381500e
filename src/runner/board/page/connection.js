// The connection to the server: says hello, matches answers to questions, connects again when the
// connection is lost.

import { openTransport } from './transport.js';

/** The key leads nowhere. */
export const NOT_VALID = 'This address is not valid any more. The page of the host shows the links of seats; parlor board prints the address of the host where it was started.';

/** What the server means by closing. @type {Record<number, string>} */
const REASONS = {
  4001: NOT_VALID,
  4002: 'The server received no greeting. Reload the page.',
  4003: 'Too many messages. Reload the page.',
  4004: 'The page was too slow. Reload it.',
};
const PAUSES = [300, 1000, 2000, 4000, 8000];

/** An error that the server reports; its text is fit to be shown. */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

export class Connection {
  #token;
  #next = 1;
  #failures = 0;
  #isRenewed = false;
  /** @type {Map<number, {resolve: (message: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  /** @type {import('./transport.js').Transport | null} */
  #socket = null;
  /** Every message that answers no question. @type {(message: any) => void} */
  onMessage = () => {};
  /** 'open', 'lost', or a text that says why it ended for good. @type {(state: string) => void} */
  onState = () => {};

  /** @param {string} token */
  constructor(token) {
    this.#token = token;
  }

  connect() {
    const socket = openTransport();
    this.#socket = socket;
    socket.addEventListener('open', () => this.send({ do: 'hello', v: 1, token: this.#token }));
    socket.addEventListener('message', (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener('close', (event) => this.#lose(event.code));
  }

  /** Connects anew, for a fresh welcome. */
  renew() {
    this.#failures = 0;
    this.#isRenewed = true;
    this.#socket?.close(1000);
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Sends a question; the promise is its answer.
   * @param {Record<string, unknown>} message
   * @returns {Promise<any>}
   */
  ask(message) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new Refused('lost', 'not connected'));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.send({ ...message, id });
    });
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === 'welcome') {
      this.#failures = 0;
      this.onState('open');
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      if (message.type === 'error') waiting.reject(new Refused(message.code, message.text));
      else waiting.resolve(message);
      if (message.type === 'error') return;
    }
    this.onMessage(message);
  }

  /** @param {number} code */
  #lose(code) {
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) reject(new Refused('lost', 'the connection was lost'));
    this.#waiting.clear();
    if (REASONS[code]) {
      this.onState(REASONS[code]);
      return;
    }
    if (this.#isRenewed) {
      this.#isRenewed = false;
      this.connect();
      return;
    }
    this.onState('lost');
    const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)];
    setTimeout(() => this.connect(), pause);
  }
}
