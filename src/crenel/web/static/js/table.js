// The drawn table: shows what the server sends, keyed by card, and tells the page what the player does on it.
//
// It holds no rules and applies no moves. A card that was dropped stays where it is until the server's answer comes.

import { CardElement } from "./cards.js";
import { celebrate } from "./celebrate.js";
import { el } from "./dom.js";
import { arrange } from "./geometry.js";
import { attachInput } from "./input.js";
import { attachKeys } from "./keys.js";
import { Marks } from "./marks.js";
import { Line } from "./line.js";
import { glide, seenPlace, shake, stop, usualAnimation, waveDelay } from "./motion.js";
import { lastSuitOf, LegalMoves, parseMove } from "./moves.js";
import { Picking } from "./picking.js";
import { Places } from "./places.js";
import { isInside, PROPORTION } from "./sizes.js";
import { spread } from "./spread.js";
import { SUITS } from "./suits.js";
import { words } from "./table-texts.js";

/**
 * What the page does for the table.
 * @typedef {object} Handlers
 * @property {(move: string) => void} [move] Makes a move.
 * @property {(move: string|null) => void} [consider] The player thinks of a move, or of none any more.
 * @property {(text: string) => void} [say] Reads a sentence aloud.
 * @property {(suit: string) => void} [askBlockers] Shows what stands in the way of a foundation.
 * @property {() => void} [redeal] Makes the redeal.
 * @property {(on: boolean) => void} [preview] Shows the layout after the next redeal.
 * @property {() => boolean} [isBehind] Whether a change of the table is on the way; without it the table knows only of
 *     the moves that it has sent itself.
 */

const KEPT_ROOM = 5;

export class TableView {
  /**
   * @param {HTMLElement} root
   * @param {Handlers} handlers
   * @param {{readOnly?: boolean}} settings
   */
  constructor(root, handlers, { readOnly = false }) {
    this.root = root;
    this.handlers = handlers;
    this.readOnly = readOnly;
    this.options = { animation: usualAnimation(), mirror: false, size: 100 };
    /** @type {Map<string, CardElement>} */
    this.cards = new Map();
    /** @type {Map<string, import("./spread.js").Whereabouts>} */
    this.where = new Map();
    this.message = null;
    this.game = null;
    this.layout = null;
    this.redeal = null;
    this.legal = new LegalMoves();
    this.last = null;
    /** The suits that went up, by the number of the move, as far as that was seen. @type {Map<number, string|null>} */
    this.suits = new Map();
    this.hint = null;
    this.chain = null;
    this.preview = null;
    /** @type {import("./moves.js").Target|null} The target under a dragged card. */
    this.aimed = null;
    /**
     * Cards that are dragged now, or lie dropped until it is their turn, with their drags: no drawing moves them.
     * @type {Map<string, {names: string[]}>}
     */
    this.dragged = new Map();
    /**
     * Moves that were sent and not yet answered, with the cards that they take.
     * @type {{text: string, names: string[], isDropped: boolean}[]}
     */
    this.sent = [];
    /** What the player does in the meantime. */
    this.line = new Line(() => this.isBehind);
    this.reserve = KEPT_ROOM;
    /** @type {import("./geometry.js").Arrangement|null} */
    this.arrangement = null;

    this.inner = el("div", { class: "table-inner", role: "group", "aria-label": words("table.piles") });
    root.classList.add("felt");
    root.append(this.inner);
    this.places = new Places(this.inner, readOnly);
    this.picking = new Picking(this);
    this.marks = new Marks(this);
    this.size = { width: 0, height: 0 };
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
    this.ends = readOnly ? [] : [attachInput(this), attachKeys(this)];
  }

  // What is shown

  /** Whether the preview is drawn: not while a card is held, unless for the very move that is thought of. */
  get isPreviewShown() {
    if (!this.preview) return false;
    const { held, considered } = this.picking;
    return held ? considered !== null && this.preview.after === considered : true;
  }

  get shownLayout() {
    return this.isPreviewShown ? this.preview.layout : this.layout;
  }

  /** The card in hand, which is as good as picked up while cards are placed. */
  get impliedHeld() {
    if (!this.layout?.hand.length || this.readOnly) return null;
    return { source: "hand", count: 1, cards: this.layout.hand.slice(0, 1) };
  }

  /** The suit of the last move, where that went to a foundation. */
  get lastSuit() {
    return this.suits.get(this.message.made) ?? null;
  }

  foundationOf(suit) {
    return this.layout.foundations[SUITS.indexOf(suit)];
  }

  /** The box of the card on a target, or of its empty place. */
  boxOf(target, suit) {
    const { piles, foundations, w, h } = this.arrangement;
    if (target === "foundation") return foundations[SUITS.indexOf(suit)];
    const pile = piles[target - 1];
    const covered = Math.max((this.layout.piles[target - 1]?.cards.length ?? 0) - 1, 0);
    return pile && { x: pile.base.x + covered * pile.stepX, y: pile.base.y + covered * pile.stepY, w, h };
  }

  /** The uppermost card that belongs at a point; cards on foundations are left to their places. */
  cardAt(point) {
    let best = null;
    for (const card of this.cards.values()) {
      const { place } = card;
      if (!place || place.hidden || place.isHome || place.z <= (best?.place.z ?? 0)) continue;
      if (isInside({ ...place, h: place.w * PROPORTION }, point)) best = card;
    }
    return best;
  }

  /** Shows a table; see `createTable`. */
  show(message) {
    const isSame = message === this.message;
    const isOther = this.message?.key !== message.key;
    const change = isSame ? null : message.change;
    this.message = message;
    const isMove = change?.kind === "move";
    const isAnswer = isMove && this.sent[0]?.text === change.moves[0];
    // After a break the same table comes again, and what was sent is still to be answered.
    const isAwaited = change?.kind === "show" && !isOther && (this.handlers.isBehind?.() ?? false);
    if (isAnswer) this.sent.shift();
    else if (!isAwaited) this.sent = [];
    // The same message again says that what was sent is dropped. Safe moves that follow a move by themselves, and moves
    // made elsewhere, lead to another table than the player meant.
    if (isSame || isOther || (isMove && (!isAnswer || change.moves.length > 1))) this.line.clear();
    this.game = message.game;
    this.legal = new LegalMoves(message.legal);
    this.redeal = message.redeal;
    this.last = message.last;
    if (isOther) this.suits.clear();
    else if (["move", "redo", "safe"].includes(change?.kind) && change.moves.length) {
      const piles = this.layout.piles.map(({ cards }) => cards);
      this.suits.set(message.made, lastSuitOf(piles, change.moves));
    }
    if (!isSame) {
      this.hint = null;
      this.chain = null;
      this.preview = null;
      this.aimed = null;
    }
    this.take(message.layout, isOther);
    this.picking.refresh();
    const isRedeal = change?.moves.length === 1 && change.moves[0] === "R";
    const isBegin = change?.kind === "begin";
    const wave = isBegin || isRedeal ? (change.kind === "undo" ? "back" : "on") : null;
    this.draw({ isStill: isOther && change?.kind === "show", wave, isDealt: isBegin && isOther });
    const isWin = message.standing.kind === "won" && ["move", "safe", "redo"].includes(change?.kind);
    if (isWin && this.animation !== "none") celebrate(this, this.animation);
    this.line.run();
    this.settleDrag?.();
  }

  /** Shows a layout of a replay; see `createTable`. */
  showLayout(game, layout, { animate = true } = {}) {
    const isOther = this.game?.id !== game.id;
    this.game = game;
    this.take(layout, isOther);
    this.draw({ isStill: isOther || !animate });
  }

  take(layout, isOther) {
    const before = this.layout;
    this.layout = layout;
    const longest = Math.max(...layout.piles.map((pile) => pile.cards.length));
    // The room kept for long piles starts anew with each game and each redeal.
    const isRedealt = before !== null && before.redeals_used !== layout.redeals_used;
    if (isOther || isRedealt) this.reserve = KEPT_ROOM;
    // In steps of two, so that cards do not change their size with every move.
    if (longest > this.reserve) this.reserve = longest + ((longest - this.reserve) % 2);
    this.places.make(this.game, layout);
    if (!isOther) return;
    const kept = new Set(layout.piles.flatMap((pile) => pile.cards).concat(layout.hand));
    for (const { top } of layout.foundations) if (top) kept.add(top);
    for (const [name, card] of this.cards) {
      if (kept.has(name)) continue;
      card.element.remove();
      this.cards.delete(name);
      this.where.delete(name);
    }
  }

  setPreview(preview) {
    if (preview === this.preview) return;
    this.preview = preview;
    this.draw();
  }

  setHint(move) {
    if (move === this.hint) return;
    this.hint = move;
    this.mark();
  }

  setChain(chain) {
    if (chain === this.chain) return;
    this.chain = chain;
    this.mark();
  }

  /** The server refused a move: its cards slide back and shake softly. */
  setRefused(text) {
    const move = parseMove(text);
    const names = this.sent.find((sent) => sent.text === text)?.names ?? [];
    this.sent = [];
    this.line.clear();
    if (!this.layout) return;
    this.draw();
    if (this.animation === "none" || !move || move.isRedeal) return;
    const shaken = names.length ? names : this.picking.cardsOf(move.source, move.count);
    for (const name of shaken) if (!this.dragged.has(name)) shake(this.cards.get(name), this.animation);
  }

  setOptions(options) {
    const before = this.options;
    this.options = { ...before, ...options };
    const isMoved = this.options.mirror !== before.mirror || this.options.size !== before.size;
    if (isMoved) this.resize({ isForced: true });
  }

  /** @returns {import("./motion.js").Animate} */
  get animation() {
    return this.options.animation;
  }

  // What the player does

  get isBehind() {
    return this.handlers.isBehind?.() ?? this.sent.length > 0;
  }

  /** Whether a card is about to leave its place, by a move that is on the way or by a drop that waits for its turn. */
  isLeaving(name) {
    return this.dragged.has(name) || this.sent.some(({ names }) => names.includes(name));
  }

  /** The cards that were dropped together with this one and lie where they were dropped. */
  droppedWith(name) {
    const dropped = this.sent.find(({ names, isDropped }) => isDropped && names.includes(name));
    return this.dragged.get(name)?.names ?? dropped?.names ?? null;
  }

  /** Sends a move; dropped cards lie where they are until it is answered. */
  send(text, dropped = []) {
    const { source, count } = parseMove(text);
    const isDropped = dropped.length > 0;
    this.sent.push({ text, names: isDropped ? dropped : this.picking.cardsOf(source, count), isDropped });
    this.handlers.move?.(text);
  }

  sendRedeal() {
    this.sent.push({ text: "R", names: [], isDropped: false });
    this.handlers.redeal?.();
  }

  // Drawing

  resize({ isForced = false } = {}) {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!isForced && width === this.size.width && height === this.size.height) return;
    this.size = { width, height };
    this.draw({ isStill: true });
  }

  /**
   * Draws the cards where they belong.
   * @param {{isStill?: boolean, wave?: "on"|"back"|null, isDealt?: boolean}} [how] `isStill`: without motion; `wave`:
   *     pile by pile; `isDealt`: all cards come from the place of the redeal.
   */
  draw({ isStill = false, wave = null, isDealt = false } = {}) {
    if (!this.layout || !this.size.width || !this.size.height) return;
    const layout = this.shownLayout;
    this.arrange(layout);
    const { arrangement } = this;
    const placed = spread(layout, arrangement, this.namesOf(layout), this.where);
    const animate = isStill || this.animation === "none" || document.hidden ? null : this.animation;
    const dropped = this.sent.flatMap(({ names, isDropped }) => (isDropped ? names : []));
    const resting = new Set([...this.dragged.keys(), ...dropped]);
    const below = { x: (arrangement.width - arrangement.w) / 2, y: arrangement.height };
    const { x, y } = arrangement.redeal ?? arrangement.hand?.next ?? below;
    const origin = { x, y, w: arrangement.w };
    const moves = [];
    for (const [name, { place, where }] of placed) {
      const card = this.cards.get(name);
      this.where.set(name, where);
      if (resting.has(name)) continue;
      const isNew = card.place === null;
      let from = isNew ? this.birthplace(name) : seenPlace(card);
      if (isDealt || (isNew && where.area === "hand")) from = origin;
      moves.push({ card, place, where, from });
    }
    for (const { card, place } of moves) {
      if (!animate) stop(card);
      card.put(place);
    }
    if (animate) for (const move of moves) this.glideOne(move, { animate, wave, isDealt });
    this.places.put(arrangement);
    this.places.label(this.layout, this.redeal, this.isPreviewShown ? this.preview : null);
    this.root.classList.toggle("is-preview", this.isPreviewShown);
    this.root.classList.toggle("is-placing", this.impliedHeld !== null);
    this.marks.draw();
  }

  glideOne({ card, from, where }, { animate, wave, isDealt }) {
    const isWave = wave !== null && where.area === "pile";
    const count = this.layout.piles.length;
    const order = wave === "back" ? count - 1 - where.order : where.order;
    const delay = isWave ? waveDelay(order, count, animate) : 0;
    if (from && (!isDealt || where.area !== "foundation")) glide(card, from, animate, { delay, isWave });
  }

  /** A card that was never seen comes from its foundation, where it must have lain. */
  birthplace(name) {
    const { foundations, w } = this.arrangement;
    const { x, y } = foundations[SUITS.indexOf(name[1])];
    return { x, y, w };
  }

  /** All cards of a layout as elements, those made that are new. */
  namesOf(layout) {
    const names = layout.piles.flatMap((pile) => pile.cards).concat(layout.hand);
    for (const { top } of layout.foundations) if (top) names.push(top);
    for (const name of names) {
      if (this.cards.has(name)) continue;
      const card = new CardElement(name);
      this.cards.set(name, card);
      this.inner.insertBefore(card.element, this.marks.drawing);
    }
    return this.cards;
  }

  arrange(layout) {
    const scale = this.options.size / 100;
    const width = Math.round(this.size.width * Math.max(scale, 1));
    const height = Math.round(this.size.height * Math.max(scale, 1));
    // Smaller cards lie in a smaller table in the middle; larger ones in a larger one that scrolls.
    const inside = Math.min(scale, 1);
    this.arrangement = arrange({
      family: this.game.family,
      sizes: this.game.pile_sizes,
      counts: layout.piles.map((pile) => pile.cards.length),
      reserve: this.reserve,
      hasRedeal: this.game.has_redeal,
      hasEye: this.game.has_redeal && !this.readOnly,
      hand: layout.hand.length,
      width: width * inside,
      height: height * inside,
      mirror: this.options.mirror,
    });
    const { style } = this.inner;
    style.width = `${width * inside}px`;
    style.height = `${height * inside}px`;
    style.left = `${(width * (1 - inside)) / 2}px`;
    style.top = `${(height * (1 - inside)) / 2}px`;
    style.setProperty("--card-width", `${this.arrangement.w}px`);
    this.root.classList.toggle("is-larger", scale > 1);
    this.root.dataset.family = this.game.family;
  }

  /** Draws the marks; and the layout, when a preview comes or goes with what is held. */
  mark() {
    if (this.preview && this.root.classList.contains("is-preview") !== this.isPreviewShown) this.draw();
    else this.marks.draw();
  }

  destroy() {
    this.observer.disconnect();
    for (const end of this.ends) end();
    this.inner.remove();
    this.root.classList.remove("felt", "is-preview", "is-larger", "is-placing");
  }
}

/**
 * Makes a table inside an element.
 * @param {HTMLElement} root
 * @param {Handlers} handlers
 * @param {{readOnly?: boolean}} [settings] `readOnly`: for a replay, nothing can be picked up.
 */
export function createTable(root, handlers, settings = {}) {
  const view = new TableView(root, handlers, settings);
  return {
    show: (message) => view.show(message),
    showLayout: (game, layout, how) => view.showLayout(game, layout, how),
    setPreview: (preview) => view.setPreview(preview),
    setHint: (move) => view.setHint(move),
    setChain: (chain) => view.setChain(chain),
    setRefused: (move) => view.setRefused(move),
    setOptions: (options) => view.setOptions(options),
    inTurn: (act) => view.line.add(act),
    resize: () => view.resize({ isForced: true }),
    focus: () => view.places.focus(),
    destroy: () => view.destroy(),
  };
}
