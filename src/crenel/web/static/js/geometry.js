// Where everything lies on the table, for a family of games, a size of the window and the lengths of the piles.
//
// Pure functions: numbers in, numbers out, all in pixels from the upper left corner. What the two families do on
// their own stands in geometry-cruel.js and geometry-castle.js.

import { arrangeCastle } from "./geometry-castle.js";
import { arrangeCruel } from "./geometry-cruel.js";
import { arrangeHand, splitHand } from "./geometry-hand.js";
import { PROPORTION } from "./sizes.js";

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 *
 * What is to be arranged.
 * @typedef {object} Wanted
 * @property {"cruel"|"castle"} family
 * @property {number[]} sizes How many cards the deal gives each pile.
 * @property {number[]} counts How many lie there now.
 * @property {number} reserve The longest pile for which room is kept, so that cards need not shrink again and again.
 * @property {boolean} hasRedeal
 * @property {boolean} hasEye Whether there is a button for the preview.
 * @property {number} hand How many cards are still to be placed.
 * @property {number} width
 * @property {number} height
 * @property {boolean} mirror
 * @property {{width: number, height: number}} [window] The whole table, where a band of it is taken by the hand.
 *
 * @typedef {object} PileArea
 * @property {Box} box Around its cards (or its empty place).
 * @property {Box} zone All that counts as the pile when a card is dropped.
 * @property {{x: number, y: number}} base Where its first card lies.
 * @property {number} stepX From a card to the next one.
 * @property {number} stepY
 * @property {{x: number, y: number}} number The middle of its number.
 * @property {"left"|"right"} side The corner of the indices.
 *
 * @typedef {object} Arrangement
 * @property {number} width
 * @property {number} height
 * @property {number} w Width of a card.
 * @property {number} h Height of a card.
 * @property {import("./faces.js").Level} level
 * @property {import("./faces.js").IndexForm} form
 * @property {PileArea[]} piles
 * @property {Box[]} foundations
 * @property {Box|null} redeal
 * @property {Box|null} eye
 * @property {(Box & {align: "left"|"right"})|null} words Beside the redeal.
 * @property {{box: Box, next: Box, coming: Box[], words: Box & {align: string}}|null} hand
 */

/**
 * Arranges the table.
 * @param {Wanted} wanted
 * @returns {Arrangement}
 */
export function arrange(wanted) {
  const { hand, width, height } = wanted;
  const split = hand > 0 ? splitHand(width, height) : { rest: { x: 0, y: 0, w: width, h: height }, band: null };
  const { rest } = split;
  const one = wanted.family === "castle" ? arrangeCastle : arrangeCruel;
  const arrangement = one({ ...wanted, width: rest.w, height: rest.h, window: { width, height } });
  if (rest.x || rest.y) shift(arrangement, rest.x, rest.y);
  Object.assign(arrangement, { width, height, h: arrangement.w * PROPORTION, hand: null });
  if (split.band) arrangement.hand = arrangeHand(split.band, hand);
  if (wanted.mirror) mirror(arrangement);
  return arrangement;
}

/**
 * Where the card at `index` from the bottom of a pile lies.
 * @param {PileArea} pile
 * @param {number} index
 */
export function cardPlace(pile, index) {
  return { x: pile.base.x + index * pile.stepX, y: pile.base.y + index * pile.stepY };
}

/** All boxes and points of an arrangement, each once. */
function* points(arrangement) {
  const { piles, foundations, redeal, eye, words, hand } = arrangement;
  for (const pile of piles) yield* [pile.box, pile.zone, pile.base, pile.number];
  yield* foundations;
  yield* [redeal, eye, words].filter(Boolean);
  if (hand) yield* [hand.box, hand.next, hand.words, ...hand.coming];
}

function shift(arrangement, x, y) {
  for (const point of points(arrangement)) {
    point.x += x;
    point.y += y;
  }
}

/** Turns left and right round; the indices go to the side that stays uncovered. */
function mirror(arrangement) {
  const bases = new Set(arrangement.piles.map((pile) => pile.base));
  for (const point of points(arrangement)) {
    const width = bases.has(point) ? arrangement.w : (point.w ?? 0);
    point.x = arrangement.width - point.x - width;
    if (point.align) point.align = point.align === "left" ? "right" : "left";
  }
  for (const pile of arrangement.piles) {
    pile.stepX = -pile.stepX;
    pile.side = pile.stepX < 0 ? "right" : "left";
  }
}
