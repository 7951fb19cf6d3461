// Motion: cards glide from where they are seen to where they belong, redeals run as a wave, refusals shake softly.
//
// A card is always put to its new place at once and then shown as coming from the old one, so nothing ever waits for
// an animation: what is clicked is where it will be.

import { moved } from "./cards.js";

/** Times in milliseconds by the option `animation`. */
const TIMES = {
  full: { glide: 160, far: 230, wave: 250, span: 560, shake: 320 },
  brief: { glide: 80, far: 100, wave: 110, span: 220, shake: 180 },
};
const MOVING = 1000;
const EASE = "cubic-bezier(0.22, 0.75, 0.25, 1)";

/**
 * @typedef {"full"|"brief"|"none"} Animate
 * @typedef {{x: number, y: number, w: number}} Seen
 */

/** The animation until options are set: none where the system wishes for less motion. @returns {Animate} */
export function usualAnimation() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "full";
}

/**
 * Where a card is seen now, in the midst of a glide too.
 * @param {import("./cards.js").CardElement} card
 * @returns {Seen|null}
 */
export function seenPlace(card) {
  if (!card.place) return null;
  const { x, y, w } = card.place;
  if (!card.animation || card.animation.playState !== "running") return { x, y, w };
  const matrix = new DOMMatrixReadOnly(getComputedStyle(card.element).transform);
  return { x: matrix.m41, y: matrix.m42, w: w * matrix.a };
}

/**
 * Whether a card that glides later, in its turn of a wave, still lies where it was.
 * @param {import("./cards.js").CardElement} card
 */
export function isStillThere({ animation }) {
  return animation?.playState === "running" && animation.currentTime < animation.effect.getTiming().delay;
}

/** Ends a card's glide where it is. @param {import("./cards.js").CardElement} card */
export function stop(card) {
  card.animation?.cancel();
  card.animation = null;
  if (card.place) card.element.style.zIndex = String(card.place.z);
}

/**
 * Lets a card that has been put to its place come from where it was seen.
 * @param {import("./cards.js").CardElement} card
 * @param {Seen} from
 * @param {Exclude<Animate, "none">} animate
 * @param {{delay?: number, isWave?: boolean}} [how]
 */
export function glide(card, from, animate, { delay = 0, isWave = false } = {}) {
  stop(card);
  const { x, y, w } = card.place;
  const distance = Math.hypot(from.x - x, from.y - y);
  if (distance < 0.5 && Math.abs(from.w - w) < 0.5) return;
  const times = TIMES[animate];
  const duration = isWave ? times.wave : distance > 600 ? times.far : times.glide;
  const frames = [{ transform: moved(from.x, from.y, from.w / w) }, { transform: moved(x, y) }];
  const animation = card.element.animate(frames, { duration, delay, easing: EASE, fill: "backwards" });
  card.animation = animation;
  // What moves lies above what rests.
  card.element.style.zIndex = String(MOVING + card.place.z);
  animation.onfinish = () => {
    if (card.animation === animation) stop(card);
  };
}

/**
 * The delay of a pile in a wave over all piles.
 * @param {number} index
 * @param {number} count
 * @param {Exclude<Animate, "none">} animate
 */
export function waveDelay(index, count, animate) {
  return count > 1 ? (index / (count - 1)) * TIMES[animate].span : 0;
}

/**
 * Shakes a card softly where it lies.
 * @param {import("./cards.js").CardElement} card
 * @param {Exclude<Animate, "none">} animate
 */
export function shake(card, animate) {
  const reach = Math.max(3, (card.place?.w ?? 60) * 0.045);
  const frames = [0, -reach, reach * 0.8, -reach * 0.5, reach * 0.25, 0].map((shift) => ({ translate: `${shift}px 0` }));
  const { shake: duration, glide: delay } = TIMES[animate];
  card.element.animate(frames, { duration, delay, easing: "ease-in-out" });
}
