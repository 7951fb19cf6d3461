// Mouse, pen and touch: dragging with generous snapping, presses that pick up and put down, and a look at a covered
// card by the right button or a long press. Pressing a button without a pointer (keys, assistive tools) comes in too.

import { moved } from "./cards.js";
import { aim } from "./aiming.js";
import { isStillThere } from "./motion.js";
import { isInside } from "./sizes.js";

/** How far a pointer moves before a press becomes a drag, in pixels. */
const THRESHOLD = { mouse: 5, pen: 7, touch: 9 };
const SHAKE = 26; // pixels
const LONG_PRESS = 430; // milliseconds
const DROPPED = 1900; // above everything that moves
const DRAGGED = 2000;

/**
 * What was pressed.
 * @typedef {object} Hit
 * @property {"pile"|"foundation"|"hand"|"redeal"|"eye"} kind
 * @property {number} [pile]
 * @property {number} [depth] 1 for the top card.
 * @property {string} [suit]
 * @property {string} [card] The card itself, when one was pressed.
 * @property {boolean} [isFelt] Felt beside a pile, which counts as the pile while a card is to be put down.
 * @property {boolean} [isResting] The card lies where it was dropped; where it belongs will be known later.
 */

class Input {
  /** @param {import("./table.js").TableView} view */
  constructor(view) {
    this.view = view;
    /** @type {{id: number, type: string, x: number, y: number, hit: Hit|null, drag: object|null, timer: number}|null} */
    this.press = null;
    /** @type {HTMLElement|null} */
    this.peeked = null;
    this.isHandled = false;
  }

  /** A point of the window on the table. */
  point(event) {
    const { left, top } = this.view.inner.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @returns {Hit|null} */
  hit(event) {
    const { view } = this;
    if (event.target === view.root) return null;
    const point = this.point(event);
    const seen = view.cards.get(event.target.closest?.(".card")?.dataset.card);
    // Cards that fly catch nothing on their way: they are where they will be.
    const card = (seen && isStillThere(seen) ? seen : view.cardAt(point))?.name;
    if (card && view.droppedWith(card)) return { kind: "pile", card, isResting: true };
    if (card) {
      const where = view.where.get(card);
      if (where?.area === "pile") return { kind: "pile", pile: where.pile, depth: view.isPreviewShown ? 1 : where.depth, card };
      if (where?.area === "foundation") return { kind: "foundation", suit: where.suit, card };
      if (where?.area === "hand") return { kind: "hand", depth: where.depth, card };
    }
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const place = view.places.at(under.find((element) => element.closest(".place")));
    if (place) return { kind: place.kind, pile: place.pile, suit: place.suit, depth: 1 };
    const index = view.arrangement?.piles.findIndex(({ zone }) => isInside(zone, point)) ?? -1;
    return index >= 0 ? { kind: "pile", pile: index + 1, depth: 1, isFelt: true } : null;
  }

  down(event) {
    if (!this.view.layout) return;
    // A second finger does nothing; a first one that comes again was lost on the way up.
    if (this.press && event.isPrimary) this.cancel();
    if (this.press) return;
    const hit = this.hit(event);
    if (event.button === 2) {
      if (hit?.card) this.peek(hit.card);
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    const { id, type } = { id: event.pointerId, type: event.pointerType };
    this.press = { id, type, x: event.clientX, y: event.clientY, hit, drag: null, timer: 0 };
    if (hit?.card && type !== "mouse") this.press.timer = setTimeout(() => this.longPress(), LONG_PRESS);
    // The pointer is kept so that a drag goes on outside of the table.
    if (hit && !hit.isFelt && (hit.kind === "pile" || hit.kind === "hand")) capture(this.view.root, id);
  }

  longPress() {
    const { hit, drag } = this.press ?? {};
    if (!hit?.card || drag) return;
    this.peek(hit.card);
    this.press.hit = null; // letting go does nothing more
  }

  /** Lifts a card above those that cover it, as long as the button or finger is down. */
  peek(name) {
    this.endPeek();
    this.peeked = this.view.cards.get(name)?.element ?? null;
    this.peeked?.classList.add("is-peek");
  }

  endPeek() {
    this.peeked?.classList.remove("is-peek");
    this.peeked = null;
  }

  move(event) {
    const { press, view } = this;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType === "mouse") this.hover(event);
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.drag && press.hit && far >= (THRESHOLD[press.type] ?? THRESHOLD.touch)) this.begin();
    if (!press.drag) {
      // What cannot be dragged is still pressed when the hand only shook.
      if (far > SHAKE) press.hit = null;
      return;
    }
    const { drag } = press;
    drag.dx = event.clientX - press.x;
    drag.dy = event.clientY - press.y;
    for (const { card, x, y } of drag.cards) card.element.style.transform = moved(x + drag.dx, y + drag.dy);
    const { target, isLegal } = drag.isPicked ? aim(view, drag, this.point(event)) : { target: null, isLegal: false };
    this.setAim(isLegal ? target : null);
  }

  setAim(target) {
    const { view } = this;
    if (view.aimed === target) return;
    view.aimed = target;
    view.marks.draw();
    view.picking.consider(target === null ? null : view.picking.legalTo(target));
  }

  /** With a card picked up by a press, the mouse over a legal target shows that this move is thought of. */
  hover(event) {
    const { view } = this;
    if (!view.picking.held || !view.layout) return;
    const hit = this.hit(event);
    const target = hit?.kind === "pile" ? hit.pile : hit?.kind === "foundation" ? "foundation" : null;
    view.picking.consider(target === null ? null : view.picking.legalTo(target));
  }

  /**
   * The cards that a drag takes along. What is about to leave by moves that are on the way is gone already for the hand.
   * @param {Hit} hit
   * @returns {string[]}
   */
  grasped({ kind, pile, depth, card, isFelt, isResting }) {
    const { view } = this;
    const { picking, layout } = view;
    if (isFelt) return [];
    if (isResting) {
      const names = view.droppedWith(card) ?? [];
      return names.slice(names.indexOf(card));
    }
    const isStaying = (name) => !view.isLeaving(name);
    const next = layout.hand.find(isStaying);
    if (kind === "hand") return next && (depth === 1 || card === next) ? [next] : [];
    if (kind !== "pile" || next) return [];
    const { cards } = layout.piles[pile - 1];
    const staying = cards.filter(isStaying);
    return staying.length < cards.length ? staying.slice(-1) : picking.cardsOf(pile, picking.countFor(pile, depth));
  }

  /** Begins a drag. */
  begin() {
    const { press, view } = this;
    clearTimeout(press.timer);
    const { hit } = press;
    const names = this.grasped(hit);
    if (!names.length) return;
    // Cards that rest after a drop may be anywhere by then.
    const source = hit.isResting ? null : hit.kind === "hand" ? "hand" : hit.pile;
    const drag = { names, source, isPicked: false, cards: [], dx: 0, dy: 0 };
    if (!view.isBehind && view.line.isEmpty && !this.pickUp(drag)) return;
    press.drag = drag;
    for (const [index, name] of names.entries()) {
      const card = view.cards.get(name);
      // Cards that still glide are taken where they belong: the hand never waits for them.
      card.animation?.cancel();
      drag.cards.push({ card, x: card.place.x, y: card.place.y });
      view.dragged.set(name, drag);
      card.element.classList.add("is-dragged");
      card.element.style.zIndex = String(DRAGGED + index);
    }
    view.root.classList.add("is-dragging");
  }

  /**
   * Picks up the cards of a drag, on the table that it was meant for.
   * @returns {boolean} Whether they lie there as they did when they were grasped.
   */
  pickUp(drag) {
    const { picking } = this.view;
    const { names } = drag;
    const found = picking.find(names[0]);
    const isThere = found?.depth === names.length && (drag.source ?? found.source) === found.source;
    if (!isThere) return false;
    drag.source = found.source;
    const { held } = picking;
    if (held?.source !== drag.source || held.count !== names.length) picking.pick(drag.source, names.length, { isQuiet: true });
    picking.first = null;
    drag.isPicked = true;
    return true;
  }

  /** A drag that began before the table was there for it is a drag like others when it is. */
  settle() {
    const { view } = this;
    const drag = this.press?.drag;
    if (!drag || drag.isPicked || view.isBehind || !view.line.isEmpty) return;
    if (!this.pickUp(drag)) this.cancel();
  }

  up(event) {
    if (event.button === 2) this.endPeek();
    const { press, view } = this;
    if (!press || press.id !== event.pointerId) return;
    clearTimeout(press.timer);
    this.endPeek();
    this.press = null;
    this.isHandled = true;
    const { hit } = press;
    const time = performance.now();
    if (press.drag) this.drop(press.drag, this.point(event));
    else if (hit && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= SHAKE) {
      view.line.add(() => this.pressOn(hit, time));
    } else if (event.target.closest?.(".felt") === view.root) view.line.add(() => view.picking.cancel());
  }

  /** Cards that are let go lie there until it is their turn, and then until the answer comes. */
  drop(drag, point) {
    const { view } = this;
    this.letGo(drag);
    view.line.add(() => this.finish(drag, point), () => this.free(drag));
  }

  finish(drag, point) {
    const { view } = this;
    const { picking } = view;
    const isHeld = drag.isPicked ? picking.held?.source === drag.source : this.pickUp(drag);
    const target = isHeld ? aim(view, drag, point).target : null;
    if (target !== null) picking.place(target, drag.names);
    this.free(drag);
    if (target !== null) return;
    // What follows was meant for a table on which these cards could be taken.
    if (!isHeld) view.line.clear();
    picking.cancel({ isQuiet: true });
    view.draw();
  }

  /** The cards of a drag are no longer in the hand: they lie where they are, and glide from there. */
  letGo(drag) {
    const { view } = this;
    view.aimed = null;
    view.root.classList.remove("is-dragging");
    // Of several that wait where they were dropped, the last one lies uppermost.
    const upper = Math.max(DROPPED, ...[...view.cards.values()].map((card) => (card.place?.z ?? 0) + 1));
    for (const [index, { card, x, y }] of drag.cards.entries()) {
      card.element.classList.remove("is-dragged");
      card.put({ ...card.place, x: x + drag.dx, y: y + drag.dy, z: upper + index });
    }
  }

  /** Drawing may move the cards of a drag again, unless another one has them. */
  free(drag) {
    const { dragged } = this.view;
    for (const name of drag.names) if (dragged.get(name) === drag) dragged.delete(name);
  }

  /** Ends whatever goes on; a dragged card slides back. */
  cancel() {
    const { press, view } = this;
    this.endPeek();
    if (!press) return false;
    clearTimeout(press.timer);
    this.press = null;
    if (!press.drag) return false;
    this.letGo(press.drag);
    this.free(press.drag);
    if (press.drag.isPicked) view.picking.cancel({ isQuiet: true });
    view.draw();
    return true;
  }

  /**
   * What was pressed, as the table is now: a pressed card may have come to lie elsewhere since.
   * @param {Hit} hit
   * @returns {Hit}
   */
  asItIs(hit) {
    const { card, pile } = hit;
    const found = card ? this.view.picking.find(card) : null;
    if (hit.isResting) {
      if (!found) return { kind: "foundation", suit: card[1] };
      return found.source === "hand" ? { kind: "hand" } : { kind: "pile", pile: found.source, depth: found.depth };
    }
    if (hit.kind !== "pile" || hit.depth === 1) return hit;
    return { ...hit, depth: found?.source === pile ? found.depth : 1 };
  }

  /**
   * @param {Hit} hit
   * @param {number} time When it was pressed.
   */
  pressOn(hit, time) {
    const { view } = this;
    if (!view.layout) return;
    const { picking, places, handlers } = view;
    if (hit.isFelt && !picking.held && !view.impliedHeld) return;
    const { kind, pile, depth, suit } = this.asItIs(hit);
    const place = kind === "pile" ? places.pile(pile) : kind === "foundation" ? places.foundation(suit) : places.of(kind);
    if (place) places.focus(place);
    if (kind === "pile") picking.pressPile(pile, depth, time);
    else if (kind === "foundation") picking.pressFoundation(suit);
    else if (kind === "hand") picking.pressHand();
    else if (kind === "redeal") view.sendRedeal();
    else if (kind === "eye") handlers.preview?.(view.preview === null);
  }

  /** A press of a place by a key. */
  pressPlace({ kind, pile, suit }, time) {
    this.pressOn({ kind, pile, suit, depth: 1 }, time);
  }

  /** A press of a button that neither pointer nor key made. */
  click(event) {
    if (this.isHandled) {
      this.isHandled = false;
      if (event.detail > 0) return;
    }
    if (event.detail > 1) return;
    const place = this.view.places.at(event.target);
    const time = performance.now();
    if (place && !this.press) this.view.line.add(() => this.pressPlace(place, time));
  }
}

function capture(element, id) {
  try {
    element.setPointerCapture(id);
  } catch {
    // The pointer is gone already.
  }
}

/**
 * Listens to pointers on a table.
 * @param {import("./table.js").TableView} view
 * @returns {() => void} Ends it.
 */
export function attachInput(view) {
  const input = new Input(view);
  view.cancelDrag = () => input.cancel();
  view.settleDrag = () => input.settle();
  view.pressPlace = (place, time) => input.pressPlace(place, time);
  const end = new AbortController();
  const on = (target, type, listener, options = {}) =>
    target.addEventListener(type, listener, { signal: end.signal, ...options });
  on(view.root, "pointerdown", (event) => input.down(event));
  // The focus ring is for those who steer by keys; a place that was pressed by a pointer shows itself by what it does.
  on(window, "pointerdown", () => (view.root.dataset.input = "pointer"), { capture: true });
  on(window, "keydown", () => delete view.root.dataset.input, { capture: true });
  on(view.root, "pointermove", (event) => input.move(event));
  on(window, "pointerup", (event) => input.up(event));
  on(window, "pointercancel", () => input.cancel());
  on(view.root, "lostpointercapture", () => input.press?.drag && input.cancel());
  on(window, "blur", () => input.cancel());
  on(view.root, "click", (event) => input.click(event));
  on(view.root, "contextmenu", (event) => event.target.closest?.(".card, .place") && event.preventDefault());
  // The press of a card must not take the focus from the buttons, nor select or drag anything of the page's own.
  on(view.root, "mousedown", (event) => event.target.closest?.(".card") && event.preventDefault());
  on(view.root, "dragstart", (event) => event.preventDefault());
  return () => {
    input.cancel();
    end.abort();
  };
}
