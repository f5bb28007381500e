// The dialog for a new game: seats, strength, clock, dice, rules, start.

import { picture, openDialog } from './dialogs.js';
import { evenLevel, levelOf } from './keeping.js';
import { t } from './language.js';
import { seatName } from './names.js';
import { evenNote } from './seats.js';
import { app, ask, toast } from './store.js';
import { html } from './svg.js';

/** Times an engine may take for a move, in milliseconds. */
const TIMES = [100, 300, 1000, 3000, 10_000];
/** Clocks to choose from. @type {[string, string][]} */
const CLOCKS = [['', 'none'], ['60+1', '1 min + 1 s'], ['180+2', '3 min + 2 s'], ['300+3', '5 min + 3 s'], ['600+5', '10 min + 5 s'], ['1800+20', '30 min + 20 s']];

/**
 * @param {string} label
 * @param {[string, string][]} choices
 * @param {string} value
 * @param {Record<string, string>} [attributes]
 */
function select(label, choices, value, attributes = {}) {
  return html('select', { 'aria-label': label, ...attributes }, ...choices.map(([key, text]) => html('option', { value: key, selected: key === value }, text)));
}

/** The dialog of one game. @param {string} menu */
export async function openNewGame(menu) {
  const about = /** @type {About | null} */ (await ask({ do: 'about', menu, rules: app.welcome?.defaults?.rules }));
  if (!about) return;
  const form = new NewGame(menu, about);
  form.open();
}

/** Answers to `about` that were asked already. @type {Map<string, Promise<About | null>>} */
const known = new Map();

/** What there is to know of a game under the usual rules. @param {string} menu @returns {Promise<About | null>} */
export function aboutGame(menu) {
  const found = known.get(menu) ?? ask({ do: 'about', menu });
  known.set(menu, found);
  return found.then((about) => {
    if (!about) known.delete(menu);
    return about;
  });
}

/** The highest level of the engine of a game; 0 without levels. @param {string} menu */
export const levelsOf = async (menu) => (await aboutGame(menu))?.engines[0]?.levels ?? 0;

/**
 * Starts a game at once: the person first, the engine everywhere else, at the level of the person.
 * @param {string} menu
 * @param {number} [wanted] another level
 */
export async function quickGame(menu, wanted) {
  const about = await aboutGame(menu);
  const level = wanted ?? levelOf(menu, about?.engines[0]?.levels ?? 0);
  const seats = Array.from({ length: about?.seats ?? 0 }, (_, seat) => (seat === 0 ? { kind: 'here' } : { kind: 'engine', ...(level > 0 ? { level } : {}) }));
  await ask({ do: 'new', menu, seats });
}

/** What values of rules mean, by the names of options. @type {Record<string, Record<string, string>>} */
export const VALUES = {
  Players: { duel: 'a duel' },
  SerraLock: { forbid: 'not allowed', allow: 'allowed' },
  EggSuicide: { forbid: 'not allowed', loss: 'loses' },
  PorrikaEntry: { eggs: 'eggs only', copper: 'copper only', any: 'everybody' },
  Hopeless: { silver: 'silver wins at once', play: 'played on' },
  Stuck: { pass: 'passes', loss: 'loses', draw: 'draws' },
  Repetition: { draw: 'a draw', silver: 'silver wins' },
  MeetingThreshold: { 9: 'from 9 markers on', 0: 'always' },
  Order: { standard: 'as seated', traditional: 'the middle one first' },
  Safe: { homes: 'the homes', corners: 'homes and corners' },
  DoubleBlock: { turn: 'for one turn', off: 'never' },
  DoubleMove: { full: 'by the whole throw', half: 'by half the throw', none: 'not together' },
  Gate: { stop: 'wait for a hit', circle: 'go round again', off: 'no gate' },
  Words: { deal: 'one of six', free: 'any word' },
  Lexicon: { core: 'everyday words', all: 'all words' },
  Letters: { owner: 'the owner chooses', position: 'by their place' },
  Round2: { guess: 'a guess', either: 'a guess or questions', moon: 'a guess, shorter round 1' },
  ZielEnd: { instant: 'wins at once', penalised: 'after penalties' },
  Match: { lemma: 'the same word', synset: 'synonyms too' },
  Answerer: { judge: 'the judge', owner: 'the owner' },
  CurseWindows: { every: 'at every chance', all: 'after answers too', turn: 'as a turn starts' },
};

/** Options whose names are no words of the game. @type {Record<string, string>} */
const NAMES = { MaxPlies: 'Limit of moves (0: none)', ZielEnd: 'At the finish' };

/** The name of an option as words: `DoubleHits` as "Double hits". @param {string} name */
const optionName = (name) => t(NAMES[name] ?? name.replace(/(?<=[a-z])[A-Z\d]/g, (letter) => ` ${letter.toLowerCase()}`));

/** What a value means. @param {string} name of the option @param {string} value */
const valueName = (name, value) => t(VALUES[name]?.[value] ?? value);

class NewGame {
  /** @param {string} menu @param {About} about */
  constructor(menu, about) {
    this.menu = menu;
    this.about = about;
    /** @type {Record<string, string>} */
    this.rules = { ...app.welcome?.defaults?.rules };
    this.seats = html('div', { class: 'new-seats' });
    this.form = html('form', { class: 'new-game' });
    /** @type {Map<string, string>} what was chosen already, by name of the field */
    this.kept = new Map();
    /** The level of engines where nothing is chosen. */
    this.usual = 0;
  }

  open() {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#start(false);
    });
    this.form.addEventListener('change', () => this.#keep());
    this.#draw();
    this.dialog = openDialog(t('New game of {title}', { title: this.about.title }), this.form);
  }

  #keep() {
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll('[data-field]'))) {
      this.kept.set(field.dataset.field ?? '', field.value);
    }
  }

  #draw() {
    const { about } = this;
    const own = this.#onlyPerson();
    const equal = levelOf(this.menu, about.engines[0]?.levels ?? 0);
    this.usual = evenLevel(about.table, own, equal);
    this.seats.replaceChildren(...Array.from({ length: about.seats }, (_, index) => this.#seat(index)), this.usual === equal ? '' : evenNote(seatName(about.table, own), this.usual));
    const failed = about.engines.filter((engine) => !engine.ok);
    this.form.replaceChildren(
      about.table?.cells.length ? html('div', { class: 'new-picture' }, picture(about.table, about.board, t('The start'))) : '',
      ...failed.map((engine) => html('p', { class: 'warning' }, t('{name} does not start: {reason}', { name: engine.name, reason: engine.text ?? '' }))),
      html('fieldset', {}, html('legend', {}, t('Seats')), this.seats),
      html('div', { class: 'new-row' }, this.#field(t('Clock'), this.#clock()), about.chance ? this.#field(t('Dice'), this.#throws()) : ''),
      this.#ruleFields(),
      html('details', {}, html('summary', {}, t('Start from a position')), this.#startField()),
      html(
        'div',
        { class: 'dialog-buttons' },
        html('button', { type: 'submit', class: 'primary', id: 'start' }, t('Start')),
        html('button', { type: 'button', id: 'start-analysis', onclick: () => void this.#start(true) }, t('Only look (analysis)')),
      ),
    );
  }

  /** The seat of the only person; empty if there are more or none. */
  #onlyPerson() {
    const seats = Array.from({ length: this.about.seats }, (_, index) => index).filter((index) => !this.#kind(index).startsWith('engine'));
    return seats.length === 1 ? `p${seats[0] + 1}` : '';
  }

  /** Who is to play a seat. @param {number} index */
  #kind(index) {
    const engine = this.about.engines.find((engine) => engine.ok);
    return this.kept.get(`kind ${index}`) ?? (index === 0 || !engine ? 'here' : `engine ${engine.engine}`);
  }

  /** @param {string} label @param {HTMLElement} input */
  #field(label, input) {
    return html('label', { class: 'field' }, label, input);
  }

  /** @param {number} index */
  #seat(index) {
    const seat = `p${index + 1}`;
    const { engines } = this.about;
    const name = this.about.table ? seatName(this.about.table, seat) : seat;
    /** @type {[string, string][]} */
    const kinds = [
      ['here', t('A person here')],
      ...(app.welcome?.links ? [/** @type {[string, string]} */ (['link', t('A person by link')])] : []),
      ...engines.filter((engine) => engine.ok).map((engine) => /** @type {[string, string]} */ ([`engine ${engine.engine}`, t('Engine {name}', { name: engine.name })])),
    ];
    const kind = this.#kind(index);
    const kindSelect = select(t('Who plays {name}', { name }), kinds, kind, { 'data-field': `kind ${index}` });
    kindSelect.addEventListener('change', () => {
      this.#keep();
      // What nobody has chosen may have another default now.
      for (const [field, value] of this.kept) if (field.startsWith('limit') && value === `level ${this.usual}`) this.kept.delete(field);
      this.#draw();
      /** @type {HTMLElement | null} */ (this.form.querySelector(`[data-field="kind ${index}"]`))?.focus();
    });
    const row = html('div', { class: 'new-seat' }, html('span', { class: 'new-seat-name' }, name), kindSelect);
    if (kind.startsWith('engine')) row.append(...this.#strength(index, name, Number(kind.split(' ')[1])));
    else {
      const field = html('input', { 'aria-label': t('Name of {name}', { name }), placeholder: t('name'), maxlength: 40, 'data-field': `name ${index}`, autocomplete: 'off' });
      field.value = this.kept.get(`name ${index}`) ?? '';
      row.append(field);
    }
    return row;
  }

  /** @param {number} index @param {string} name @param {number} number */
  #strength(index, name, number) {
    const { players = [], levels = 0 } = this.about.engines.find((engine) => engine.engine === number) ?? {};
    const parts = [];
    if (players.length > 1) {
      const choices = players.map((player) => /** @type {[string, string]} */ ([player, player === 'engine' ? t('the engine') : player]));
      parts.push(select(t('Player of {name}', { name }), choices, this.kept.get(`player ${index}`) ?? players[0], { 'data-field': `player ${index}` }));
    }
    const usual = app.welcome?.defaults?.movetime ?? 1000;
    const times = [...new Set([...TIMES, usual])].sort((a, b) => a - b);
    /** @type {[string, string][]} */
    const limits = [...Array.from({ length: levels }, (_, index) => /** @type {[string, string]} */ ([`level ${index + 1}`, t('level {level}', { level: index + 1 })])), ...times.map((ms) => /** @type {[string, string]} */ ([`movetime ${ms}`, t('{seconds} s a move', { seconds: ms / 1000 })])), ...[1, 2, 4, 6].map((depth) => /** @type {[string, string]} */ ([`depth ${depth}`, t('depth {depth}', { depth })]))];
    parts.push(select(t('Strength of {name}', { name }), limits, this.kept.get(`limit ${index}`) ?? (levels > 0 ? `level ${Math.min(this.usual, levels)}` : `movetime ${usual}`), { 'data-field': `limit ${index}` }));
    return parts;
  }

  #clock() {
    const given = app.welcome?.defaults?.tc ?? '';
    const choices = CLOCKS.some(([tc]) => tc === given) ? CLOCKS : [...CLOCKS, /** @type {[string, string]} */ ([given, given])];
    return select(t('Clock'), choices.map(([tc, text]) => [tc, t(text)]), this.kept.get('clock') ?? given, { 'data-field': 'clock' });
  }

  #throws() {
    return select(t('Dice'), [['auto', t('thrown by the table')], ['click', t('thrown by a click')], ['real', t('real ones: you say what they show')]], this.kept.get('throws') ?? 'click', { 'data-field': 'throws' });
  }

  #ruleFields() {
    if (this.about.rules.length === 0) return '';
    const fields = this.about.rules.map((rule) => this.#field(optionName(rule.name), this.#rule(rule)));
    const isOpen = this.kept.get('rules open') === 'yes' || this.about.rules.some((rule) => rule.name === 'Players');
    const details = html('details', { open: isOpen }, html('summary', {}, t('Rules')), html('div', { class: 'new-rules' }, ...fields));
    details.addEventListener('toggle', () => this.kept.set('rules open', details.open ? 'yes' : 'no'));
    return details;
  }

  /** @param {RuleOption} rule */
  #rule(rule) {
    const value = this.rules[rule.name] ?? rule.value;
    const attributes = { 'aria-label': optionName(rule.name), 'data-rule': rule.name };
    /** @type {HTMLSelectElement | HTMLInputElement} */
    let input;
    if (rule.kind === 'combo') input = select(optionName(rule.name), (rule.choices ?? []).map((choice) => [choice, valueName(rule.name, choice)]), value, { 'data-rule': rule.name });
    else if (rule.kind === 'check') input = select(optionName(rule.name), [['true', t('yes')], ['false', t('no')]], value, { 'data-rule': rule.name });
    else {
      input = html('input', { type: 'number', min: rule.min, max: rule.max, ...attributes });
      input.value = value;
    }
    input.addEventListener('change', () => void this.#changeRule(rule.name, input.value));
    return input;
  }

  /** @param {string} name @param {string} value */
  async #changeRule(name, value) {
    this.#keep();
    const rules = { ...this.rules, [name]: value };
    const about = await ask({ do: 'about', menu: this.menu, rules });
    if (!about) return;
    [this.rules, this.about] = [rules, about];
    this.#draw();
    /** @type {HTMLElement | null} */ (this.form.querySelector(`[data-rule="${CSS.escape(name)}"]`))?.focus();
  }

  #startField() {
    const field = html('textarea', { rows: 2, 'aria-label': t('Position to start from'), 'data-field': 'start', placeholder: t('a position as "fen", or a whole position line'), spellcheck: 'false' });
    field.value = this.kept.get('start') ?? '';
    return field;
  }

  /** @param {boolean} isAnalysis */
  async #start(isAnalysis) {
    this.#keep();
    const seats = Array.from({ length: this.about.seats }, (_, index) => {
      const get = (/** @type {string} */ name) => this.kept.get(`${name} ${index}`) ?? '';
      const [kind, number] = get('kind').split(' ');
      if (kind !== 'engine') return { kind, ...(get('name') ? { name: get('name') } : {}) };
      const [limit, amount] = get('limit').split(' ');
      const player = get('player');
      // A level is one of the engine itself.
      const strength = limit === 'level' && player && player !== 'engine' ? {} : { [limit]: Number(amount) };
      return { kind, engine: Number(number), ...(player ? { player } : {}), ...strength };
    });
    const tc = this.kept.get('clock');
    const start = startText(this.kept.get('start') ?? '');
    const message = { do: 'new', menu: this.menu, rules: this.rules, ...(tc ? { tc } : { tc: null }), ...(start ? { start } : {}) };
    const throws = this.kept.get('throws');
    const answer = await ask(isAnalysis ? { ...message, analysis: true } : { ...message, seats, ...(throws ? { throws } : {}) });
    if (!answer) return;
    this.dialog?.close();
    if (seats.some((seat) => seat.kind === 'link') && !isAnalysis) toast(t('The links for the others stand beside their seats.'));
  }
}

/** What a person pasted, as the server takes it. @param {string} text */
export function startText(text) {
  const line = text.trim().replace(/\s+/g, ' ').replace(/^position /, '');
  if (!line) return '';
  return /^(startpos|fen)\b/.test(line) ? line : `fen ${line}`;
}
