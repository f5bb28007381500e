// Move input: the choices made so far, what may follow, and the buttons and fields for what
// is no cell. The engine says what may follow; the page knows no rules.

import { drawHelp } from './help.js';
import { t } from './language.js';
import { confirms, onSettings } from './settings.js';
import { app, announce, ask, complain, sentence, withNames } from './store.js';
import { byId, html } from './svg.js';
import { judge } from './task.js';
import { rove } from './roving.js';

/** With more buttons than this there is a field to filter them. */
const MANY = 14;
/** At most this many buttons are drawn. */
const MOST = 300;

export class MoveInput {
  /** @type {string[]} */ path = [];
  /** @type {Step | null} */ step = null;
  /** @type {Step | null} */ first = null;
  /** Called when the choices have changed. */
  onChange = () => {};
  /** Puts the keyboard on the board. */
  onLeave = () => {};
  /** Questions are answered in turn. */
  #queue = Promise.resolve();
  #sent = false;
  #node = -1;
  /** Choices that share the cell that was pressed. @type {Next[] | null} */
  #sharing = null;
  #asked = 0;
  /** Whether the field for moves is open on a small screen. */
  #types = false;

  constructor() {
    this.root = byId('entry');
    onSettings(() => this.render());
  }

  /**
   * A new position.
   * @param {number} node
   * @param {Step | null} step the first step, if somebody may act here
   */
  reset(node, step) {
    [this.#node, this.path, this.step, this.first, this.#sharing, this.#sent] = [node, [], step, step, null, false];
    this.render();
  }

  /** What may be chosen by a cell. @returns {Set<string>} */
  targets() {
    return new Set(this.#sent ? [] : (this.step?.next ?? []).flatMap((next) => next.cell ?? []));
  }

  /** What may be chosen by a card. @returns {Map<string, string>} card, choice */
  cards() {
    return new Map(this.#sent ? [] : (this.step?.next ?? []).flatMap((next) => (next.card ? [[next.card, next.choice]] : [])));
  }

  get isComplete() {
    return Boolean(this.step?.token);
  }

  /** @param {string} cell */
  chooseCell(cell) {
    this.#queue = this.#queue.then(() => this.#chooseCell(cell));
    return this.#queue;
  }

  /** @param {string} choice */
  choose(choice) {
    this.#queue = this.#queue.then(() => this.#go([...this.path, choice]));
    return this.#queue;
  }

  /** @param {string} cell */
  async #chooseCell(cell) {
    if (!this.first || !this.step) return;
    const there = this.step.next.filter((next) => next.cell === cell);
    if (there.length > 1) {
      this.#sharing = there;
      this.render();
      /** @type {HTMLElement | null} */ (this.root.querySelector('.choice'))?.focus();
    } else if (there.length === 1) {
      await this.#go([...this.path, there[0].choice]);
    } else if (this.path.at(-1) === cell) {
      if (this.isComplete) this.play();
      else await this.#undo();
    } else if (this.first.next.some((next) => next.cell === cell)) {
      await this.#go([/** @type {Next} */ (this.first.next.find((next) => next.cell === cell)).choice]);
    } else if (this.path.length > 0 && !this.isComplete && !this.#occupied(cell)) {
      await this.#go([]);
    } else if (this.#occupied(cell)) {
      // The engine says why nothing comes of it.
      await this.#go([...(this.isComplete ? [] : this.path), cell]);
    }
  }

  /** @param {string} cell */
  #occupied(cell) {
    return app.position?.board?.pieces.some((piece) => piece.cell === cell) ?? false;
  }

  /** @param {string[]} path */
  async #go(path) {
    if (!this.first || this.#sent) return;
    const node = this.#node;
    let step = path.length === 0 ? this.first : null;
    if (!step) {
      try {
        step = (await app.connection?.ask({ do: 'step', node, path }))?.step ?? null;
      } catch (error) {
        complain(error);
        return;
      }
    }
    if (!step || node !== this.#node) return;
    [this.path, this.step, this.#sharing] = [path, step, null];
    const isFinal = step.token !== null && step.next.length === 0 && !step.form;
    if (isFinal && !confirms(app.pointer)) {
      this.play();
      return;
    }
    this.render();
    this.onChange();
    if (step.text && path.length > 0) announce(withNames(step.text));
  }

  /** Takes back a choice. */
  undo() {
    this.#queue = this.#queue.then(() => this.#undo());
    return this.#queue;
  }

  #undo() {
    return this.#go(this.path.slice(0, -Math.max(this.step?.undo ?? 1, 1)));
  }

  undoAll() {
    this.#queue = this.#queue.then(() => this.#go([]));
    return this.#queue;
  }

  /** Plays what was entered. */
  play() {
    if (this.step?.token) this.playToken(this.step.token);
  }

  /** @param {string} token */
  async playToken(token) {
    if (this.#sent) return;
    if (!judge(token)) {
      await this.#go([]);
      return;
    }
    this.#sent = true;
    const node = this.#node;
    // What was offered may be chosen no more; the preview stays until the server answers.
    this.render();
    this.onChange();
    try {
      await app.connection?.ask({ do: 'play', node, token });
    } catch (error) {
      complain(error);
      if (node !== this.#node) return;
      this.#sent = false;
      await this.#go([]);
    }
  }

  /** Draws the buttons and fields. */
  render() {
    const had = this.root.contains(document.activeElement);
    const typed = /** @type {HTMLInputElement | null} */ (this.root.querySelector('#token'))?.value ?? '';
    this.root.replaceChildren(...this.#parts());
    const group = /** @type {HTMLElement | null} */ (this.root.querySelector('.choices'));
    if (group) rove(group, '.choice');
    const field = /** @type {HTMLInputElement | null} */ (this.root.querySelector('#token'));
    if (field) field.value = typed;
    byId('prompt').textContent = withNames(this.step?.text ?? '');
    drawHelp((!this.#sent && this.step?.help) || '');
    if (!had) return;
    const next = /** @type {HTMLElement | null} */ (this.root.querySelector('.primary, .choice, .form input'));
    if (next) next.focus();
    else this.onLeave();
  }

  /** @returns {HTMLElement[]} */
  #parts() {
    const { step } = this;
    if (!step || this.#sent) return [];
    const parts = [];
    const buttons = this.#sharing ?? step.next.filter((next) => !next.cell && !next.card);
    const throws = step.chance !== undefined && this.path.length === 0;
    if (throws && app.state?.throws !== 'real') parts.push(this.#throwButton(step));
    if (step.hidden) parts.push(html('p', { class: 'quiet' }, t('Others know what happens here.')));
    if (buttons.length > 0 && throws && app.state?.throws !== 'real') {
      parts.push(html('details', {}, html('summary', {}, t('Say what was thrown')), this.#choices(buttons)));
    } else if (buttons.length > 0) {
      if (throws) parts.push(html('p', { class: 'quiet' }, t('What was thrown?')));
      parts.push(this.#choices(buttons));
    }
    if (step.form) parts.push(this.#form(step.form));
    parts.push(this.#row(step));
    return parts;
  }

  /** @param {Step} step */
  #throwButton(step) {
    const text = step.chance === null ? t('Draw by chance') : t('Throw');
    const node = this.#node;
    const run = (/** @type {Event} */ event) => {
      /** @type {HTMLButtonElement} */ (event.currentTarget).disabled = true;
      void ask({ do: 'throw', node }).then((answer) => answer === null && node === this.#node && this.render());
    };
    return html('button', { type: 'button', class: 'primary throw', onclick: run }, text);
  }

  /** @param {Next[]} all */
  #choices(all) {
    const group = html('div', { class: 'choices', role: 'group', 'aria-label': t('Choices') });
    const draw = (/** @type {string} */ filter) => {
      const shown = all.filter((next) => (next.label ?? next.choice).toLowerCase().includes(filter.toLowerCase()));
      /** @type {Map<string, HTMLElement[]>} */
      const groups = new Map();
      for (const next of shown.slice(0, MOST)) {
        const name = next.group ?? '';
        groups.set(name, [...(groups.get(name) ?? []), this.#button(next)]);
      }
      const rest = shown.length > MOST ? [html('p', { class: 'quiet' }, t('and {count} more: type to filter', { count: shown.length - MOST }))] : [];
      group.replaceChildren(
        ...[...groups].map(([name, buttons]) =>
          html('div', { class: 'choice-group' }, name && html('span', { class: 'group-name' }, withNames(name)), ...buttons),
        ),
        ...rest,
      );
      rove(group, '.choice');
    };
    draw('');
    if (all.length <= MANY) return group;
    const filter = html('input', { type: 'search', class: 'filter', 'aria-label': t('Filter the choices'), placeholder: t('filter'), autocomplete: 'off' });
    filter.addEventListener('input', () => draw(filter.value));
    return html('div', { class: 'filtered' }, filter, group);
  }

  /** @param {Next} next */
  #button(next) {
    // Outcomes of a throw are numbers to people.
    const isThrow = this.step?.chance !== undefined;
    const label = next.label ?? (isThrow ? next.choice.replace(/^[a-z](?=\d+$)/, '') : next.choice);
    return html(
      'button',
      { type: 'button', class: 'choice', 'data-choice': next.choice, onclick: () => void this.choose(next.choice) },
      sentence(withNames(label)),
      next.cost && html('small', {}, ` ${next.cost}`),
    );
  }

  /** A field for free text, with completion where the engine has it. @param {Form} form */
  #form(form) {
    const input = html('input', { id: 'form-text', autocomplete: 'off', spellcheck: 'false', maxlength: form.max, required: true });
    if (form.pattern) input.pattern = form.pattern;
    const list = html('div', { class: 'choices completions', role: 'group', 'aria-label': t('Completions') });
    const escaped = (/** @type {string} */ text) => (form.escape === 'percent' ? percent(text) : text.trim());
    const complete = async () => {
      const text = input.value.trim();
      const asked = ++this.#asked;
      if (!text) {
        list.replaceChildren();
        return;
      }
      const path = [...this.path, `${form.prefix ?? ''}${escaped(text)}*`];
      const answer = await app.connection?.ask({ do: 'step', node: this.#node, path }).catch(() => null);
      if (asked !== this.#asked) return;
      const found = /** @type {Next[]} */ (answer?.step?.next ?? []).slice(0, 24);
      list.replaceChildren(...found.map((next) => this.#button(next)));
      rove(list, '.choice');
    };
    let timer = 0;
    input.addEventListener('input', () => {
      clearTimeout(timer);
      if (form.complete) timer = window.setTimeout(complete, 120);
    });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (text) void this.choose(`${form.prefix ?? ''}${escaped(text)}`);
    };
    return html(
      'form',
      { class: 'form', onsubmit: submit },
      html('label', { for: 'form-text' }, sentence(withNames(form.label))),
      input,
      html('button', { type: 'submit' }, t('Enter')),
      list,
    );
  }

  /** Undo, Done and the field that takes tokens. @param {Step} step */
  #row(step) {
    const row = html('div', { class: 'entry-row' });
    if (step.token) {
      const text = step.next.length > 0 ? t('Done') : t('Play it');
      row.append(html('button', { type: 'button', class: 'primary', id: 'done', onclick: () => this.play() }, text));
    }
    if (this.path.length > 0) {
      row.append(html('button', { type: 'button', id: 'undo-step', onclick: () => void this.undo() }, t('Undo')));
      if (this.path.length > 1) {
        row.append(html('button', { type: 'button', id: 'undo-all', onclick: () => void this.undoAll() }, t('Undo all')));
      }
    }
    // Without pictures the form takes whole moves already.
    const isWhole = step.form && !step.form.prefix && this.path.length === 0 && !app.table?.cells.length;
    if (isWhole) return row;
    // On small screens the field would stand where the board has to be.
    const isSmall = matchMedia('(max-width: 820px), (max-height: 480px)').matches;
    row.append(isSmall ? html('details', { class: 'typed', open: this.#types }, html('summary', { onclick: () => (this.#types = !this.#types) }, t('Type a move')), this.#tokenField()) : this.#tokenField());
    return row;
  }

  #tokenField() {
    const options = html('datalist', { id: 'tokens' });
    const input = html('input', {
      id: 'token', list: 'tokens', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: t('or type a move'), 'aria-label': t('Move, as text'),
    });
    let timer = 0;
    const complete = async () => {
      const answer = await app.connection?.ask({ do: 'moves', node: this.#node, prefix: input.value.trim() }).catch(() => null);
      const tokens = /** @type {string[]} */ (answer?.tokens ?? []).slice(0, 40);
      options.replaceChildren(...tokens.map((value) => html('option', { value })));
    };
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = window.setTimeout(complete, 150);
    });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (token) void this.playToken(token);
    };
    return html('form', { class: 'token-form', onsubmit: submit }, input, options);
  }
}

/** Percent-escapes all but small letters, digits and underscores. @param {string} text */
export function percent(text) {
  const bytes = new TextEncoder().encode(text.trim());
  return [...bytes]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[a-z0-9_]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

