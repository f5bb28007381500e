// The engine in Node, with the messages of a Worker in a web page.
'use strict';

const { Worker } = require('node:worker_threads');

exports.start = () => {
  const worker = new Worker(require.resolve('./GAME.js'));
  const engine = {
    onmessage: null,
    postMessage: (line) => worker.postMessage(line),
    terminate: () => {
      worker.terminate();
    },
  };
  worker.on('message', (data) => engine.onmessage?.({ data }));
  return engine;
};
