// Mouse, pen and touch: dragging with generous snapping, presses that pick up and put down, and a look at a covered
// card by the right button or a long press. Pressing a button without a pointer (keys, assistive tools) comes in too.

import { moved } from "./cards.js";
import { aim } from "./aiming.js";

/** How far a pointer moves before a press becomes a drag, in pixels. */
const THRESHOLD = { mouse: 5, pen: 7, touch: 9 };
const SHAKE = 26; // pixels
const LONG_PRESS = 430; // milliseconds
const DRAGGED = 2000; // above everything that moves

/**
 * What was pressed.
 * @typedef {object} Hit
 * @property {"pile"|"foundation"|"hand"|"redeal"|"eye"} kind
 * @property {number} [pile]
 * @property {number} [depth] 1 for the top card.
 * @property {string} [suit]
 * @property {string} [card] The card itself, when one was pressed.
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
    const card = event.target.closest?.(".card")?.dataset.card;
    if (card) {
      const where = view.where.get(card);
      if (where?.area === "pile") return { kind: "pile", pile: where.pile, depth: view.isPreviewShown ? 1 : where.depth, card };
      if (where?.area === "foundation") return { kind: "foundation", suit: where.suit, card };
      if (where?.area === "hand") return { kind: "hand", depth: where.depth, card };
    }
    const place = view.places.at(event.target);
    if (place) return { kind: place.kind, pile: place.pile, suit: place.suit, depth: 1 };
    // Felt beside a pile counts as the pile while a card is to be put down.
    if (!view.picking.held && !view.impliedHeld) return null;
    const { x, y } = this.point(event);
    const index = view.arrangement?.piles.findIndex(({ zone }) => isInside(zone, x, y)) ?? -1;
    return index >= 0 ? { kind: "pile", pile: index + 1, depth: 1 } : null;
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
    if (hit?.kind === "pile" || hit?.kind === "hand") capture(this.view.root, id);
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
    const { target, isLegal } = aim(view, drag, this.point(event));
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

  /** Begins a drag. */
  begin() {
    const { press, view } = this;
    clearTimeout(press.timer);
    const { hit } = press;
    if (hit.kind !== "pile" && hit.kind !== "hand") return;
    if (hit.kind === "pile" && view.layout.hand.length) return;
    if (hit.kind === "hand" && hit.depth !== 1) return;
    const source = hit.kind === "hand" ? "hand" : hit.pile;
    const { picking } = view;
    const isHeld = picking.held?.source === source;
    const count = source === "hand" ? 1 : picking.countFor(source, hit.depth);
    if (!isHeld || picking.held.count !== count) {
      if (!picking.pick(source, count, { isQuiet: true })) return;
    }
    picking.first = null;
    const cards = picking.held.cards.map((name) => view.cards.get(name));
    // Cards that still glide are taken where they belong: the hand never waits for them.
    for (const card of cards) card.animation?.cancel();
    press.drag = {
      source,
      cards: cards.map((card) => ({ card, x: card.place.x, y: card.place.y })),
      dx: 0,
      dy: 0,
    };
    for (const [index, card] of cards.entries()) {
      view.dragged.add(card.name);
      card.element.classList.add("is-dragged");
      card.element.style.zIndex = String(DRAGGED + index);
    }
    view.root.classList.add("is-dragging");
  }

  up(event) {
    if (event.button === 2) this.endPeek();
    const { press, view } = this;
    if (!press || press.id !== event.pointerId) return;
    clearTimeout(press.timer);
    this.endPeek();
    this.press = null;
    this.isHandled = true;
    if (press.drag) {
      const { target } = aim(view, press.drag, this.point(event));
      this.drop(press.drag, target);
    } else if (press.hit && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= SHAKE) this.pressOn(press.hit);
    else if (view.picking.held && event.target.closest?.(".felt") === view.root) view.picking.cancel();
  }

  drop(drag, target) {
    const { view } = this;
    const { picking } = view;
    this.release(drag);
    const isHeld = picking.held?.source === drag.source;
    if (!isHeld || target === null) {
      picking.cancel({ isQuiet: true });
      view.draw();
      return;
    }
    // Until the answer comes the cards lie where they were dropped.
    for (const { card, x, y } of drag.cards) card.put({ ...card.place, x: x + drag.dx, y: y + drag.dy });
    picking.place(target, drag.cards.map(({ card }) => card.name));
  }

  /** Ends the drag; what becomes of the cards is for others to say. */
  release(drag) {
    const { view } = this;
    view.aimed = null;
    view.root.classList.remove("is-dragging");
    for (const { card, x, y } of drag.cards) {
      view.dragged.delete(card.name);
      card.element.classList.remove("is-dragged");
      // It is seen where it was let go, and glides from there.
      card.place = { ...card.place, x: x + drag.dx, y: y + drag.dy };
    }
  }

  /** Ends whatever goes on; a dragged card slides back. */
  cancel() {
    const { press, view } = this;
    this.endPeek();
    if (!press) return false;
    clearTimeout(press.timer);
    this.press = null;
    if (!press.drag) return false;
    this.release(press.drag);
    view.picking.cancel({ isQuiet: true });
    view.draw();
    return true;
  }

  /** @param {Hit} hit */
  pressOn({ kind, pile, depth, suit }) {
    const { view } = this;
    if (!view.layout) return;
    const { picking, places, handlers } = view;
    const place = kind === "pile" ? places.pile(pile) : kind === "foundation" ? places.foundation(suit) : places.of(kind);
    if (place) places.focus(place);
    if (kind === "pile") picking.pressPile(pile, depth);
    else if (kind === "foundation") picking.pressFoundation(suit);
    else if (kind === "hand") picking.pressHand();
    else if (kind === "redeal") handlers.redeal?.();
    else if (kind === "eye") handlers.preview?.(view.preview === null);
  }

  /** A press of a button that no pointer made. */
  click(event) {
    if (this.isHandled) {
      this.isHandled = false;
      if (event.detail > 0) return;
    }
    if (event.detail > 1) return;
    const place = this.view.places.at(event.target);
    if (place && !this.press) this.pressOn({ kind: place.kind, pile: place.pile, suit: place.suit, depth: 1 });
  }
}

function isInside({ x, y, w, h }, pointX, pointY) {
  return pointX >= x && pointX < x + w && pointY >= y && pointY < y + h;
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
