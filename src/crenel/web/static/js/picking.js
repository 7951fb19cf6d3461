// What the player holds: picking cards up, putting them on a place, sending them home, putting them back. Mouse, touch
// and keys all come here, so that the three are equal.

import { formatMove } from "./moves.js";
import { cardWords, listWords, words } from "./table-texts.js";

/** Two presses of the same place within this time send the card home, in milliseconds. */
const DOUBLE = 400;

/**
 * @typedef {import("./moves.js").Source} Source
 * @typedef {import("./moves.js").Target} Target
 * @typedef {{source: Source, count: number, cards: string[]}} Held
 */

export class Picking {
  /** @param {import("./table.js").TableView} view */
  constructor(view) {
    this.view = view;
    /** @type {Held|null} */
    this.held = null;
    /** @type {{source: Source, time: number}|null} The press that a second one may make double. */
    this.first = null;
    this.considered = null;
  }

  /** The cards that a place gives: those from so many below the top. */
  cardsOf(source, count) {
    const { layout } = this.view;
    if (source === "hand") return layout.hand.slice(0, 1);
    const { cards } = layout.piles[source - 1];
    return cards.slice(cards.length - count);
  }

  /**
   * Where a card lies, if not on a foundation.
   * @param {string} name
   * @returns {{source: Source, depth: number}|null} `depth`: 1 for the top card, and for the next one in hand.
   */
  find(name) {
    const { layout } = this.view;
    const order = layout.hand.indexOf(name);
    if (order >= 0) return { source: "hand", depth: order + 1 };
    const index = layout.piles.findIndex(({ cards }) => cards.includes(name));
    if (index < 0) return null;
    const { cards } = layout.piles[index];
    return { source: index + 1, depth: cards.length - cards.indexOf(name) };
  }

  /**
   * How many cards go along when one is grasped that lies under others: the run if that run may move, else the top
   * card, which is what a hasty finger means.
   * @param {Source} source
   * @param {number} depth 1 for the top card.
   */
  countFor(source, depth) {
    return depth > 1 && this.view.legal.counts(source).includes(depth) ? depth : 1;
  }

  /**
   * Picks cards up.
   * @param {Source} source
   * @param {number} [count]
   * @param {{isQuiet?: boolean}} [how] `isQuiet`: for a drag, which needs no words.
   * @returns {boolean} Whether there was a card.
   */
  pick(source, count = 1, { isQuiet = false } = {}) {
    const cards = this.cardsOf(source, count);
    if (!cards.length) {
      if (!isQuiet) this.view.handlers.say?.(words("pick.empty"));
      return false;
    }
    this.held = { source, count, cards };
    this.view.mark();
    if (!isQuiet) this.view.handlers.say?.(this.pickWords());
    return true;
  }

  pickWords() {
    const { source, count, cards } = this.held;
    const targets = [...new Set(this.view.legal.from(source).map((move) => move.target))].map((target) =>
      target === "foundation"
        ? words("target.foundation")
        : words("target.pile", { word: this.view.game.pile_word, number: target }),
    );
    const key = `pick.${count > 1 ? "run" : "card"}${targets.length ? "" : ".none"}`;
    return words(key, { card: cardWords(cards[0]), count, targets: targets.length ? listWords(targets) : "" });
  }

  /** Puts the cards back. @param {{isQuiet?: boolean}} [how] */
  cancel({ isQuiet = false } = {}) {
    if (!this.held) return;
    const { cards } = this.held;
    this.held = null;
    this.first = null;
    this.consider(null);
    this.view.mark();
    if (!isQuiet) this.view.handlers.say?.(words("pick.back", { card: cardWords(cards[0]) }));
  }

  /**
   * The legal move to a target, or `null`.
   * @param {Target} target
   */
  legalTo(target) {
    return this.held ? this.view.legal.find(this.held.source, target, this.held.count) : null;
  }

  /**
   * Puts the held cards on a target. An illegal move is sent too: the answer says why it is refused.
   * @param {Target} target
   * @param {string[]} [dropped] Cards that lie where they were dropped until the answer comes.
   */
  place(target, dropped = []) {
    const { source, count } = this.held;
    const legal = this.legalTo(target);
    this.held = null;
    this.first = null;
    this.consider(null, { isMade: true });
    this.view.mark();
    this.view.send(legal?.text ?? formatMove(source, target, count), dropped);
    return legal !== null;
  }

  /** Sends the top card of a pile to its foundation. @param {Source} source */
  home(source) {
    this.held = null;
    this.first = null;
    this.consider(null);
    this.view.mark();
    if (source === "hand" || !this.cardsOf(source, 1).length) this.view.handlers.say?.(words("pick.empty"));
    else this.view.send(formatMove(source, "foundation"));
  }

  /** One card more or less of a run. @param {1|-1} step */
  change(step) {
    if (!this.held || this.held.source === "hand") return;
    const counts = this.view.legal.counts(this.held.source);
    const now = this.held.count;
    const next = step > 0 ? counts.find((count) => count > now) : counts.findLast((count) => count < now);
    if (next) this.pick(this.held.source, next);
  }

  /**
   * A press of a pile: picks it up, puts the held cards on it, or, the second time, sends its card home.
   * @param {number} pile
   * @param {number} depth Which of its cards was pressed, 1 for the top.
   * @param {number} time When that was, which may be a while ago.
   */
  pressPile(pile, depth, time) {
    const { held, first } = this;
    const isDouble = first?.source === pile && time - first.time < DOUBLE;
    if (held?.source === pile) {
      if (isDouble) this.home(pile);
      else {
        const count = this.countFor(pile, depth);
        if (count === held.count) this.cancel();
        else this.pick(pile, count);
      }
      return;
    }
    if (held) {
      const isLegal = this.place(pile);
      // Most presses of a place that takes nothing mean that other card: it is picked up, and the reason is said.
      if (!isLegal && held.source !== "hand") this.pick(pile, this.countFor(pile, depth), { isQuiet: true });
      return;
    }
    if (this.view.layout.hand.length) {
      this.view.send(formatMove("hand", pile));
      return;
    }
    if (this.pick(pile, this.countFor(pile, depth))) this.first = { source: pile, time };
  }

  /** A press of a foundation: puts the held card there, or asks what stands in its way. @param {string} suit */
  pressFoundation(suit) {
    if (this.held && this.held.source !== "hand") this.place("foundation");
    else this.view.handlers.askBlockers?.(suit);
  }

  /** A press of the card in hand. */
  pressHand() {
    if (this.held) this.cancel();
    else this.pick("hand");
  }

  /**
   * Tells which move the player thinks of, so that a preview can follow it.
   * @param {import("./moves.js").Move|null} move
   * @param {{isMade?: boolean}} [how] `isMade`: it has just been made; the table that comes ends all consideration.
   */
  consider(move, { isMade = false } = {}) {
    const text = move?.text ?? null;
    if (text === this.considered) return;
    this.considered = text;
    if (!isMade) this.view.handlers.consider?.(text);
  }

  /** After the table has changed: keeps what is held if it still lies on top. */
  refresh() {
    if (!this.held) return;
    const now = this.cardsOf(this.held.source, this.held.count);
    if (now.join() !== this.held.cards.join()) {
      this.held = null;
      this.first = null;
      this.considered = null;
    }
  }
}
