// A module in a worker: `web/build` writes it before the worker's own text.

/** Fetches a module; it is compiled as it comes, where the host says what it is. */
async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const isTold = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTold ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Instantiates a module. The result calls it: writes a text, calls what the module exports under a name,
 * and gives the value that comes back, or the trap that it ended with.
 *
 * `say` is called with every line that an engine says; `flags` tells what is wanted of its search;
 * `tell` is called with what a household wants, of whom, and a text, and may answer by a text.
 */
function instantiate(module, { say, flags = null, tell }) {
  let fault = 'out of bounds';
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  const read = (start, length) => decoder.decode(new Uint8Array(exports.memory.buffer, start, length));
  const give = (text) => {
    const bytes = encoder.encode(text);
    const at = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  };
  const { exports } = new WebAssembly.Instance(module, {
    page: {
      now: () => performance.now(),
      date: () => Date.now(),
      signal: () => (flags ? Atomics.load(flags, 0) : 0),
      random: () => crypto.getRandomValues(new Uint32Array(1))[0],
      // Whole lines, each with its end.
      write: (start, length) => read(start, length).split('\n').slice(0, -1).forEach(say),
      tell(start, length) {
        const [, what, whom, text] = /^(\S+) (\S*)\n(.*)$/s.exec(read(start, length));
        const answer = tell(what, whom, text);
        if (typeof answer !== 'string') return false;
        give(answer);
        return true;
      },
      panicked: (start, length) => {
        fault = read(start, length);
      },
    },
  });
  return (text, name = 'act') => {
    try {
      give(text);
      return { value: exports[name]() };
    } catch (error) {
      return { trap: `${fault} (${error.message})` };
    }
  };
}

/** The referee of a game, of the game's own module: gives the answer to a line, `undefined` after a trap. */
function refereeOf(module, game) {
  const lines = [];
  const act = instantiate(module, { say: (line) => lines.push(`${line}\n`) });
  act(game, 'referee');
  return (line) => (act(line).trap === undefined ? lines.splice(0).join('') : undefined);
}

