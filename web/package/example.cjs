// The engine of TITLE plays a game against itself: node example.cjs
const { start } = require('@parlor/GAME');

const engine = start();
const moves = [];

function think() {
  engine.postMessage(`position startpos${moves.length ? ' moves ' : ''}${moves.join(' ')}`);
  engine.postMessage('query gameover');
}

engine.onmessage = ({ data: line }) => {
  const [word, value] = line.split(' ');
  if (word === 'response' && value === 'false') engine.postMessage('go nodes 500');
  if (word === 'response' && value === 'true') {
    console.log(moves.join(' '));
    engine.postMessage('quit');
  }
  if (word === 'bestmove') {
    moves.push(value);
    think();
  }
};
engine.postMessage('setoption name MaxPlies value 40');
think();
