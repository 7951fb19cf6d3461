// Another deal, and all that concerns this one: begin again, share, copy, paste, give up.

import { button, el } from "../dom.js";
import { text } from "../texts.js";
import { openDialog, problemLine } from "./dialog.js";

export function openDeal(app) {
  openDialog({
    name: "deal",
    title: text("deal.title"),
    build(body, close) {
      body.append(...entry(app, close), ...finding(app, close), thisGame(app, close));
    },
  });
}

// The number of a deal, entered.
function entry(app, close) {
  const { desk } = app;
  const field = el("input", {
    id: "deal-number",
    name: "deal",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "off",
    enterkeyhint: "go",
    maxlength: 60,
    autofocus: true,
    value: desk.shown?.deal ?? "",
    "aria-describedby": "deal-hint",
  });
  field.addEventListener("focus", () => field.select());
  const problem = problemLine(field);
  const form = el(
    "form",
    { class: "row-form", "data-form": "deal" },
    el("label", { for: "deal-number" }, text("deal.number")),
    el("div", { class: "field-row" }, field, button(text("deal.go"), { type: "submit", class: "button main" })),
    problem.line,
    el("p", { class: "quiet", id: "deal-hint" }, text("deal.number.hint")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const deal = field.value.trim();
    if (!deal) {
      problem.show(text("deal.empty"));
      return;
    }
    const answer = await desk.open(app.dealAddress(deal));
    if (answer && answer.type !== "table") problem.show(answer.text);
    else close();
  });
  field.addEventListener("input", () => problem.clear());
  return [form];
}

// The next, the previous, a random one; only deals with a known win, if wanted.
function finding(app, close) {
  const { desk, options } = app;
  const status = el("div", { class: "status-row", role: "status" });
  let search = 0;
  const find = async (which) => {
    search += 1;
    const own = search;
    const { winnable } = options.values;
    const words = text(winnable ? "deal.finding.winnable" : "deal.finding");
    const end = () => {
      search += 1;
      status.replaceChildren();
      desk.ask({ type: "stop-looking" });
    };
    const stop = button(text("light.stop"), { class: "button slim", "data-action": "stop-search", onclick: end });
    const timer = setTimeout(() => status.replaceChildren(el("span", { class: "busy" }, words), stop), 200);
    const answer = await desk.ask({ type: "find-deal", which, winnable });
    clearTimeout(timer);
    // Stopped, asked anew, or the dialog was closed.
    if (own !== search || !status.isConnected) return;
    status.replaceChildren();
    if (!answer) status.textContent = text("connection.lost");
    else if (!answer.address) status.textContent = answer.text;
    else {
      const opened = await desk.open(answer.address);
      if (opened && opened.type !== "table") status.textContent = opened.text;
      else close();
    }
  };
  const choice = (which, icon) =>
    button(text(`deal.${which}`), { "data-find": which, onclick: () => find(which) }, icon);
  const only = el("input", { type: "checkbox", id: "only-winnable", checked: options.values.winnable });
  only.addEventListener("change", () => options.set({ winnable: only.checked }));
  return [
    el(
      "div",
      { class: "button-row", role: "group", "aria-label": text("deal.other") },
      choice("previous", "previous"),
      choice("next", "next"),
      choice("random", "dice"),
    ),
    el("div", { class: "check" }, only, el("label", { for: "only-winnable" }, text("deal.only-winnable"))),
    status,
  ];
}

function thisGame(app, close) {
  const act = (action, icon) => {
    const press = () => {
      close();
      app.act(action);
    };
    return el("li", {}, button(text(`deal.${action}`), { class: "button row", "data-action": action, onclick: press }, icon));
  };
  const items = [
    act("again", "again"),
    act("copy-address", "link"),
    act("copy-game", "copy"),
    act("paste", "paste"),
    act("played", "clock"),
    act("give-up", "flag"),
  ];
  return el("section", { "aria-label": text("deal.this") }, el("h3", {}, text("deal.this")), el("ul", { class: "menu" }, items));
}

// Asks whether the player means it: giving up cannot be taken back.
export function openGiveUp(app) {
  openDialog({
    name: "give-up",
    title: text("give-up.title"),
    build(body, close) {
      const giveUp = () => {
        close();
        app.desk.change({ type: "give-up" });
      };
      body.append(
        el("p", {}, text("give-up.words")),
        el(
          "div",
          { class: "button-row end" },
          button(text("give-up.no"), { onclick: close, autofocus: true }),
          button(text("give-up.yes"), { class: "button main", "data-action": "confirm-give-up", onclick: giveUp }),
        ),
      );
    },
  });
}
