// The Cruel family: the redeal and the foundations on top (or beside, in a low window), twelve or thirteen numbered
// piles below in rows, each a short fan to the lower right.

import { clamp, fanBox, levelFor, PROPORTION, readableStep, widestCard } from "./sizes.js";

const EYE = 44;
const WIDEST = 172;
/** Rows up to this length stay wholly readable; a longer pile is squeezed rather than all cards made smaller. */
const LONGEST = 11;

/** Sizes that follow from a card's width. */
function measures(w, width, height) {
  return {
    h: w * PROPORTION,
    edge: clamp(Math.min(width, height) * 0.022, 6, 22),
    gutter: Math.max(12, w * 0.17),
    gapX: Math.max(4, w * 0.09),
    gapY: Math.max(8, w * 0.14),
  };
}

/** The longest pile of each row. */
function rowLengths(counts, columns) {
  const lengths = [];
  for (let first = 0; first < counts.length; first += columns) {
    lengths.push(Math.min(Math.max(4, ...counts.slice(first, first + columns)), LONGEST));
  }
  return lengths;
}

/** The widest card for a number of columns, with the foundations on top or beside. */
function candidate(wanted, columns, isBeside) {
  const { width, height, counts, reserve, hasEye } = wanted;
  const lengths = rowLengths(counts, columns);
  // Room for growth is kept once: piles of several rows seldom grow at the same time.
  const growth = Math.max(0, Math.min(reserve, LONGEST) - Math.max(...lengths));
  const fits = (w) => {
    const { h, edge, gutter, gapX, gapY } = measures(w, width, height);
    const beside = isBeside ? 3 * w + 6 * gapX : 0;
    const across = columns * (gutter + w * 1.33) + (columns - 1) * gapX + beside;
    const head = isBeside ? 0 : h + gapY * 1.3;
    const headWidth = 5 * w + 5 * gapX + (hasEye ? EYE + gapX : 0) + gutter;
    const steps = lengths.reduce((sum, length) => sum + length - 1, growth);
    const down = head + lengths.length * h + steps * readableStep(w, "inline") + (lengths.length - 1) * gapY;
    return across <= width - 2 * edge && down <= height - 2 * edge && (isBeside || headWidth <= width - 2 * edge);
  };
  return { columns, isBeside, lengths, w: widestCard(fits, WIDEST) };
}

/** Columns and the place of the foundations: by the window and the deal alone, so that they stay through a game. */
function choose(wanted) {
  const atStart = { ...wanted, counts: wanted.sizes, reserve: 5 };
  const count = wanted.counts.length;
  const isPortrait = wanted.height > wanted.width;
  // The usual arrangement has two rows, or four on a phone held upright; another must make cards clearly larger.
  const usual = isPortrait ? 3 : Math.ceil(count / 2);
  let best = candidate(atStart, usual, false);
  let score = best.w * 1.14;
  const others = new Set([3, 4, Math.ceil(count / 3), Math.ceil(count / 2)]);
  for (const columns of others) {
    for (const isBeside of [false, true]) {
      if (isBeside && isPortrait) continue;
      const other = candidate(atStart, columns, isBeside);
      if (other.w > score) [best, score] = [other, other.w];
    }
  }
  return candidate(wanted, best.columns, best.isBeside);
}

/**
 * @param {import("./geometry.js").Wanted} wanted
 * @returns {import("./geometry.js").Arrangement}
 */
export function arrangeCruel(wanted) {
  const { width, height, counts } = wanted;
  const { columns, isBeside, lengths, w } = choose(wanted);
  const { h, edge, gutter, gapX, gapY } = measures(w, width, height);
  const rows = lengths.length;
  const left = isBeside ? edge + w + 2 * gapX : edge;
  const room = width - 2 * edge - (isBeside ? 3 * w + 6 * gapX : 0);

  // Across: what is left over spreads the fans first, then the gaps.
  const fan = clamp((room - (columns - 1) * gapX) / columns - gutter - w, 0.3 * w, 0.78 * w);
  const area = gutter + w + fan;
  const gap = columns > 1 ? clamp((room - columns * area) / (columns - 1), 0, 0.24 * w) : 0;
  const block = columns * area + (columns - 1) * gap;
  const firstX = left + (room - block) / 2;

  // Down: likewise.
  const head = isBeside ? 0 : h + gapY * 1.3;
  const least = readableStep(w, "inline");
  const free = height - 2 * edge - head - rows * h - (rows - 1) * gapY;
  const steps = lengths.reduce((sum, length) => sum + Math.min(length, 5) - 1, 0);
  const extra = lengths.reduce((sum, length) => sum + Math.max(0, length - 5), 0);
  const step = clamp((free - extra * least) / steps, least * 0.9, Math.max(w * 0.34, least * 1.04));
  const rowSpans = lengths.map((length) => (Math.min(length, 5) - 1) * step + Math.max(0, length - 5) * least);
  const used = rowSpans.reduce((sum, span) => sum + span, 0);
  const gaps = rows - (isBeside ? 1 : 0) + 1;
  const more = clamp((free - used) / gaps, 0, 0.22 * h);
  const top = edge + Math.max(0, (free - used - more * (gaps - 1)) / 2) * 0.8;

  const piles = [];
  let y = top + (isBeside ? 0 : head + more);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns && row * columns + column < counts.length; column += 1) {
      const count = counts[row * columns + column];
      const x = firstX + column * (area + gap);
      const base = { x: x + gutter, y };
      const covered = Math.max(count - 1, 0);
      const stepY = covered ? Math.min(step, rowSpans[row] / covered) : step;
      const stepX = Math.min(fan / 3, covered ? fan / covered : fan);
      const zone = { x: x - gap / 2, y: y - gapY / 2, w: area + gap, h: h + rowSpans[row] + gapY + more };
      const number = { x: x + gutter * 0.44, y: y + Math.max(9, h * 0.09) };
      piles.push({ box: fanBox(base, covered, stepX, stepY, w), zone, base, stepX, stepY, number, side: "left" });
    }
    y += h + rowSpans[row] + gapY + more;
  }

  const common = { w, h, level: levelFor(w), form: "inline", piles };
  if (isBeside) return { ...common, ...beside(wanted, w, h, edge, gapX) };
  return { ...common, ...above(wanted, { w, h, top, gapX, left: firstX + gutter, right: firstX + block }) };
}

/** Redeal to the left, foundations to the right of the top row. */
function above(wanted, { w, h, top, gapX, left, right }) {
  const fixed = 5 * w + 2 * gapX + (wanted.hasEye ? EYE : 0);
  const between = clamp((right - left - fixed) / 6, Math.min(w * 0.08, 5), w * 0.18);
  const narrowest = 5 * w + 3 * between + gapX + (wanted.hasEye ? EYE + gapX : 0);
  // In a narrow window the row uses the whole width.
  const spare = narrowest - (right - left);
  const from = spare > 0 ? Math.max(4, left - spare) : left;
  const to = Math.max(right, from + narrowest);
  const foundations = [0, 1, 2, 3].map((index) => ({ x: to - (4 - index) * w - (3 - index) * between, y: top, w, h }));
  if (!wanted.hasRedeal) return { foundations, redeal: null, eye: null, words: null };
  const redeal = { x: from, y: top, w, h };
  const eyeX = from + w + gapX;
  const wordsWidth = foundations[0].x - eyeX - gapX;
  const isWide = wordsWidth > 150;
  const eyeY = isWide ? top + h - EYE : top + (h - EYE) / 2;
  const eye = wanted.hasEye ? { x: eyeX, y: eyeY, w: EYE, h: EYE } : null;
  const words = isWide ? { x: eyeX, y: top, w: wordsWidth, h: h - (eye ? EYE : 0), align: "left" } : null;
  return { foundations, redeal, eye, words };
}

/** Redeal in a column at the left, foundations two by two at the right. */
function beside(wanted, w, h, edge, gapX) {
  const { width, height, hasRedeal, hasEye } = wanted;
  const right = width - edge;
  const top = Math.max(edge, (height - 2 * h - gapX * 2) / 2 - h * 0.1);
  const foundations = [0, 1, 2, 3].map((index) => ({
    x: right - (2 - (index % 2)) * w - (1 - (index % 2)) * gapX,
    y: top + Math.floor(index / 2) * (h + gapX * 2),
    w,
    h,
  }));
  const redeal = hasRedeal ? { x: edge, y: top, w, h } : null;
  const eye = hasRedeal && hasEye ? { x: edge + (w - EYE) / 2, y: top + h + gapX * 2, w: EYE, h: EYE } : null;
  return { foundations, redeal, eye, words: null };
}
