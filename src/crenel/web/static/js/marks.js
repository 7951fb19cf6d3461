// Marks on the table: legal targets, what is held, the hint with its arrow, the chain of cards in the way of a
// foundation, cards that a redeal would open, and the last move.

import { el, svg } from "./dom.js";
import { parseMove } from "./moves.js";
import { PROPORTION } from "./sizes.js";
import { round } from "./suits.js";

const HELD = ["is-picked", "is-legal", "is-aimed"];
const SHOWN = ["is-hint", "is-hint-target", "is-chain", "is-circle", "is-blocker", "is-fresh", "is-last"];
const MARKS = [...HELD, ...SHOWN];

export class Marks {
  /** @param {import("./table.js").TableView} view */
  constructor(view) {
    this.view = view;
    this.drawing = svg("svg", { class: "marks", "aria-hidden": "true" });
    this.badges = el("div", { class: "badges", "aria-hidden": "true" });
    view.inner.append(this.drawing, this.badges);
  }

  /** Draws all marks anew. */
  draw() {
    const { view } = this;
    const { places, cards, isPreviewShown } = view;
    for (const card of cards.values()) card.element.classList.remove(...MARKS);
    for (const { element } of places.all) {
      element.classList.remove(...MARKS);
      if (element.dataset.pile || element.dataset.hand) element.removeAttribute("aria-pressed");
    }
    this.drawing.replaceChildren();
    this.badges.replaceChildren();
    if (!view.layout) return;
    if (isPreviewShown) {
      for (const name of view.preview.fresh) this.card(name, "is-fresh");
      return;
    }
    this.drawHeld();
    if (view.hint) this.drawHint(parseMove(view.hint));
    if (view.chain) this.drawChain(view.chain);
    if (view.last && !view.picking.held) this.drawLast(parseMove(view.last));
  }

  card(name, mark) {
    this.view.cards.get(name)?.element.classList.add(mark);
  }

  /** The place of a target, and the card on it. */
  target(target, mark, suit) {
    const { view } = this;
    const isFoundation = target === "foundation";
    const place = isFoundation ? view.places.foundation(suit) : view.places.pile(target);
    place?.element.classList.add(mark);
    const top = isFoundation ? view.foundationOf(suit).top : view.layout.piles[target - 1]?.cards.at(-1);
    if (top) this.card(top, mark);
  }

  drawHeld() {
    const { view } = this;
    const held = view.picking.held ?? view.impliedHeld;
    if (!held) return;
    if (view.picking.held) {
      for (const name of held.cards) this.card(name, "is-picked");
      const place = held.source === "hand" ? view.places.of("hand") : view.places.pile(held.source);
      place?.element.classList.add("is-picked");
      place?.element.setAttribute("aria-pressed", "true");
    }
    const suit = held.cards.at(-1)[1];
    for (const { target } of view.legal.from(held.source)) this.target(target, "is-legal", suit);
    if (view.aimed) this.target(view.aimed, "is-aimed", suit);
  }

  drawHint(move) {
    const { view } = this;
    if (!move) return;
    if (move.isRedeal) {
      view.places.of("redeal")?.element.classList.add("is-hint");
      return;
    }
    const names = view.picking.cardsOf(move.source, move.count);
    if (!names.length) return;
    for (const name of names) this.card(name, "is-hint");
    const from = view.places.of("hand") && move.source === "hand" ? view.places.of("hand") : view.places.pile(move.source);
    from?.element.classList.add("is-hint");
    const suit = names.at(-1)[1];
    this.target(move.target, "is-hint-target", suit);
    const start = view.cards.get(names[0])?.place;
    const end = view.boxOf(move.target, suit);
    if (start && end) this.drawing.append(...arrow(middle({ ...start, h: start.w * PROPORTION }), middle(end), end));
  }

  drawChain(chain) {
    const { view } = this;
    for (const [index, { card, blocker }] of chain.chain.entries()) {
      this.card(card, "is-chain");
      if (chain.is_circle) this.card(card, "is-circle");
      if (blocker !== card) this.card(blocker, "is-blocker");
      const place = view.cards.get(card)?.place;
      if (!place) continue;
      const badge = el("span", { class: `badge${chain.is_circle ? " is-circle" : ""}` }, String(index + 1));
      // On the corner opposite to the index, so that both can be read; where that is covered, on the seen edge.
      const { side, form, x, y, w } = place;
      const left = form === "stacked" ? (side === "left" ? x + w * 0.18 : x + w * 0.82) : side === "left" ? x + w : x;
      const top = form === "stacked" ? y + w * PROPORTION * 0.62 : y + Math.min(w * 0.2, 14);
      badge.style.transform = `translate(${left}px, ${top}px) translate(-50%, -50%)`;
      this.badges.append(badge);
    }
  }

  drawLast(move) {
    const { view } = this;
    if (!move || move.isRedeal) return;
    if (move.target === "foundation") {
      if (view.lastSuit) this.target("foundation", "is-last", view.lastSuit);
      return;
    }
    const names = view.layout.piles[move.target - 1]?.cards.slice(-move.count) ?? [];
    for (const name of names) this.card(name, "is-last");
  }
}

function middle({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}

/** A slightly bent arrow that ends before the middle of its target. */
function arrow(from, to, box) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < 12) return [];
  const short = Math.min(box.w * 0.3, length * 0.3);
  const end = { x: to.x - ((to.x - from.x) / length) * short, y: to.y - ((to.y - from.y) / length) * short };
  const bend = Math.min(length * 0.16, 60) * (from.x <= to.x ? 1 : -1);
  const control = {
    x: (from.x + end.x) / 2 + ((to.y - from.y) / length) * bend,
    y: (from.y + end.y) / 2 - ((to.x - from.x) / length) * bend,
  };
  const angle = Math.atan2(end.y - control.y, end.x - control.x);
  const size = Math.max(11, Math.min(20, box.w * 0.17));
  const wing = (turn) => `${round(end.x - size * Math.cos(angle + turn))} ${round(end.y - size * Math.sin(angle + turn))}`;
  const line = `M${round(from.x)} ${round(from.y)}Q${round(control.x)} ${round(control.y)} ${round(end.x)} ${round(end.y)}`;
  const head = `M${wing(0.5)}L${round(end.x)} ${round(end.y)}L${wing(-0.5)}`;
  return ["arrow-edge", "arrow"].map((name) => svg("path", { d: `${line} ${head}`, class: name }));
}
