// At which target a dragged card is aimed: the legal one that it covers most, or that is nearest; generous, because
// hands shake. Where no legal target is meant, a clearly hit other pile is the answer, so that its reason can be said.

import { isInside, PROPORTION } from "./sizes.js";

const LEAST_OVERLAP = 0.1; // of a card's area
const CLEAR_OVERLAP = 0.3;
const NEAR = 0.95; // card widths from middle to middle
/** A legal target that is meant so much less than another place is not meant at all. */
const SHARE = 0.35;

/**
 * @param {import("./table.js").TableView} view
 * @param {{source: import("./moves.js").Source, cards: {x: number, y: number}[], dx: number, dy: number}} drag
 * @param {{x: number, y: number}} pointer
 * @returns {{target: import("./moves.js").Target|null, isLegal: boolean}}
 */
export function aim(view, drag, pointer) {
  const { held } = view.picking;
  const { w } = view.arrangement;
  if (!held) return { target: null, isLegal: false };
  const box = { x: drag.cards[0].x + drag.dx, y: drag.cards[0].y + drag.dy, w, h: w * PROPORTION };
  const scored = candidates(view, held).map((candidate) => ({ ...candidate, score: score(candidate, box, pointer, w) }));
  scored.sort((a, b) => b.score - a.score);
  const home = ownScore(view, drag, box, pointer, w);
  const legal = scored.find((candidate) => candidate.isLegal);
  const other = scored.find((candidate) => !candidate.isLegal);
  const least = Math.max(LEAST_OVERLAP, (other?.score ?? 0) * SHARE);
  if (legal && legal.score >= least && legal.score > home) return { target: legal.target, isLegal: true };
  if (other && other.score >= CLEAR_OVERLAP && other.score > home) return { target: other.target, isLegal: false };
  return { target: null, isLegal: false };
}

/** All places where the cards could be let go. */
function candidates(view, held) {
  const { piles, foundations } = view.arrangement;
  const result = piles
    .map(({ box, zone }, index) => ({ target: index + 1, box: unite(box, view.boxOf(index + 1)), zone }))
    .filter(({ target }) => target !== held.source);
  if (held.source !== "hand") {
    for (const box of foundations) result.push({ target: "foundation", box, zone: box });
  }
  return result.map((one) => ({ ...one, isLegal: view.picking.legalTo(one.target) !== null }));
}

/** How much a place is meant: the covered part of the card, the pointer being there, and how near it is. */
function score({ box, zone }, card, pointer, w) {
  const overlap = overlapOf(card, box) / (card.w * card.h);
  const isPointed = isInside(zone, pointer) ? 0.32 : 0;
  const distance = Math.hypot(nearest(card.x, card.w, box.x, box.w), nearest(card.y, card.h, box.y, box.h)) / w;
  const nearness = distance < NEAR ? (1 - distance / NEAR) * 0.2 : 0;
  return overlap + isPointed + nearness;
}

/** How much the place is meant where the cards came from. */
function ownScore(view, drag, card, pointer, w) {
  const origin = { x: drag.cards[0].x, y: drag.cards[0].y, w: card.w, h: card.h };
  const zone = drag.source === "hand" ? origin : view.arrangement.piles[drag.source - 1].zone;
  const moved = Math.hypot(drag.dx, drag.dy);
  return moved < w * 0.25 ? 1 : score({ box: origin, zone }, card, pointer, w) * 0.8;
}

/** The gap between two spans, 0 when they touch. */
function nearest(a, aSize, b, bSize) {
  return Math.max(0, b - (a + aSize), a - (b + bSize));
}

function overlapOf(a, b) {
  const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return Math.max(0, across) * Math.max(0, down);
}

function unite(a, b) {
  if (!b) return a;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}
