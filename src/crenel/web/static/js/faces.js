// The faces of the cards as drawings of 100 by 140 units: indices, pips, aces and the court.
//
// A face is drawn at one of four levels, by the size of the card on the screen: "full" with real pips and a court of
// two halves, "plain" with one large mark under a larger index, "small" with a still larger index, and "chip" (the
// cards still to come), which is nothing but an index.

import { svg } from "./dom.js";
import { halfFigure } from "./court.js";
import { round, suitMark } from "./suits.js";

const FACE_WIDTH = 100;
const FACE_HEIGHT = 140;

/**
 * How an index lies: "inline" (rank and suit side by side, for cards whose top strip is seen) or "stacked" (the suit
 * under the rank, for cards whose side strip is seen).
 * @typedef {"inline"|"stacked"} IndexForm
 * @typedef {"full"|"plain"|"small"|"chip"} Level
 */

/** Sizes of the rank's letters by level, in units of the face. */
const LETTERS = { full: 27, plain: 33, small: 45, chip: 66 };
/** Width of each rank in parts of the letter size: set for every font, so that indices never run into the pips. */
const RANK_WIDTHS = { A: 0.72, J: 0.48, Q: 0.78, K: 0.74, T: 0.96 };
const USUAL_WIDTH = 0.62;
const CAPITALS = 0.73; // the height of capitals and figures in parts of the letter size

/** Places of the pips by rank: column -1, 0, 1 and height 0 to 1. */
const PIPS = {
  2: [[0, 0], [0, 1]],
  3: [[0, 0], [0, 0.5], [0, 1]],
  4: [[-1, 0], [1, 0], [-1, 1], [1, 1]],
  5: [[-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  6: [[-1, 0], [1, 0], [-1, 0.5], [1, 0.5], [-1, 1], [1, 1]],
  7: [[-1, 0], [1, 0], [0, 0.25], [-1, 0.5], [1, 0.5], [-1, 1], [1, 1]],
  8: [[-1, 0], [1, 0], [0, 0.25], [-1, 0.5], [1, 0.5], [0, 0.75], [-1, 1], [1, 1]],
  9: [[-1, 0], [1, 0], [-1, 1 / 3], [1, 1 / 3], [0, 0.5], [-1, 2 / 3], [1, 2 / 3], [-1, 1], [1, 1]],
  T: [[-1, 0], [1, 0], [0, 1 / 6], [-1, 1 / 3], [1, 1 / 3], [-1, 2 / 3], [1, 2 / 3], [0, 5 / 6], [-1, 1], [1, 1]],
};

/**
 * Draws a card's face.
 * @param {string} card Its name, such as "TC".
 * @param {{level: Level, form: IndexForm, side: "left"|"right"}} how `side`: in which upper corner the index stands.
 * @returns {SVGElement}
 */
export function drawFace(card, { level, form, side }) {
  const [rank, suit] = card;
  const viewBox = `0 0 ${FACE_WIDTH} ${FACE_HEIGHT}`;
  const face = svg("svg", { viewBox, class: `face suit-${suit}`, "aria-hidden": "true" });
  const letters = LETTERS[level];
  if (level === "chip") {
    face.append(...stackedIndex(rank, suit, letters, 50, 12));
    return face;
  }
  const corner = form === "inline" ? inlineIndex(rank, suit, letters, side) : stackedCorner(rank, suit, letters, side);
  face.append(...corner);
  face.append(...(level === "full" ? fullMiddle(rank, suit, form, side) : plainMiddle(rank, suit, level, form, side)));
  return face;
}

/** @param {string} rank */
function rankWidth(rank) {
  return RANK_WIDTHS[rank] ?? USUAL_WIDTH;
}

/** The letters of a rank between two edges. The jack's is drawn: in some fonts it hangs below the line and is covered. */
function rankLetters(rank, left, baseline, letters) {
  if (rank === "J") {
    const hook = "M.37 0V.45C.37 .6 .29 .655 .19 .655C.12 .655 .07 .63 .03 .585";
    const place = `translate(${round(left)} ${round(baseline - CAPITALS * letters)}) scale(${letters})`;
    return svg("path", { d: hook, transform: place, "stroke-width": 0.155, class: "rank-line" });
  }
  const shown = rank === "T" ? "10" : rank;
  const width = rankWidth(rank) * letters;
  const fit = { textLength: round(width), lengthAdjust: "spacingAndGlyphs" };
  return svg("text", { x: round(left), y: round(baseline), "font-size": letters, class: "rank", ...fit }, shown);
}

function inlineIndex(rank, suit, letters, side) {
  const width = rankWidth(rank) * letters;
  const mark = letters * 0.7;
  const gap = letters * 0.1;
  const left = side === "left" ? 7 : FACE_WIDTH - 6 - width - gap - mark;
  const baseline = 6.5 + letters * CAPITALS;
  const middle = baseline - (letters * CAPITALS) / 2;
  return [rankLetters(rank, left, baseline, letters), suitMark(suit, left + width + gap + mark / 2, middle, mark)];
}

/** Rank above suit, both centred on a line `middle` units from the left. */
function stackedIndex(rank, suit, letters, middle, top) {
  const baseline = top + letters * CAPITALS;
  const mark = letters * 0.72;
  const below = baseline + letters * 0.16 + mark / 2;
  return [
    rankLetters(rank, middle - (rankWidth(rank) * letters) / 2, baseline, letters),
    suitMark(suit, middle, below, mark),
  ];
}

function stackedCorner(rank, suit, letters, side) {
  const half = (letters * 0.96) / 2;
  return stackedIndex(rank, suit, letters, side === "left" ? 3.5 + half : FACE_WIDTH - 3.5 - half, 7);
}

/** The middle of a large card: beside a stacked index, or below an inline one. */
const MIDDLES = {
  inline: { across: 50, column: 26, top: 37, bottom: 131, court: 36, ace: 66 },
  stacked: { across: 59, column: 20, top: 13, bottom: 127, court: 28.5, ace: 62 },
};

/** What stands in the middle of a large card. */
function fullMiddle(rank, suit, form, side) {
  const { across, column, top, bottom, court: half, ace: size } = MIDDLES[form];
  const x = side === "left" ? across : FACE_WIDTH - across;
  const y = (top + bottom) / 2;
  if (rank === "A") return ace(suit, x, y, size);
  if (!(rank in PIPS)) return [court(rank, suit, half, bottom - y, x, y)];
  const pip = PIPS[rank].length > 8 ? 20 : 22;
  const first = top + pip / 2;
  const height = bottom - top - pip;
  return PIPS[rank].map(([aside, down]) =>
    suitMark(suit, x + aside * column, first + down * height, pip, { turned: down > 0.5 }),
  );
}

/** A framed court card of two halves. */
function court(rank, suit, halfWidth, halfHeight, x, y) {
  const isWide = halfWidth > 30;
  const inside = { x: -halfWidth, y: -halfHeight, width: 2 * halfWidth, height: 2 * halfHeight };
  const frame = { ...inside, rx: 4 };
  const scale = halfHeight / 49;
  const half = () => [
    svg("g", { transform: `scale(${round(scale)})` }, halfFigure(rank, suit)),
    isWide ? suitMark(suit, -halfWidth + 11, -halfHeight + 12, 14) : null,
  ];
  return svg(
    "g",
    { transform: `translate(${x} ${y})`, class: "court" },
    svg("rect", { ...frame, class: "court-paper" }),
    // A drawing of its own cuts off what reaches beyond the frame.
    svg(
      "svg",
      { ...inside, viewBox: Object.values(inside).join(" ") },
      svg("g", {}, half()),
      svg("g", { transform: "rotate(180)" }, half()),
      svg("path", { d: `M${-halfWidth} -1.6H${halfWidth}V1.6H${-halfWidth}Z`, class: "court-gold" }),
    ),
    svg("rect", { ...frame, class: "court-frame" }),
  );
}

/** The ace: its suit large, with a smaller one cut out and a fine line around. */
function ace(suit, x, y, size) {
  return [
    suitMark(suit, x, y, size),
    suitMark(suit, x, y + (suit === "S" ? 3 : suit === "C" ? 1 : 0), size * 0.78, { class: "ace-line" }),
    suitMark(suit, x, y + (suit === "S" ? 4 : suit === "C" ? 2 : 0), size * 0.3, { class: "ace-heart" }),
  ];
}

/** What stands in the middle of a small card: one large mark, or half a figure. */
function plainMiddle(rank, suit, level, form, side) {
  const top = form === "inline" ? 10 + LETTERS[level] * CAPITALS : 10;
  const isInline = form === "inline";
  const across = isInline ? 50 : side === "left" ? 62 : 38;
  const middle = isInline ? (top + 140) / 2 : 92;
  const room = isInline ? 130 - top : 70;
  if ("JQK".includes(rank)) {
    const scale = Math.min(room / 52, 1.75);
    const y = FACE_HEIGHT - 2;
    return [svg("g", { transform: `translate(${across} ${y}) scale(${round(scale)})`, class: "court" }, halfFigure(rank, suit))];
  }
  const size = Math.min(room * 0.78, 60);
  return rank === "A" && level === "plain" ? ace(suit, across, middle, size * 1.1) : [suitMark(suit, across, middle, size)];
}
