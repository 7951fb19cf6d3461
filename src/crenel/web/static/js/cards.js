// The cards as elements: one for each name, drawn anew only when its size, index or side changes.

import { el } from "./dom.js";
import { drawFace } from "./faces.js";
import { PROPORTION } from "./sizes.js";

/**
 * Where a card lies, in pixels of the table.
 * @typedef {object} Place
 * @property {number} x Left edge.
 * @property {number} y Upper edge.
 * @property {number} w Width.
 * @property {number} z Order: higher lies above.
 * @property {"full"|"plain"|"small"|"chip"} level
 * @property {"inline"|"stacked"} form
 * @property {"left"|"right"} side
 * @property {boolean} [hidden] Whether others cover it wholly.
 * @property {boolean} [isHome] Whether it lies on a foundation: presses go to the foundation's button then.
 */

export class CardElement {
  /** @param {string} name Such as "TC". */
  constructor(name) {
    this.name = name;
    this.element = el("div", { class: "card", "data-card": name, "aria-hidden": "true" });
    /** @type {Place|null} */
    this.place = null;
    this.drawn = "";
    /** @type {Animation|null} */
    this.animation = null;
  }

  /**
   * Puts the card where it belongs, at once; whoever wants it to glide asks motion.js.
   * @param {Place} place
   */
  put(place) {
    const { level, form, side } = place;
    const drawn = `${level} ${form} ${side}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.element.replaceChildren(drawFace(this.name, { level, form, side }));
    }
    const { style } = this.element;
    if (!this.place || this.place.w !== place.w) {
      style.width = `${place.w}px`;
      style.height = `${place.w * PROPORTION}px`;
      style.borderRadius = `${Math.max(3, place.w * 0.065)}px`;
    }
    style.transform = moved(place.x, place.y);
    style.zIndex = String(place.z);
    this.element.classList.toggle("is-under", place.hidden === true);
    this.element.classList.toggle("is-home", place.isHome === true);
    this.place = place;
  }
}

/**
 * The transform of a place.
 * @param {number} x
 * @param {number} y
 * @param {number} [scale]
 */
export function moved(x, y, scale = 1) {
  return `translate(${x}px, ${y}px)${scale === 1 ? "" : ` scale(${scale})`}`;
}
