// The sentence line below the table. It says one thing at a time: what just happened or was refused; else that the
// connection is lost; else how the game stands (lost, stuck, no longer winnable), with a way to go on.

import { el, iconButton } from "./dom.js";
import { text } from "./texts.js";

// How long a passing sentence stays when one that matters longer waits behind it, in milliseconds.
const PASSING = 8_000;
const ORDER = ["passing", "connection", "standing"];

export class Notices {
  constructor(place) {
    this.place = place;
    this.current = {};
    this.timer = null;
  }

  // Shows a notice: {text, tone, actions: [{label, short, action}], dismiss()}. The kind is one of ORDER.
  set(kind, notice) {
    this.current[kind] = notice;
    if (kind === "passing") {
      clearTimeout(this.timer);
      this.timer = notice?.stays ? null : setTimeout(() => this.fade(), PASSING);
    }
    this.draw();
  }

  clear(kind) {
    if (this.current[kind]) this.set(kind, null);
  }

  // A sentence that has stood for a while gives way, if something waits.
  fade() {
    if (ORDER.slice(1).some((kind) => this.current[kind])) this.clear("passing");
  }

  draw() {
    const kind = ORDER.find((name) => this.current[name]);
    const notice = this.current[kind];
    const { place } = this;
    if (this.drawn === notice) return;
    this.drawn = notice;
    const hadFocus = place.contains(document.activeElement);
    place.replaceChildren();
    place.hidden = !notice;
    document.documentElement.dataset.notice = notice?.tone ?? "none";
    if (notice) {
      place.dataset.kind = kind;
      place.dataset.tone = notice.tone ?? "plain";
      place.append(el("p", { class: "notice-words", title: notice.text }, notice.text));
      for (const action of notice.actions ?? []) place.append(this.actionButton(action));
      if (notice.dismiss) {
        const close = { class: "button slim square", "data-action": "dismiss", onclick: notice.dismiss };
        place.append(iconButton(text("notice.dismiss"), "close", close));
      }
    }
    // The focus must not fall off the page with the button that it was on.
    if (hadFocus) (place.querySelector("button") ?? document.getElementById("table")).focus();
  }

  actionButton({ label, short, action }) {
    const words = short
      ? [el("span", { class: "wide-words" }, label), el("span", { class: "short-words", "aria-hidden": "true" }, short)]
      : [label];
    return el("button", { type: "button", class: "button slim", "data-action": action, "aria-label": label }, ...words);
  }
}
