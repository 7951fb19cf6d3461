// The end of a won game: the foundations light up one after the other and a few suits rise from them; two seconds,
// once, and nothing waits for it.

import { SUITS, suitDrawing } from "./suits.js";

/** Where they go, in degrees: upwards from a row of foundations, to both sides from a column. */
const UPWARDS = [-90, -122, -58, -106, -74, -90];
const SIDEWARDS = [-14, 194, 8, 172, -30, 210];

/**
 * @param {import("./table.js").TableView} view
 * @param {"full"|"brief"} animate
 */
export function celebrate(view, animate) {
  const last = animate === "full" ? 1500 : 800;
  const [first, second] = view.arrangement.foundations;
  const ways = first.x === second.x ? SIDEWARDS : UPWARDS;
  for (const [index, { suit, top }] of view.layout.foundations.entries()) {
    const delay = 180 + index * 130;
    const card = top && view.cards.get(top);
    if (!card) continue;
    const lift = -card.place.w * 0.12;
    card.element.animate(
      [{ translate: "0 0" }, { translate: `0 ${lift}px`, filter: "brightness(1.08)" }, { translate: "0 0" }],
      { duration: last * 0.45, delay, easing: "ease-in-out" },
    );
    for (const [number, way] of ways.entries()) rise(view, suit, card.place, delay + number * 90, last, way);
  }
}

function rise(view, suit, place, delay, duration, way) {
  const mark = suitDrawing(suit, `rising suit-${suit}`);
  const size = place.w * 0.26;
  mark.style.width = `${size}px`;
  mark.style.height = `${size}px`;
  view.inner.append(mark);
  const x = place.x + place.w / 2 - size / 2;
  const y = place.y + place.w * 0.55;
  // The same calm paths for each game, turned a little from suit to suit.
  const angle = (way + (SUITS.indexOf(suit) - 1.5) * 5) * (Math.PI / 180);
  const reach = place.w * 2.6;
  const target = `translate(${x + Math.cos(angle) * reach}px, ${y + Math.sin(angle) * reach}px)`;
  const animation = mark.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(0.4)`, opacity: 0 },
      { opacity: 0.95, offset: 0.25 },
      { transform: `${target} scale(1)`, opacity: 0 },
    ],
    { duration, delay, easing: "cubic-bezier(0.2, 0.6, 0.4, 1)", fill: "both" },
  );
  animation.onfinish = () => mark.remove();
}
