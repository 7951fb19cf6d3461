// Replays, the player's game and the solver's win side by side: a small table each, with a scrubber, step buttons,
// playing, the list of moves, and the line to be copied.

import { copy } from "./copying.js";
import { openDialog } from "./dialogs/dialog.js";
import { button, el, iconButton } from "./dom.js";
import { createTable } from "./table.js";
import { text } from "./texts.js";

// Time for one step while playing, in milliseconds.
const PACE = 900;

// Opens the game on the table beside the solver's win, or a line that was pasted.
export function openReplay(app, pasted = null) {
  const { desk, options } = app;
  const { shown } = desk;
  const panes = [];
  openDialog({
    name: "replay",
    title: text("replay.title", { game: shown.game.title }),
    wide: true,
    build(body) {
      const status = el("p", { class: "quiet", role: "status" });
      const ask = el("div", { class: "status-row" });
      const place = el("div", { class: "replays" });
      body.append(place, ask, status);
      const add = (replay) => {
        const pane = new Pane(replay, shown.game, options, (words) => (status.textContent = words));
        panes.push(pane);
        place.append(pane.root);
        place.dataset.count = panes.length;
        pane.start();
        for (const other of panes) other.table.resize();
      };
      if (pasted) add(pasted);
      else fill(desk, shown, add, status, ask);
    },
    closed() {
      for (const pane of panes) pane.end();
    },
  });
}

async function fill(desk, shown, add, status, ask) {
  if (shown.made) await addOne(desk, "game", add, status);
  // Whoever still plays is asked first: the solver's win would spoil the game, and it counts as help.
  if (shown.standing.kind !== "won" && !shown.given_up) {
    await new Promise((resolve) => {
      const show = button(text("replay.ask"), { "data-action": "show-win", onclick: resolve });
      ask.replaceChildren(show, el("span", { class: "quiet" }, text("replay.ask.words")));
    });
  }
  const stopped = new Promise((resolve) => {
    const stop = button(text("light.stop"), { class: "button slim", "data-action": "stop-search", onclick: resolve });
    ask.replaceChildren(el("span", { class: "busy", role: "status" }, text("replay.searching")), stop);
  });
  stopped.then(() => desk.ask({ type: "stop-looking" }));
  await Promise.race([addOne(desk, "win", add, status), stopped]);
  ask.replaceChildren();
}

async function addOne(desk, what, add, status) {
  const answer = await (what === "win" ? desk.askWin() : desk.ask({ type: "replay", what }));
  if (!status.isConnected) return;
  if (answer?.type === "replay") add(answer);
  else status.textContent = answer?.text ?? text("connection.lost");
}

class Pane {
  constructor(replay, game, options, tell) {
    this.replay = replay;
    this.game = game;
    this.options = options;
    this.at = 0;
    this.timer = null;
    const last = replay.frames.length - 1;
    const step = (by) => () => this.go(this.at + by);
    this.field = el("div", { class: "replay-table" });
    this.scrubber = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": text("replay.position") });
    this.scrubber.addEventListener("input", () => this.go(Number(this.scrubber.value), { animate: false }));
    this.player = iconButton(text("replay.play"), "play", { "data-step": "play", onclick: () => this.toggle() });
    this.words = el("p", { class: "replay-words", role: "status" });
    this.list = this.moveList();
    this.root = el(
      "section",
      { class: "replay", "data-replay": replay.what, "aria-label": replay.title },
      el("h3", {}, replay.title),
      this.field,
      this.words,
      this.scrubber,
      el(
        "div",
        { class: "button-row steps" },
        iconButton(text("replay.first"), "first", { "data-step": "first", onclick: () => this.go(0) }),
        iconButton(text("replay.previous"), "previous", { "data-step": "previous", onclick: step(-1) }),
        this.player,
        iconButton(text("replay.next"), "next", { "data-step": "next", onclick: step(1) }),
        iconButton(text("replay.last"), "last", { "data-step": "last", onclick: () => this.go(last) }),
        el("span", { class: "grow" }),
        button(text("replay.copy"), { class: "button slim", onclick: () => copy(replay.moves, text("copied.moves"), tell) }, "copy"),
      ),
      el("details", {}, el("summary", {}, text("replay.moves")), this.list),
    );
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  moveList() {
    const items = this.replay.frames.map((frame, index) => {
      const go = () => this.go(index);
      const words = frame.move === null ? frame.text : `${frame.move}  ${frame.text}`;
      return el("li", {}, el("button", { type: "button", class: "plain", onclick: go }, words));
    });
    return el("ol", { class: "replay-moves", start: "0" }, items);
  }

  // The table can be drawn as soon as its place is on the page.
  start() {
    this.table = createTable(this.field, {}, { readOnly: true });
    this.table.setOptions({ ...this.options.forTable(), size: 100 });
    this.go(0, { animate: false });
  }

  end() {
    this.pause();
    this.table.destroy();
  }

  go(wanted, { animate = true } = {}) {
    const { frames } = this.replay;
    this.at = Math.min(frames.length - 1, Math.max(0, wanted));
    const frame = frames[this.at];
    this.table.showLayout(this.game, frame.layout, { animate });
    this.words.textContent = text("replay.step", { at: this.at, last: frames.length - 1, words: frame.text });
    this.scrubber.value = this.at;
    this.scrubber.setAttribute("aria-valuetext", this.words.textContent);
    this.current?.removeAttribute("aria-current");
    this.current = this.list.children[this.at].firstChild;
    this.current.setAttribute("aria-current", "step");
    if (this.at === frames.length - 1) this.pause();
  }

  toggle() {
    if (this.timer !== null) {
      this.pause();
      return;
    }
    if (this.at === this.replay.frames.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), PACE);
    this.mark("pause");
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.mark("play");
  }

  mark(name) {
    this.player.setAttribute("aria-label", text(`replay.${name}`));
    this.player.title = text(`replay.${name}`);
    this.player.querySelector("use").setAttribute("href", `#i-${name}`);
  }

  // Arrow keys step wherever the focus is in the pane; a scrubber does so by itself.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.scrubber) return;
    const steps = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.replay.frames.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.go(steps[event.key]);
  }
}
