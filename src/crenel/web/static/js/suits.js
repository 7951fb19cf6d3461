// The four suits as outlines in a box of 100 by 100, drawn for this program, and how to put one into a drawing.

import { svg } from "./dom.js";

/** @type {Record<string, string>} Outlines by suit letter. */
const OUTLINES = {
  C:
    "M32.4 38.5A21 21 0 1 1 67.6 38.5A21 21 0 1 1 53 67.9C53.5 80 58 89 68 95H32C42 89 46.5 80 47 67.9" +
    "A21 21 0 1 1 32.4 38.5Z",
  D: "M50 3C57 19 70 37 86 50C70 63 57 81 50 97C43 81 30 63 14 50C30 37 43 19 50 3Z",
  H: "M50 94C43 82 7 58 7 32C7 17 18 8 29 8C39 8 46 14 50 24C54 14 61 8 71 8C82 8 93 17 93 32C93 58 57 82 50 94Z",
  S:
    "M50 4C57 18 93 42 93 65C93 77 84 84 74 84C65 84 58 79 53.5 71C54.5 83 59 90 67 96H33" +
    "C41 90 45.5 83 46.5 71C42 79 35 84 26 84C16 84 7 77 7 65C7 42 43 18 50 4Z",
};

export const SUITS = Object.freeze(["C", "D", "H", "S"]);

/**
 * A suit with its middle at (x, y).
 * @param {string} suit Its letter.
 * @param {number} x
 * @param {number} y
 * @param {number} size Its height, in the units of the drawing.
 * @param {{turned?: boolean, class?: string}} [how] `turned`: upside down.
 * @returns {SVGElement}
 */
export function suitMark(suit, x, y, size, how = {}) {
  const scale = (how.turned ? -size : size) / 100;
  return svg("path", {
    d: OUTLINES[suit],
    transform: `translate(${round(x)} ${round(y)}) scale(${round(scale)}) translate(-50 -50)`,
    class: how.class,
  });
}

/**
 * A suit as a drawing of its own.
 * @param {string} suit Its letter.
 * @param {string} className
 */
export function suitDrawing(suit, className) {
  return svg("svg", { viewBox: "0 0 100 100", class: className, "aria-hidden": "true" }, suitMark(suit, 50, 50, 100));
}

/** @param {number} value Rounded, so that the attributes stay short. */
export function round(value) {
  return Math.round(value * 1000) / 1000;
}
