// The places of the table as labelled buttons: piles, foundations, redeal, preview and hand. Together they are one stop
// of the Tab key; the arrow keys go from one to the next where they lie. Cards lie above them and are not heard.

import { el, svg } from "./dom.js";
import { SUITS, suitDrawing } from "./suits.js";
import { cardWords, words } from "./table-texts.js";

/**
 * @typedef {object} Place
 * @property {"pile"|"foundation"|"redeal"|"eye"|"hand"} kind
 * @property {number} [pile] From 1.
 * @property {string} [suit]
 * @property {HTMLElement} element
 * @property {{x: number, y: number}} [centre] Where the arrow keys think it is.
 */

const REDEAL_ICON = "M20 12a8 8 0 1 1-2.6-5.9 M17.8 1.8v4.6h-4.6";
const EYE_ICON = "M1.5 12C5 6.5 8.5 4.5 12 4.5S19 6.5 22.5 12C19 17.5 15.5 19.5 12 19.5S5 17.5 1.5 12Z";

function iconDrawing(path, ...more) {
  return svg("svg", { viewBox: "0 0 24 24", class: "place-icon", "aria-hidden": "true" }, svg("path", { d: path }), ...more);
}

export class Places {
  /**
   * @param {HTMLElement} inner Where they are put.
   * @param {boolean} readOnly Whether they only show; they are no buttons then.
   */
  constructor(inner, readOnly) {
    this.inner = inner;
    this.readOnly = readOnly;
    /** @type {Place[]} In the order in which they are read. */
    this.all = [];
    /** @type {HTMLElement[]} */
    this.numbers = [];
    /** @type {Place|null} The one that the Tab key comes to. */
    this.current = null;
    this.made = "";
    this.wordsBox = el("div", { class: "redeal-words", "aria-hidden": "true" });
    this.handWords = el("div", { class: "hand-words", "aria-hidden": "true" });
  }

  /** Makes the places of a game, unless they are there already. */
  make(game, layout) {
    const wanted = `${game.id} ${layout.piles.length}`;
    if (wanted === this.made) return;
    this.made = wanted;
    const hadFocus = this.all.some((place) => place.element === document.activeElement);
    for (const place of this.all) place.element.remove();
    for (const number of this.numbers) number.remove();
    this.all = [];
    if (game.has_redeal) {
      this.redealCount = el("span", { class: "redeal-count" });
      this.redealWord = el("span", { class: "redeal-word" });
      const icon = iconDrawing(REDEAL_ICON);
      this.add("redeal", {}, { "data-redeal": true }, icon, this.redealWord, this.redealCount);
      if (!this.readOnly) {
        const eye = iconDrawing(EYE_ICON, svg("circle", { cx: 12, cy: 12, r: 3.2 }));
        this.add("eye", {}, { "data-preview": true, "aria-pressed": "false", title: words("preview.show") }, eye);
      }
    }
    for (const suit of SUITS) this.add("foundation", { suit }, { "data-foundation": suit }, suitDrawing(suit, "place-suit"));
    if (game.by_hand) this.add("hand", {}, { "data-hand": true });
    for (const index of layout.piles.keys()) this.add("pile", { pile: index + 1 }, { "data-pile": index + 1 });
    this.numbers = layout.piles.map((_, index) => el("span", { class: "pile-number", "aria-hidden": "true" }, String(index + 1)));
    this.inner.prepend(...this.all.map((place) => place.element), ...this.numbers, this.wordsBox, this.handWords);
    this.setCurrent(this.all.find((place) => place.pile === 1) ?? this.all[0]);
    if (hadFocus) this.focus();
  }

  add(kind, details, attributes, ...children) {
    const common = { class: `place ${kind}-place`, ...attributes };
    const element = this.readOnly
      ? el("div", { ...common, role: "img" }, children)
      : el("button", { ...common, type: "button", tabindex: "-1" }, children);
    this.all.push({ kind, ...details, element });
  }

  /** @returns {Place|undefined} */
  pile(number) {
    return this.all.find((place) => place.pile === number);
  }

  foundation(suit) {
    return this.all.find((place) => place.suit === suit);
  }

  of(kind) {
    return this.all.find((place) => place.kind === kind);
  }

  /** The place of an element. @param {Element|null} element */
  at(element) {
    const found = element?.closest?.(".place");
    return found ? (this.all.find((place) => place.element === found) ?? null) : null;
  }

  setCurrent(place) {
    if (this.readOnly || !place) return;
    this.current?.element.setAttribute("tabindex", "-1");
    this.current = place;
    place.element.setAttribute("tabindex", "0");
  }

  focus(place = this.current) {
    if (this.readOnly || !place) return;
    this.setCurrent(place);
    place.element.focus({ preventScroll: true });
  }

  /** Puts all of them where an arrangement says. @param {import("./geometry.js").Arrangement} arrangement */
  put(arrangement) {
    const { piles, foundations, redeal, eye, hand } = arrangement;
    for (const place of this.all) {
      const { kind } = place;
      let box = null;
      if (kind === "pile") box = piles[place.pile - 1].box;
      else if (kind === "foundation") box = foundations[SUITS.indexOf(place.suit)];
      else if (kind === "redeal") box = redeal;
      else if (kind === "eye") box = eye;
      else if (kind === "hand") box = hand?.next ?? null;
      place.element.hidden = box === null;
      if (!box) continue;
      const around = kind === "pile" ? piles[place.pile - 1].zone : box;
      place.centre = { x: around.x + around.w / 2, y: around.y + around.h / 2 };
      putBox(place.element, box);
      place.element.style.borderRadius = `${Math.max(3, arrangement.w * 0.065)}px`;
    }
    for (const [index, number] of this.numbers.entries()) {
      const { x, y } = piles[index].number;
      number.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    }
    // On a very small place the arrow and the count say enough.
    if (redeal) this.redealWord.hidden = arrangement.w < 46;
    this.wordsBox.hidden = !arrangement.words;
    if (arrangement.words) {
      putBox(this.wordsBox, arrangement.words);
      this.wordsBox.dataset.align = arrangement.words.align;
    }
    this.handWords.hidden = !hand;
    if (hand) {
      putBox(this.handWords, hand.words);
      this.handWords.dataset.align = hand.words.align;
    }
    if (this.current?.element.hidden) this.setCurrent(this.all.find((place) => place.pile === 1));
  }

  /**
   * Tells those who listen what lies there.
   * @param {object} layout
   * @param {object|null} redeal What the server says of the redeal; `null` in a replay.
   * @param {object|null} preview The preview that is shown, if any.
   */
  label(layout, redeal, preview) {
    for (const place of this.all) {
      const { kind, element } = place;
      if (kind === "pile") {
        const { cards, label } = layout.piles[place.pile - 1];
        element.setAttribute("aria-label", label);
        element.classList.toggle("is-empty", cards.length === 0);
      }
      if (kind === "foundation") element.setAttribute("aria-label", layout.foundations[SUITS.indexOf(place.suit)].label);
      if (kind === "hand" && layout.hand.length) {
        const values = { card: cardWords(layout.hand[0]), count: layout.hand.length };
        const suffix = values.count === 1 ? ".last" : "";
        element.setAttribute("aria-label", words(`hand.label${suffix}`, values));
        this.handWords.textContent = words(`hand.words${suffix}`, values);
      }
      if (kind === "redeal") this.labelRedeal(element, layout, redeal, preview);
      if (kind === "eye") {
        element.setAttribute("aria-label", words("preview.show"));
        element.setAttribute("aria-pressed", String(preview !== null));
      }
    }
  }

  labelRedeal(element, layout, redeal, preview) {
    const used = layout.redeals_used;
    const isLimited = redeal !== null && redeal.left !== null;
    this.redealWord.textContent = words(preview ? "preview.short" : "redeal.short");
    this.redealCount.textContent = isLimited
      ? words("redeal.used.of", { used, all: redeal.used + redeal.left })
      : words("redeal.used", { used });
    const values = { text: redeal?.text ?? used, why: redeal?.why_not ?? "" };
    const isAllowed = redeal === null || redeal.allowed;
    element.setAttribute("aria-label", words(isAllowed ? "redeal.label" : "redeal.label.not", values));
    element.classList.toggle("is-off", !isAllowed);
    if (!this.readOnly) {
      element.setAttribute("aria-disabled", String(!isAllowed));
      element.title = redeal?.why_not ?? "";
    }
    const second = preview ? (preview.why_not ?? "") : words("redeal.hold");
    const first = preview ? words(preview.after ? "preview.after" : "preview.words") : (redeal?.text ?? "");
    this.wordsBox.replaceChildren(el("p", {}, first), el("p", { class: "redeal-hint" }, this.readOnly ? "" : second));
  }
}

function putBox(element, { x, y, w, h }) {
  const { style } = element;
  style.transform = `translate(${x}px, ${y}px)`;
  style.width = `${w}px`;
  style.height = `${h}px`;
}
