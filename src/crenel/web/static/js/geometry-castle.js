// The Castle family: the foundations in a column in the middle and the rows as two wings, exposed cards at the outer
// ends. In a narrow upright window the wings become columns below a row of foundations, exposed cards downward.

import { clamp, fanBox, levelFor, PROPORTION, readableStep, widestCard } from "./sizes.js";

const WIDEST = 190;
const NARROW = 620;
const NUMBER_STRIP = 17;

/**
 * @param {import("./geometry.js").Wanted} wanted
 * @returns {import("./geometry.js").Arrangement}
 */
export function arrangeCastle(wanted) {
  const common = { redeal: null, eye: null, words: null };
  // By the whole window, so that the arrangement stays when the hand is empty and its band falls away.
  const { width, height } = wanted.window;
  const isNarrow = height > width * (width < NARROW ? 0.85 : 1.05);
  return { ...common, ...(isNarrow ? columns(wanted) : wings(wanted)) };
}

function longest({ sizes, counts, reserve }, growth) {
  return Math.max(...sizes.map((size) => Math.min(size, 9) + growth), ...counts, reserve);
}

function wings(wanted) {
  const { width, height, counts } = wanted;
  const rows = Math.ceil(counts.length / 2);
  const most = longest(wanted, 1);
  const edge = clamp(Math.min(width, height) * 0.022, 6, 24);
  const gapFor = (w) => Math.max(5, w * 0.1);
  const middleFor = (w) => Math.max(20, w * 0.24);
  const fits = (w) => {
    const down = rows * w * PROPORTION + (rows - 1) * gapFor(w);
    const across = w + 2 * middleFor(w) + 2 * (w + (most - 1) * readableStep(w, "stacked"));
    return down <= height - 2 * edge && across <= width - 2 * edge;
  };
  const w = widestCard(fits, WIDEST);
  const h = w * PROPORTION;
  const middle = middleFor(w);
  const wing = (width - 2 * edge - w - 2 * middle) / 2;
  const gap = clamp((height - 2 * edge - rows * h) / Math.max(rows - 1, 1), gapFor(w), w * 0.3);
  const top = (height - rows * h - (rows - 1) * gap) / 2;
  const usual = Math.max(...wanted.sizes.map((size) => Math.min(size, 8)));
  const step = clamp((wing - w) / usual, 0, w * 0.8);

  const centre = (width - w) / 2;
  const piles = counts.map((count, index) => {
    const isLeft = index < rows;
    const y = top + (index % rows) * (h + gap);
    const base = { x: isLeft ? centre - middle - w : centre + w + middle, y };
    const covered = Math.max(count - 1, 0);
    const size = covered ? Math.min(step, (wing - w) / covered) : step;
    const stepX = isLeft ? -size : size;
    const zone = { x: isLeft ? 0 : base.x - middle / 2, y: y - gap / 2, w: width / 2 - w / 2 - middle / 2, h: h + gap };
    const number = { x: isLeft ? centre - middle / 2 : centre + w + middle / 2, y: y + h / 2 };
    const side = isLeft ? "right" : "left";
    return { box: fanBox(base, covered, stepX, 0, w), zone, base, stepX, stepY: 0, number, side };
  });

  // Four foundations beside four rows or more: spread over the same height.
  const spread = rows === 4 ? h + gap : clamp(((rows - 1) * (h + gap)) / 3, h * 0.3, h * 1.2);
  const first = top + ((rows - 1) * (h + gap) - 3 * spread) / 2;
  const foundations = [0, 1, 2, 3].map((index) => ({ x: centre, y: first + index * spread, w, h }));
  return { w, h, level: levelFor(w), form: "stacked", piles, foundations };
}

/** The width of the cards when the piles stand in so many bands of columns. */
function columnCards(wanted, bands) {
  const { width, height, counts } = wanted;
  const columnCount = Math.ceil(counts.length / bands);
  const most = bands === 1 ? longest(wanted, 3) : longest(wanted, 1) + 3;
  const edge = 5;
  const gapFor = (w) => Math.max(2.5, w * 0.07);
  const middleFor = (w) => (bands === 1 ? Math.max(4, w * 0.12) : 0);
  const fits = (w) => {
    const across = columnCount * w + (columnCount - 1) * gapFor(w) + middleFor(w);
    const h = w * PROPORTION;
    const fans = bands * (h + NUMBER_STRIP) + (bands === 1 ? most - 1 : most + 3) * readableStep(w, "inline");
    return across <= width - 2 * edge && h + 20 + fans <= height - 2 * edge;
  };
  return { columnCount, edge, gapFor, middleFor, w: widestCard(fits, 120) };
}

function columns(wanted) {
  const { width, height, counts } = wanted;
  const single = columnCards(wanted, 1);
  const double = columnCards(wanted, 2);
  // One band keeps each wing together; two bands only where one would make the cards very small.
  const bands = single.w < 36 && double.w > single.w * 1.25 ? 2 : 1;
  const { columnCount, edge, gapFor, middleFor, w } = bands === 1 ? single : double;
  const h = w * PROPORTION;
  const gap = clamp((width - 2 * edge - columnCount * w - middleFor(w)) / (columnCount - 1), gapFor(w), w * 0.16);
  const middle = middleFor(w);
  const block = columnCount * w + (columnCount - 1) * gap + middle;
  const left = (width - block) / 2;

  const between = w * 0.34;
  const top = Math.min(12, edge + 4);
  const foundations = [0, 1, 2, 3].map((index) => ({
    x: (width - 4 * w - 3 * between) / 2 + index * (w + between),
    y: top,
    w,
    h,
  }));

  const start = top + h + 8;
  const lengths = Array.from({ length: bands }, (_, band) =>
    Math.max(4, ...counts.slice(band * columnCount, (band + 1) * columnCount)),
  );
  const room = height - edge - start - bands * (h + NUMBER_STRIP);
  const all = lengths.reduce((sum, length) => sum + length - 1, 0);
  // Nearly the whole of each card is seen as long as all rows fit; the steps shrink together as the rows grow longer.
  const step = Math.min(h * 0.94, room / (bands === 1 ? Math.max(longest(wanted, 0) - 1, 1) : all));
  const piles = [];
  let y = start;
  for (let band = 0; band < bands; band += 1) {
    const span = bands === 1 ? room : (room * (lengths[band] - 1)) / all;
    for (let column = 0; column < columnCount && band * columnCount + column < counts.length; column += 1) {
      const count = counts[band * columnCount + column];
      const isRight = bands === 1 && column >= columnCount / 2;
      const base = { x: left + column * (w + gap) + (isRight ? middle : 0), y: y + NUMBER_STRIP };
      const covered = Math.max(count - 1, 0);
      const stepY = covered ? Math.min(step, span / covered) : step;
      const zone = { x: base.x - gap / 2, y, w: w + gap, h: NUMBER_STRIP + h + span };
      const number = { x: base.x + w / 2, y: y + NUMBER_STRIP / 2 };
      piles.push({ box: fanBox(base, covered, 0, stepY, w), zone, base, stepX: 0, stepY, number, side: "left" });
    }
    y += NUMBER_STRIP + h + span;
  }
  return { w, h, level: levelFor(w), form: "inline", piles, foundations };
}
