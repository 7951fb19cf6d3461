// The small panel at a win: cost, redeals, time, the best that is known for the deal, and what to do next.

import { button, clockTime, el, iconButton } from "./dom.js";
import { say } from "./live-region.js";
import { text } from "./texts.js";

export class Win {
  constructor(desk) {
    this.desk = desk;
    this.panel = null;
    this.best = null;
    // The game whose panel the player has closed.
    this.closed = null;
    desk.on("table", (shown) => this.follow(shown));
    desk.on("win-found", ({ key, replay }) => this.best?.key === key && this.tellBest(replay));
  }

  follow(shown) {
    const isWon = shown.standing.kind === "won";
    if (!isWon) this.hide();
    else if (this.closed !== shown.key && !this.panel) this.show(shown);
    if (!isWon) this.closed = null;
  }

  hide() {
    if (!this.panel) return;
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.remove();
    this.panel = null;
    this.best = null;
    this.desk.emit("win-panel", { isOpen: false });
    if (hadFocus) document.getElementById("table").focus();
  }

  show(shown) {
    this.hide();
    const { counts } = shown;
    const best = el("dd", { "data-win": "best" }, text("win.looking"));
    const facts = [
      ["cost", el("dd", { "data-win": "cost" }, String(counts.cost))],
      shown.game.has_redeal ? ["redeals", el("dd", { "data-win": "redeals" }, String(counts.redeals))] : null,
      ["time", el("dd", { "data-win": "time" }, clockTime(counts.seconds))],
      ["best", best],
    ];
    const heading = el("h2", { id: "win-title", tabindex: "-1" }, text("win.title"));
    const close = () => {
      this.closed = shown.key;
      this.hide();
    };
    this.panel = el(
      "section",
      { class: "panel win", "aria-labelledby": "win-title" },
      el("header", {}, heading, iconButton(text("close"), "close", { class: "button slim square", onclick: close })),
      el("dl", { class: "figures" }, facts.filter(Boolean).map(([name, value]) => el("div", {}, el("dt", {}, text(`win.${name}`)), value))),
      el(
        "div",
        { class: "button-row" },
        button(text("win.next"), { class: "button main", "data-action": "next" }),
        button(text("win.replay"), { "data-action": "replay" }),
        button(text("win.again"), { "data-action": "again" }),
      ),
    );
    document.getElementById("table").after(this.panel);
    heading.focus({ preventScroll: true });
    this.best = { key: shown.key, own: counts.cost, place: best };
    this.findBest(this.best);
    this.desk.emit("win-panel", { isOpen: true });
  }

  // The fewest cost that is known: the player's own, or that of a win of the solver.
  async findBest(best) {
    const answer = await this.desk.askWin();
    if (answer?.type === "replay" || this.best !== best) return;
    best.place.textContent = text("win.best.own", { cost: best.own });
  }

  tellBest(replay) {
    const { own, place } = this.best;
    const key = replay.shortest ? "win.best.proved" : "win.best.known";
    place.textContent = text(key, { cost: Math.min(own, replay.cost) });
    say(text("win.said", { best: place.textContent }));
  }
}
