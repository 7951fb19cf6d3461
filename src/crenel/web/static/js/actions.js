// What the buttons and keys of the page do, by name. A button of the bars names its action in data-action; those in
// dialogs call the same actions by app.act(name).

import { copy } from "./copying.js";
import { isDialogOpen } from "./dialogs/dialog.js";
import { text } from "./texts.js";

// Loaded when they are wanted first, or when the page has time for it.
const DIALOGS = {
  games: ["games", "openGames"],
  deal: ["deal", "openDeal"],
  "give-up": ["deal", "openGiveUp"],
  menu: ["menu", "openMenu"],
  rules: ["rules", "openRules"],
  statistics: ["statistics", "openStatistics"],
  played: ["played", "openPlayed"],
  options: ["options", "openOptions"],
  paste: ["paste", "openPaste"],
  keys: ["keys", "openKeys"],
  moves: ["keys", "openMoves"],
  why: ["keys", "openWhy"],
};

const LETTERS = { u: "undo", y: "redo", i: "hint", s: "play-safe", l: "moves", n: "deal", v: "preview" };

export function makeActions(app) {
  const { desk } = app;
  // After the presses on the table that wait for the server's answers.
  const change = (message) => app.table.inTurn(() => desk.change(message));
  const tell = (words) => app.asking.tell(words);
  const actions = {
    undo: () => app.table.inTurn(() => desk.shown?.made > 0 && desk.change({ type: "undo" })),
    redo: () => app.table.inTurn(() => desk.shown?.undone > 0 && desk.change({ type: "redo" })),
    hint: () => app.asking.hint(),
    "play-safe": () => change({ type: "play-safe" }),
    redeal: () => change({ type: "move", move: "R" }),
    preview: () => app.asking.togglePreview(),
    "stop-looking": () => desk.ask({ type: "stop-looking" }),
    "keep-looking": () => desk.ask({ type: "keep-looking" }),
    "go-back": () => app.light.goBack(),
    again: () => desk.shown && desk.open(desk.shown.address, { again: true }),
    next: () => findDeal(app, "next"),
    summary: () => app.win.show(desk.shown),
    replay: async () => (await import("./replay.js")).openReplay(app),
    skip: () => app.table.focus(),
    reload: () => location.reload(),
    "copy-address": () => {
      const key = desk.shown.deal ? "copied.address" : "copied.address.board";
      copy(location.origin + desk.shown.address, text(key), tell);
    },
    "copy-game": async () => (await import("./dialogs/played.js")).copyRecord(desk.shown.key, tell),
  };
  for (const [name, [file, opener]] of Object.entries(DIALOGS)) {
    actions[name] = async (...details) => (await import(`./dialogs/${file}.js`))[opener](app, ...details);
  }
  return actions;
}

async function findDeal(app, which) {
  const { desk, options } = app;
  const answer = await desk.ask({ type: "find-deal", which, winnable: options.values.winnable });
  if (answer?.address) await desk.open(answer.address);
  else if (answer) app.asking.tell(answer.text, "refused");
}

// Lets buttons and keys act.
export function listen(app) {
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.("[data-action]");
    if (!pressed || pressed.closest("dialog") || !(pressed.dataset.action in app.actions)) return;
    event.preventDefault();
    if (pressed.getAttribute("aria-disabled") !== "true") app.act(pressed.dataset.action);
  });
  document.addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action || !app.desk.shown) return;
    event.preventDefault();
    app.act(action);
  });
}

// The action of a key that nobody has taken yet; Alt and the keys of the system stay with the browser.
function actionOf(event) {
  if (event.defaultPrevented || event.altKey || event.isComposing || isDialogOpen()) return null;
  if (event.target.closest?.("input, textarea, select, [contenteditable]")) return null;
  const letter = letterOf(event);
  if (event.ctrlKey || event.metaKey) {
    if (letter === "z") return event.shiftKey ? "redo" : "undo";
    return letter === "y" && !event.shiftKey ? "redo" : null;
  }
  if (event.key === "?") return "keys";
  if (event.repeat && !["u", "y"].includes(letter)) return null;
  return LETTERS[letter] ?? null;
}

// The letter of a key; where the layout has other letters, the one that stands there on a Latin keyboard.
function letterOf(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  const isOtherScript = event.key.length === 1 && event.key > "\u007f";
  return isOtherScript && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : "";
}

// Fetches what opens later while nothing else is to be done, so that it opens at once, and without a connection too.
export function prepare() {
  const files = [...new Set(Object.values(DIALOGS).map(([file]) => `./dialogs/${file}.js`)), "./replay.js"];
  const load = () => files.forEach((file) => import(file).catch(() => null));
  if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 1000);
}
