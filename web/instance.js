// A session with an engine in its module, for workers: `web/build` writes it before them.

/**
 * Instantiates the module of an engine; gives a function that takes lines. `say` is called with what
 * it says, `flags` tells what is wanted of a search. A referee plays no moves.
 */
function instantiate(module, { game, say, flags = null, referee = false }) {
  const text = (start, length) =>
    new TextDecoder().decode(new Uint8Array(instance.exports.memory.buffer, start, length));
  let fault = 'out of bounds';
  const instance = new WebAssembly.Instance(module, {
    page: {
      now: () => performance.now(),
      date: () => Date.now(),
      signal: () => (flags ? Atomics.load(flags, 0) : 0),
      random: () => crypto.getRandomValues(new Uint32Array(1))[0],
      write: (start, length) => {
        // Whole lines, each with its end.
        text(start, length).split('\n').slice(0, -1).forEach(say);
      },
      panicked: (start, length) => {
        fault = text(start, length);
      },
    },
  });
  const { memory, room, start, act } = instance.exports;
  const give = (line) => {
    const bytes = new TextEncoder().encode(line);
    const at = room(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  };
  give(game);
  if (!start(referee)) throw new Error(`the module has no game ${game}`);
  return (line) => {
    try {
      give(line);
      return { state: act() };
    } catch (error) {
      return { trap: `${fault} (${error.message})` };
    }
  };
}

