// Where the page begins: joins the desk, the table, the bars and the lines, and lets the buttons act.

import { listen, makeActions, prepare } from "./actions.js";
import { Asking } from "./asking.js";
import { Bars } from "./bars.js";
import { Desk } from "./desk.js";
import { closeDialogs } from "./dialogs/dialog.js";
import { button, el, fillTexts } from "./dom.js";
import { Light } from "./light.js";
import { say, sayNow } from "./live-region.js";
import { Notices } from "./notices.js";
import { Options } from "./options.js";
import { createTable } from "./table.js";
import { text } from "./texts.js";
import { Win } from "./win.js";

// A break that is over so soon is not worth a word, in milliseconds.
const SHORT_BREAK = 700;
// After so many failed attempts it is asked whether the server is there at all.
const MANY_FAILURES = 4;

fillTexts(document);
const options = new Options();
const desk = new Desk(options);
const notices = new Notices(document.getElementById("notice"));
const app = { desk, options, notices };

app.table = createTable(
  document.getElementById("table"),
  {
    move: (move) => desk.change({ type: "move", move }),
    redeal: () => app.act("redeal"),
    isBehind: () => !desk.changes.isEmpty,
    preview: (isOn) => app.asking.preview(isOn),
    consider: (move) => app.asking.consider(move),
    askBlockers: (suit) => app.asking.blockers(suit),
    say,
  },
  { readOnly: false },
);
app.table.setOptions(options.forTable());
options.onChange(() => app.table.setOptions(options.forTable()));

desk.on("table", (shown) => app.table.show(shown));
app.bars = new Bars(desk, options);
app.asking = new Asking(desk, app.table, notices);
app.light = new Light(desk, options, notices);
app.win = new Win(desk);
app.actions = makeActions(app);
app.act = (name, ...details) => app.actions[name](...details);
// The address of a deal of the game on the table, its changed rules included.
app.dealAddress = (deal) => app.addressOf(desk.shown?.game.id ?? "cruel", deal);
app.addressOf = (game, deal) => `/${encodeURIComponent(game)}/${encodeURIComponent(deal)}`;

desk.on("table", (shown) => {
  say(shown.change.text);
  if (shown.standing.text && shown.standing.kind !== "playing") say(shown.standing.text);
});
desk.on("opened", () => document.querySelector(".panel.problem-panel")?.remove());
desk.on("refused", ({ message, answer }) => {
  if (message.type === "move") app.table.setRefused(message.move);
  // What the player did in the meantime was meant for another table; the table drops it.
  if (desk.shown) app.table.show(desk.shown);
  if (message.type === "open" && !desk.shown) showProblem(answer.text);
  else app.asking.tell(answer.text, "refused");
});
desk.on("dropped", () => app.table.show(desk.shown));
desk.on("kept", (kept) => kept.ok || app.asking.tell(kept.text, "refused"));
addEventListener("popstate", closeDialogs);

watchConnection();
listen(app);
desk.start();
prepare();

// Says when the connection is lost for longer than a moment, and when it is back.
function watchConnection() {
  let timer = null;
  let isSaid = false;
  const lose = (key, actions) => {
    clearTimeout(timer);
    timer = null;
    notices.set("connection", { text: text(key), tone: "connection", actions });
    if (!isSaid) sayNow(text(key));
    isSaid = true;
  };
  desk.on("turned-away", ({ text: sentence }) => {
    notices.set("connection", { text: sentence, tone: "connection", actions: [{ label: text("reload"), action: "reload" }] });
    if (!isSaid) sayNow(sentence);
    isSaid = true;
  });
  desk.on("connection", ({ isUp, failures = 0, isNews = false }) => {
    if (isUp) {
      clearTimeout(timer);
      timer = null;
      notices.clear("connection");
      if (isSaid) {
        sayNow("");
        say(text("connection.back"));
      }
      isSaid = false;
      return;
    }
    if (isNews) lose("connection.lost");
    else if (timer === null && !isSaid) timer = setTimeout(lose, SHORT_BREAK, "connection.lost");
    if (failures === MANY_FAILURES) offerReload(lose);
  });
}

// A server that answers but takes no connection wants a fresh page: its cookie is gone, or it is a newer one.
async function offerReload(lose) {
  try {
    const answer = await fetch("/api/health");
    if (answer.ok && !desk.isUp) lose("connection.reload", [{ label: text("reload"), action: "reload" }]);
  } catch {
    // It is not there; the attempts go on.
  }
}

// The address shows no game: says why, and offers the way to one.
function showProblem(sentence) {
  document.querySelector(".panel.problem-panel")?.remove();
  const heading = el("h2", { tabindex: "-1" }, text("problem.title"));
  const open = () => desk.open("/", { push: true });
  const panel = el(
    "section",
    { class: "panel problem-panel", "aria-label": text("problem.title") },
    heading,
    el("p", {}, sentence),
    el(
      "div",
      { class: "button-row" },
      button(text("problem.play"), { class: "button main", onclick: open }),
      button(text("games.title"), { "data-action": "games" }),
    ),
  );
  document.getElementById("table").after(panel);
  document.title = text("problem.title");
  heading.focus();
  say(sentence);
}
