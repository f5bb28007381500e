// The engine in a web page. Bundlers find the worker here; behind # they may say where the module lies.

export const start = () => new Worker(new URL('./GAME.js', import.meta.url));
