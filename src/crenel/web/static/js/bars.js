// The bars above and below the table: the game's name, the deal, the tools, and the counts with the clock.

import { clockTime, el } from "./dom.js";
import { text } from "./texts.js";

// The narrow page of an upright phone: the tools go to the bottom, within reach of a thumb.
const NARROW = "(max-width: 720px) and (min-height: 481px)";
// Too little room in a bar for all words; on most upright phones there is enough.
const TIGHT = "(max-width: 359px), (max-width: 900px) and (max-height: 480px), (min-width: 721px) and (max-width: 900px)";
// The counts in the order in which they are left out where they do not all fit. The table itself shows the redeals.
const LEAST = ["score", "redeals", "cost", "moves", "time", "up"];

export class Bars {
  constructor(desk, options) {
    this.desk = desk;
    this.options = options;
    this.title = document.getElementById("game-title");
    this.deal = document.getElementById("deal-name");
    this.counts = document.getElementById("counts");
    this.top = document.querySelector(".top-bar");
    this.bottom = document.querySelector(".bottom-bar");
    this.clock = null;
    this.looked = 0;
    this.since = performance.now();
    this.narrow = matchMedia(NARROW);
    this.narrow.addEventListener("change", () => this.arrange());
    this.arrange();
    this.tight = matchMedia(TIGHT);
    this.tight.addEventListener("change", () => desk.shown && this.name(desk.shown));
    desk.on("table", (shown) => this.show(shown));
    options.onChange(() => desk.shown && this.show(desk.shown));
    document.addEventListener("visibilitychange", () => this.look());
    // The light and the notices take room of the same bar.
    const sizes = new ResizeObserver(() => this.fit());
    for (const element of [this.bottom, this.counts, this.bottom.querySelector(".notice")]) sizes.observe(element);
    setInterval(() => this.tick(), 1000);
  }

  // Moves the tools and the light to where they are looked for; the order of the elements is that of the keyboard.
  arrange() {
    const isNarrow = this.narrow.matches;
    document.documentElement.dataset.layout = isNarrow ? "narrow" : "wide";
    const tools = document.getElementById("tools");
    const light = document.getElementById("light");
    const held = document.activeElement;
    if (isNarrow) {
      this.counts.after(light);
      this.bottom.append(tools);
    } else {
      this.top.querySelector(".deal-button").after(tools, light);
    }
    if (tools.contains(held) || light.contains(held)) held.focus();
  }

  show(shown) {
    this.name(shown);
    this.enable("undo", shown.made > 0);
    this.enable("redo", shown.undone > 0);
    const isOver = shown.standing.kind === "won";
    for (const action of ["hint", "play-safe"]) this.enable(action, !isOver);
    this.count(shown);
  }

  name({ game, deal }) {
    const words = deal ? text("deal.name", { deal }) : text("deal.board");
    this.title.textContent = game.title;
    this.deal.textContent = deal && this.tight.matches ? deal : words;
    this.deal.parentElement.setAttribute("aria-label", words);
    document.title = deal ? text("page.title", { game: game.title, deal }) : text("page.title.board", { game: game.title });
  }

  // A button that cannot be used now keeps the focus and its place; it only looks and says so.
  enable(action, isEnabled) {
    for (const element of document.querySelectorAll(`#tools [data-action="${action}"]`)) {
      if (isEnabled) element.removeAttribute("aria-disabled");
      else element.setAttribute("aria-disabled", "true");
    }
  }

  count(shown) {
    const { counts, game, redeal } = shown;
    const items = [
      ["up", text("count.up", { up: counts.up, cards: game.cards })],
      ["moves", text(game.has_redeal ? "count.moves" : "count.cost", { moves: counts.tableau })],
    ];
    if (game.has_redeal) {
      const key = redeal.left === null ? "count.redeals" : "count.redeals.left";
      items.push(["redeals", text(key, { used: redeal.used, left: redeal.left })]);
      items.push(["cost", text("count.total", { cost: counts.cost })]);
    }
    if (counts.score !== null && counts.score !== counts.up) items.push(["score", text("count.score", { score: counts.score })]);
    const parts = items.map(([name, words]) => el("span", { "data-count": name }, words));
    this.clock = null;
    if (this.options.values.clock) {
      this.clock = el("span", { "data-count": "time", role: "timer", "aria-live": "off" });
      parts.push(this.clock);
    }
    this.counts.replaceChildren(...parts);
    this.counts.title = counts.text;
    this.looked = 0;
    this.since = performance.now();
    this.tick();
    this.fit();
  }

  // Leaves out whole counts, the least important first, until the others fit.
  fit() {
    const { counts } = this;
    for (const count of counts.children) count.hidden = false;
    for (const name of LEAST) {
      if (counts.scrollWidth <= counts.clientWidth) return;
      const count = counts.querySelector(`[data-count="${name}"]`);
      if (count) count.hidden = true;
    }
  }

  // The time of a hidden page does not count.
  look() {
    if (document.hidden) this.looked += performance.now() - this.since;
    this.since = performance.now();
  }

  get seconds() {
    const { shown } = this.desk;
    const isOver = shown.standing.kind === "won" || shown.given_up;
    const looked = this.looked + (document.hidden ? 0 : performance.now() - this.since);
    return shown.counts.seconds + (isOver ? 0 : looked / 1000);
  }

  tick() {
    if (!this.clock) return;
    const words = text("count.time", { time: clockTime(this.seconds) });
    const isLonger = words.length !== this.clock.textContent.length;
    this.clock.textContent = words;
    if (isLonger) this.fit();
  }
}
