// Sizes that all of the geometry shares: the proportion of a card, what can still be read, what still fits.

/** Height of a card in parts of its width. */
export const PROPORTION = 1.4;

/** Least step at which the indices of a fan can still be read, in parts of a card's width. */
const READABLE = {
  inline: { full: 0.265, plain: 0.32, small: 0.4 },
  stacked: { full: 0.29, plain: 0.35, small: 0.47 },
};

/**
 * The level of drawing for a width of card.
 * @param {number} w
 * @returns {"full"|"plain"|"small"}
 */
export function levelFor(w) {
  return w >= 78 ? "full" : w >= 50 ? "plain" : "small";
}

/**
 * Least readable step in pixels.
 * @param {number} w Width of a card.
 * @param {"inline"|"stacked"} form
 */
export function readableStep(w, form) {
  return w * READABLE[form][levelFor(w)];
}

/**
 * The widest card that fits, in half pixels.
 * @param {(w: number) => boolean} fits
 * @param {number} most
 */
export function widestCard(fits, most) {
  for (let w = Math.floor(most * 2) / 2; w > 16; w -= 0.5) if (fits(w)) return w;
  return 16;
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

/** @param {import("./geometry.js").Box} box @param {{x: number, y: number}} point */
export function isInside({ x, y, w, h }, point) {
  return point.x >= x && point.x < x + w && point.y >= y && point.y < y + h;
}

/**
 * The box around a fan.
 * @param {{x: number, y: number}} base
 * @param {number} steps
 * @param {number} stepX
 * @param {number} stepY
 * @param {number} w
 * @returns {import("./geometry.js").Box}
 */
export function fanBox(base, steps, stepX, stepY, w) {
  const x = base.x + Math.min(0, steps * stepX);
  const y = base.y + Math.min(0, steps * stepY);
  return { x, y, w: w + Math.abs(steps * stepX), h: w * PROPORTION + Math.abs(steps * stepY) };
}
