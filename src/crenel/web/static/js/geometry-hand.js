// The hand in games that are dealt by hand: the next card large, and all cards still to come in their order.

import { clamp, PROPORTION } from "./sizes.js";

const WORDS = 22;

/**
 * Takes a band for the hand out of the window: at the side of a low one, else on top.
 * @param {number} width
 * @param {number} height
 */
export function splitHand(width, height) {
  if (height < 460 && width > height * 1.4) {
    const band = clamp(width * 0.2, 120, 240);
    return { band: { x: 0, y: 0, w: band, h: height }, rest: { x: band, y: 0, w: width - band, h: height } };
  }
  const band = clamp(height * 0.25, 92, 250);
  return { band: { x: 0, y: 0, w: width, h: band }, rest: { x: 0, y: band, w: width, h: height - band } };
}

/** The size of cards of which `count` fill a box, row by row. */
function flow(box, count) {
  const sizeFor = (perRow) => {
    const rows = Math.ceil(count / perRow);
    return Math.min(box.w / perRow, box.h / rows / PROPORTION);
  };
  let best = 1;
  for (let perRow = 1; perRow <= count; perRow += 1) if (sizeFor(perRow) > sizeFor(best)) best = perRow;
  return { perRow: best, pitch: Math.min(sizeFor(best), 46) };
}

/**
 * Arranges the hand in its band.
 * @param {import("./geometry.js").Box} band
 * @param {number} count How many cards are in hand, at least one.
 */
export function arrangeHand(band, count) {
  const edge = clamp(Math.min(band.w, band.h) * 0.07, 6, 14);
  const isTall = band.h > band.w;
  const nextHeight = isTall ? Math.min(band.h * 0.36, (band.w - 2 * edge) * PROPORTION) : band.h - 2 * edge;
  const nextWidth = nextHeight / PROPORTION;
  const centred = isTall ? (band.w - nextWidth) / 2 : edge;
  const wide = Math.min(band.w - 2 * edge, nextWidth + 1100);
  const start = isTall ? band.x : band.x + (band.w - wide) / 2 - edge;
  const next = { x: start + centred, y: band.y + edge, w: nextWidth, h: nextHeight };
  const words = isTall
    ? { x: band.x + edge, y: next.y + nextHeight + 2, w: band.w - 2 * edge, h: WORDS, align: "left" }
    : { x: next.x + nextWidth + edge, y: band.y + edge - 2, w: wide - nextWidth - edge, h: WORDS, align: "left" };
  const bottom = band.y + band.h - edge;
  const box = { x: words.x, y: words.y + WORDS, w: words.w, h: bottom - words.y - WORDS };
  const { perRow, pitch } = flow(box, Math.max(count - 1, 1));
  const w = pitch * 0.94;
  const coming = Array.from({ length: count - 1 }, (_, index) => ({
    x: box.x + (index % perRow) * pitch,
    y: box.y + Math.floor(index / perRow) * pitch * PROPORTION,
    w,
    h: w * PROPORTION,
  }));
  return { box: { ...next }, next, coming, words };
}
