// Which card of a layout lies where: from the layout that the server sent and the geometry to a place for each card.

import { cardPlace } from "./geometry.js";
import { SUITS } from "./suits.js";

const FLOOR = 10; // the lowest card; places lie under it
const HAND = 200;

/**
 * Where a card belongs in the layout.
 * @typedef {object} Whereabouts
 * @property {"pile"|"foundation"|"hand"} area
 * @property {number} [pile] From 1.
 * @property {number} [depth] 1 for the top card.
 * @property {string} [suit]
 * @property {number} order Of its pile among the piles, for waves.
 */

/**
 * @param {object} layout
 * @param {import("./geometry.js").Arrangement} arrangement
 * @param {Map<string, import("./cards.js").CardElement>} cards Those that were ever seen in this game.
 * @param {Map<string, Whereabouts>} before Where they were.
 * @returns {Map<string, {place: import("./cards.js").Place, where: Whereabouts}>}
 */
export function spread(layout, arrangement, cards, before) {
  const { w, level, form } = arrangement;
  const result = new Map();
  for (const [index, { cards: names }] of layout.piles.entries()) {
    const pile = arrangement.piles[index];
    for (const [height, name] of names.entries()) {
      const place = { ...cardPlace(pile, height), w, z: FLOOR + height, level, form, side: pile.side };
      const where = { area: "pile", pile: index + 1, depth: names.length - height, order: index };
      result.set(name, { place, where });
    }
  }
  spreadHand(layout, arrangement, result);
  for (const [index, foundation] of layout.foundations.entries()) {
    if (!foundation.top) continue;
    const { suit, top } = foundation;
    const { x, y } = arrangement.foundations[index];
    const covered = [...cards.keys()].filter((name) => name[1] === suit && name !== top && !result.has(name));
    // Those that lay there before lie lower, in the order in which they did.
    const height = (name) => (before.get(name)?.area === "foundation" ? cards.get(name).place.z : HAND);
    covered.sort((a, b) => height(a) - height(b));
    const all = [...covered, top];
    for (const [order, name] of all.entries()) {
      const hidden = order < all.length - 2;
      const place = { x, y, w, z: FLOOR + order, level, form, side: "left", hidden, isHome: true };
      result.set(name, { place, where: { area: "foundation", suit, order: SUITS.indexOf(suit) } });
    }
  }
  return result;
}

function spreadHand(layout, arrangement, result) {
  if (!arrangement.hand) return;
  const { next, coming } = arrangement.hand;
  const { form } = arrangement;
  for (const [index, name] of layout.hand.entries()) {
    const { x, y, w } = index === 0 ? next : coming[index - 1];
    const level = index > 0 ? "chip" : w >= 78 ? "full" : "plain";
    const place = { x, y, w, z: FLOOR + layout.hand.length - index, level, form, side: "left" };
    result.set(name, { place, where: { area: "hand", depth: index + 1, order: index } });
  }
}
