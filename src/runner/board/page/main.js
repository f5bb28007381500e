// The page of `parlor board`: connects, receives the server's messages, and draws what it says.

import { drawBanners, drawHandover, noteEnd, onLevelOffered, resultText } from './banners.js';
import { BoardView } from './board.js';
import { Connection, NOT_VALID } from './connection.js';
import { openCopy, openDialog, openRules, openSettings } from './dialogs.js';
import { difference, preview } from './difference.js';
import { t } from './language.js';
import { MoveInput } from './move-input.js';
import { drawCards, drawDice, rollDice, shapeClay } from './dice-and-cards.js';
import { dropKey, keepKey, keptKey } from './keeping.js';
import { drawHome, drawKeyless } from './home.js';
import { arrows, drawBar, drawAnalysis, onAnalysis, onReview, followAnalysis, onArrowsChanged, resetAnalysis } from './analysis.js';
import { drawMoves, go, look, moveKey } from './moves.js';
import { turnSeat, turnText } from './names.js';
import { onStartKnown, openMyGames } from './mygames.js';
import { openNewGame, quickGame } from './newgame.js';
import { loadIcons } from './pieces.js';
import { onBetterKnown } from './review.js';
import { drawSeats, playerName, saidText, tickClocks } from './seats.js';
import { duration, loadSettings, onSettings, settings } from './settings.js';
import { play as sound } from './sound.js';
import { key } from './transport.js';
import { drawTask, endTask, followTask, isTask, onTaskShown, taskBegins } from './task.js';
import { app, announce, ask, forgetGame, send, sentence, toast, withNames } from './store.js';
import { byId, html, update } from './svg.js';
import { wordsOf } from './wording.js';

/** Where the game that was shown is kept, for a reload. */
const SHOWN = 'parlor-game';

const view = new BoardView(/** @type {any} */ (byId('board')));
const input = new MoveInput();
let isFlipped = false;
/** What the board was last laid out for. */
let laidOut = '';
/** The last position that was announced. */
let announced = -1;
let greatestSeq = -1;

view.onChoose = (/** @type {string} */ cell) => void input.chooseCell(cell);
view.onLift = lift;
/** Whether a piece may be dragged. @param {string} cell */
function lift(cell) {
  if (input.path.at(-1) === cell && !input.isComplete) return true;
  const can = input.targets().has(cell) || Boolean(input.first?.next.some((next) => next.cell === cell));
  if (can) void input.chooseCell(cell);
  return can;
}
view.onCancel = () => void input.undoAll();
input.onChange = () => drawBoard();
input.onLeave = () => view.focus(view.focused);
onArrowsChanged(() => drawBoard());
onBetterKnown(() => {
  drawBoard();
  drawAnalysis();
});
onTaskShown(() => drawBoard());
onStartKnown(() => drawAnalysis());
onLevelOffered(() => drawBanners(newGame));
onSettings(() => {
  laidOut = '';
  if (app.game) drawAll();
  else drawHome();
});

/** @param {string} game */
function remember(game) {
  try {
    sessionStorage.setItem(SHOWN, game);
  } catch {
    // Without storage a reload leads to the menu.
  }
}

function remembered() {
  try {
    return sessionStorage.getItem(SHOWN);
  } catch {
    return null;
  }
}

/** @param {any} message */
function onMessage(message) {
  // A new game may begin with any of its messages.
  const isOfGame = ['table', 'tree', 'state', 'position'].includes(message.type);
  if (isOfGame && message.game !== app.game) startGame(message.game);
  switch (message.type) {
    case 'welcome':
      return welcome(message);
    case 'table':
      app.table = message.table;
      drawBanners(newGame);
      drawHandover();
      return drawAll();
    case 'tree':
      app.tree.update(message);
      return drawMoves();
    case 'state':
      return onState(message);
    case 'position':
      return onPosition(message);
    case 'analysis':
      return onAnalysis(message);
    case 'review':
      return onReview(message);
    case 'games':
      if (app.welcome) ({ open: app.welcome.open, saved: app.welcome.saved } = message);
      if (!app.game) drawHome();
      return undefined;
    case 'said':
      return toast(saidText(message));
    case 'closed':
      if (message.game !== app.game) return undefined;
      // A guest has no first page.
      if (app.welcome?.role === 'host') goHome();
      else toast(t('The host has closed the game. Load this page again when it is played on.'), 'error');
      return undefined;
    case 'error':
      if (message.id === undefined) toast(sentence(message.text), 'error');
      return undefined;
    default:
      return undefined;
  }
}

/** @param {Welcome} message */
function welcome(message) {
  app.welcome = message;
  keepKey(message.role, key());
  greatestSeq = -1;
  const isHost = message.role === 'host';
  const shown = app.game || remembered();
  if (!isHost) return;
  if (shown && shown !== 'home' && message.open?.some((game) => game.game === shown)) {
    void ask({ do: 'open', game: shown });
  } else if (message.defaults?.start && shown !== 'home') {
    const [open] = message.open ?? [];
    if (open) void ask({ do: 'open', game: open.game });
    else void quickGame(message.menu?.[0]?.game ?? '');
  } else {
    goHome();
  }
}

/** @param {string} game */
function startGame(game) {
  forgetGame();
  resetAnalysis();
  app.game = game;
  taskBegins(game);
  [laidOut, announced, greatestSeq, isFlipped] = ['', -1, -1, false];
  remember(game);
  document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
  byId('home').hidden = true;
  byId('game').hidden = false;
  scrollTo(0, 0);
  byId('go-rules').hidden = false;
  for (const id of ['go-home', 'go-new']) byId(id).hidden = app.welcome?.role !== 'host';
}

async function goHome() {
  endTask();
  forgetGame();
  remember('home');
  byId('game').hidden = true;
  for (const id of ['go-home', 'go-new', 'go-rules']) byId(id).hidden = true;
  byId('home').hidden = false;
  scrollTo(0, 0);
  byId('game-title').textContent = '';
  document.title = 'Parlor';
  drawHome();
}

/** @param {GameState} state */
function onState(state) {
  if (state.seq < greatestSeq) return;
  greatestSeq = state.seq;
  const before = app.state;
  app.state = state;
  if (before?.live !== state.live) {
    app.tree.follow(state.live);
    drawMoves();
  }
  app.stateAt = performance.now();
  if (state.you.view === null && app.position?.board) {
    // Behind the curtain nothing waits for the empty position that follows.
    app.position = { ...app.position, board: null, step: null };
    input.reset(app.position.node, null);
  }
  byId('game-title').textContent = state.title;
  if (state.result && !before?.result && before) {
    announce(resultText(state.result));
    void noteEnd(state, state.result);
  }
  if (state.fault && !before?.fault) announce(`${state.fault.engine}: ${state.fault.text}`);
  drawBanners(newGame);
  drawHandover();
  drawAll();
}

/** Draws everything of which enough is known. */
function drawAll() {
  drawBoard();
  drawSeats();
  drawAnalysis();
  drawActions();
  drawStatus();
  drawTask();
  tickClocks();
}

/** @param {PositionMessage} message */
function onPosition(message) {
  if (message.seq < greatestSeq) return;
  const before = app.position;
  app.position = message;
  const isSame = before && before.node === message.node && JSON.stringify(before.step) === JSON.stringify(message.step) && before.act === message.act;
  if (!isSame || JSON.stringify(before.board) !== JSON.stringify(message.board)) input.reset(message.node, message.step);
  followAnalysis();
  drawMoves();
  drawAll();
  soundPosition(before);
  announcePosition(before);
  followTask();
}

/** Lets it be heard and seen what has happened. @param {PositionMessage | null} before */
function soundPosition(before) {
  const { position } = app;
  if (!before?.board || !position?.board || app.tree.nodes.get(position.node)?.parent !== before.node) return;
  const [old, board] = [before.board, position.board];
  const change = difference(old.pieces, board.pieces, (id) => view.place(id), board.last?.path ?? []);
  shapeClay(old.cards ?? [], board.cards ?? [], duration());
  if (app.tree.nodes.get(position.node)?.origin === 'chance' && board.dice) {
    sound('throw');
    rollDice(duration());
  }
  else if (change.went.length > 0 && change.moved.length > 0) sound('capture');
  else if (change.moved.length + change.came.length > 0) sound('move');
  else sound('card');
}

/** Says what has happened. @param {PositionMessage | null} before */
function announcePosition(before) {
  const { position, state, table } = app;
  if (!position || !table || !position.board || announced === position.node) return;
  announced = position.node;
  const node = app.tree.nodes.get(position.node);
  const words = [];
  if (before && node?.token) words.push(`${node.by ? `${playerName(node.by)}: ` : ''}${wordsOf(node)}`);
  if (position.board.note) words.push(withNames(position.board.note));
  if (!state?.result) words.push(turnText(table, position.board.turn));
  announce(words.join('. '));
}

/** How the board is turned for whoever looks at it. */
function degrees() {
  const you = app.state?.you;
  const seat = you && (you.seats.length === 1 ? you.seats[0] : you.view && you.view !== 'all' ? you.view : null);
  const turn = app.table?.seats?.find((known) => known.seat === seat)?.turn ?? 0;
  return (turn + (isFlipped ? 180 : 0)) % 360;
}

function drawBoard() {
  const { table, position } = app;
  if (!table || !position) return;
  const layout = JSON.stringify([table, degrees(), settings.labels, settings.pieces]);
  const hadFocus = byId('board').contains(document.activeElement);
  if (layout !== laidOut) {
    laidOut = layout;
    view.setTable(table, degrees());
    byId('game').style.setProperty('--ratio', String(view.ratio));
    if (hadFocus) view.focus(view.focused);
  }
  view.duration = duration();
  const isBoard = table.cells.length > 0;
  const diagram = byId('diagram');
  byId('board').toggleAttribute('hidden', !isBoard || !position.board);
  diagram.hidden = isBoard || !position.board?.text;
  byId('note').textContent = withNames(position.board?.note ?? '');
  if (!position.board) {
    view.draw({ v: 1, turn: 'none', pieces: [] }, {}, false);
    drawCards([], new Map(), [], () => {});
    drawDice(undefined);
    return;
  }
  if (!isBoard) diagram.textContent = position.board.text ?? '';
  const board = preview(position.board, input.step?.show ?? []);
  const last = position.board.last?.path ?? [];
  const isLooking = input.path.length === 0;
  const shown = isLooking ? arrows() : { arrows: [], frames: [] };
  view.draw(board, { targets: input.targets(), path: input.path, last, decided: board.decided, ...shown, hints: settings.hints });
  drawDice(board.dice);
  drawCards(board.cards ?? [], input.cards(), [...last, ...input.path], (choice) => void input.choose(choice));
  drawBar();
  drawThumb();
}

function drawStatus() {
  const { state, position, table } = app;
  if (!state || !table) return;
  const turn = byId('turn');
  const board = position?.board;
  const isLive = position?.node === state.live;
  const seat = turnSeat(board?.turn ?? state.turn);
  const isMine = Boolean(position?.act) && isLive && state.phase === 'play';
  let text = turnText(table, board?.turn ?? state.turn);
  if (isLive && state.result) text = state.phase === 'over' ? t('The game is over') : resultText(state.result);
  else if (isMine && seat) text = state.you.seats.length === 1 ? t('Your turn, {name}', { name: playerName(seat) }) : text;
  else if (isLive && state.seats.some((known) => known.thinking)) text = `${text} …`;
  turn.replaceChildren(text);
  if (!isLive && position && state.phase !== 'analysis') {
    turn.append(' ', html('button', { type: 'button', id: 'go-live', onclick: () => look('live') }, t('Back to the game')));
  }
  byId('status').classList.toggle('mine', isMine);
  document.title = `${isMine ? '● ' : ''}${state.title} – Parlor`;
}

function drawActions() {
  const { state, position } = app;
  const place = byId('actions');
  if (!state) return;
  const { you, phase } = state;
  const isCovered = you.curtain !== null;
  const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ run) => html('button', { type: 'button', id, onclick: run }, text);
  const isAside = position && position.node !== state.live;
  update(
    place,
    ...[
      !isCovered && you.undo && button('take-back', t('Take back'), () => void ask({ do: 'undo' })),
      !isCovered && button('flip', t('Flip'), flip),
      isAside && you.host && phase !== 'analysis' && button('play-on', t('Play on from here'), () => void ask({ do: 'goon', node: position.node })),
      !isCovered && phase === 'play' && you.seats.length > 0 && button('resign', t('Resign'), resign),
      state.secrets && you.host && you.view && you.view !== 'all' && state.seats.filter((seat) => seat.kind === 'here').length > 1 && button('hide', t('Hide'), () => send({ do: 'hide' })),
      !isCovered && button('copy', t('Copy or save'), () => void openCopy()),
      !isCovered && you.seats.length > 0 && !isTask() && button('rename', t('Names'), rename),
      app.welcome?.role === 'seat' && button('my-games', t('My games'), openMyGames),
      you.host && button('close-game', t('End game'), endGame),
    ],
  );
}

/** What matters most now, at the thumb: two of what stands elsewhere too. */
function drawThumb() {
  const { state, position } = app;
  const place = byId('thumb');
  if (!state || !position) {
    place.replaceChildren();
    return;
  }
  const button = (/** @type {string} */ text, /** @type {() => void} */ run, name = '') => html('button', { type: 'button', class: name, onclick: run }, text);
  const play = state.phase === 'play';
  const throws = Boolean(input.step?.chance) && input.path.length === 0 && state.throws === 'click';
  const done = input.isComplete;
  update(place,
    input.path.length > 0 ? button(t('Undo'), () => void input.undo(), 'thumb-undo') : play && state.you.undo && button(t('Take back'), () => void ask({ do: 'undo' })),
    done && button(input.step?.next.length ? t('Done') : t('Play it'), () => input.play(), 'primary thumb-done'),
    !done && throws && position.act && button(t('Throw'), () => void ask({ do: 'throw', node: position.node }), 'primary'),
    play && !done && !throws && position.act && state.you.analyse && input.path.length === 0 && button(t('Hint'), () => byId('hint').click()),
    !play && !isTask() && button('◀', () => go('back')), !play && !isTask() && button('▶', () => go('on')));
}

function flip() {
  isFlipped = !isFlipped;
  drawBoard();
}

function resign() {
  const seats = app.state?.you.seats ?? [];
  const choose = (/** @type {string} */ seat) => () => {
    dialog.close();
    void ask({ do: 'resign', seat });
  };
  const dialog = openDialog(
    t('Resign?'),
    html('div', { class: 'dialog-buttons' },
      ...seats.map((seat) => html('button', { type: 'button', class: 'primary resign-now', onclick: choose(seat) }, seats.length === 1 ? t('Resign') : t('Resign for {name}', { name: playerName(seat) }))),
      html('button', { type: 'button', onclick: () => dialog.close() }, t('Play on'))),
  );
}

function rename() {
  const fields = (app.state?.you.seats ?? []).map((seat) => {
    const input = html('input', { maxlength: 40, autocomplete: 'off' });
    const name = app.state?.seats.find((known) => known.seat === seat)?.name ?? '';
    input.value = name;
    return { seat, input, name };
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    for (const { seat, input, name } of fields) {
      if (input.value.trim() !== name) send({ do: 'name', seat, name: input.value.trim() });
    }
    dialog.close();
  };
  const dialog = openDialog(t('Names'),
    html('form', { onsubmit: submit },
      ...fields.map(({ seat, input }) => html('label', { class: 'field' }, playerName(seat), input)),
      html('div', { class: 'dialog-buttons' }, html('button', { type: 'submit', class: 'primary' }, t('Save')))));
}

function endGame() {
  if (app.state?.phase !== 'play') {
    send({ do: 'close' });
    return;
  }
  const end = () => {
    dialog.close();
    send({ do: 'close' });
  };
  const dialog = openDialog(t('End this game?'), html('p', {}, t('An unfinished game stays saved and can be continued from the list of games.')),
    html('div', { class: 'dialog-buttons' }, html('button', { type: 'button', class: 'primary', onclick: end }, t('End it')), html('button', { type: 'button', onclick: () => dialog.close() }, t('Play on'))));
}

function newGame() {
  if (app.state) void openNewGame(app.state.menu);
  else void goHome();
}

/** @param {string} state */
function onConnection(state) {
  const place = byId('connection');
  document.body.classList.toggle('lost', state !== 'open');
  place.textContent = state === 'open' ? '' : state === 'lost' ? t('Connecting …') : t(state);
  if (state !== NOT_VALID) return;
  dropKey(key());
  if (byId('game').hidden) drawKeyless(t(state));
}

/** @param {string} kind of the last input */
function onInput(kind) {
  app.pointer = kind;
  document.documentElement.classList.toggle('pointing', kind !== 'keyboard');
}

/** Keys that hold on the board. @param {KeyboardEvent} event */
function boardKey(event) {
  if (event.key === 'Backspace') void input.undo();
  else if (event.key === 'Escape') void input.undoAll();
  else return;
  event.preventDefault();
}

async function start() {
  loadSettings();
  byId('go-home').addEventListener('click', () => {
    // The server's lists may have changed.
    remember('home');
    app.game = '';
    app.connection?.renew();
  });
  byId('go-new').addEventListener('click', newGame);
  byId('go-rules').addEventListener('click', () => app.state && void openRules(app.state.menu));
  byId('go-settings').addEventListener('click', openSettings);
  byId('board').addEventListener('keydown', boardKey);
  document.addEventListener('keydown', moveKey);
  document.addEventListener('keydown', () => onInput('keyboard'), true);
  document.addEventListener('pointerdown', (event) => onInput(event.pointerType), true);
  setInterval(tickClocks, 100);
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    // The address keeps its key.
    event.preventDefault();
    byId(byId('game').hidden ? 'home' : 'stage').focus();
  });
  // An installed page starts without a key: the last one leads on.
  const kept = keptKey();
  if (!key() && kept) history.replaceState(null, '', `#${kept}`);
  addEventListener('hashchange', () => location.reload());
  if (!key()) {
    drawKeyless(t('This address lacks its key: open the whole address that parlor board printed.'));
    return;
  }
  await loadIcons().catch(() => {});
  app.connection = new Connection(key());
  app.connection.onMessage = onMessage;
  app.connection.onState = onConnection;
  app.connection.connect();
}

void start();
