// Short dialogs to read: the keys, the legal moves in words, and why a position cannot be won.

import { el } from "../dom.js";
import { say } from "../live-region.js";
import { text } from "../texts.js";
import { openDialog } from "./dialog.js";

const KEYS = {
  table: [
    ["arrows", ["←", "→", "↑", "↓"]],
    ["ends", ["Home", "End"]],
    ["digits", ["1–9"]],
    ["ten", ["0"]],
    ["shifted", ["Shift", "1–9"]],
    ["pick", ["Enter"]],
    ["run", ["+", "-"]],
    ["home", ["F"]],
    ["redeal", ["R"]],
    ["preview", ["V"]],
    ["blockers", ["B"]],
    ["cancel", ["Esc"]],
  ],
  game: [
    ["undo", ["U"]],
    ["redo", ["Y"]],
    ["hint", ["I"]],
    ["safe", ["S"]],
    ["moves", ["L"]],
    ["deal", ["N"]],
    ["keys", ["?"]],
  ],
};

export function openKeys() {
  openDialog({
    name: "keys",
    title: text("keys.title"),
    wide: true,
    build(body) {
      const groups = Object.entries(KEYS).map(([group, keys]) =>
        el(
          "section",
          { "aria-label": text(`keys.${group}`) },
          el("h3", {}, text(`keys.${group}`)),
          el(
            "dl",
            { class: "keys" },
            keys.map(([name, caps]) =>
              el("div", {}, el("dt", {}, caps.map((cap) => el("kbd", {}, cap))), el("dd", {}, text(`key.${name}`))),
            ),
          ),
        ),
      );
      body.append(el("div", { class: "halves" }, groups), el("p", { class: "quiet" }, text("keys.pointer")));
    },
  });
}

export async function openMoves(app) {
  const answer = await app.desk.ask({ type: "moves" });
  if (answer?.type !== "moves") return;
  openDialog({
    name: "moves",
    title: text("moves.title"),
    build(body) {
      const list = el("ol", { class: "moves" }, answer.lines.map((line) => el("li", {}, line)));
      body.append(el("div", { tabindex: "0", role: "region", "aria-label": text("moves.title"), class: "scroll" }, list));
    },
  });
  say(text(answer.lines.length === 1 ? "moves.said.one" : "moves.said", { count: answer.lines.length }));
}

// The evidence behind the light.
export function openWhy(app) {
  const { light } = app.desk;
  if (!light?.reason) return;
  openDialog({
    name: "why",
    title: text("why.title"),
    build(body) {
      const effort = light.states ? text("light.effort", { states: light.states.toLocaleString() }) : null;
      const lines = [light.text, light.reason, light.turning?.text, effort];
      body.append(...lines.filter(Boolean).map((line) => el("p", {}, line)));
    },
  });
}
