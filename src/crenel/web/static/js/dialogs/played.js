// The games that the player played, the last ones first: open one again, replay it, copy or keep its record.

import { copy } from "../copying.js";
import { keyAddress } from "../desk.js";
import { button, el } from "../dom.js";
import { text } from "../texts.js";
import { fetchJson, fillLater, openDialog } from "./dialog.js";

const PAGE = 30;

export function openPlayed(app) {
  openDialog({
    name: "played",
    title: text("played.title"),
    wide: true,
    build(body, close) {
      const status = el("p", { class: "quiet", role: "status" });
      const list = el("ul", { class: "cards played" });
      const more = button(text("played.more"), { hidden: true });
      const add = ({ games, before }) => {
        list.append(...games.map((game) => entry(app, game, close, (words) => (status.textContent = words))));
        more.hidden = before === null;
        more.dataset.before = before ?? "";
      };
      const load = (before) => {
        const query = new URLSearchParams({ limit: PAGE, ...(before ? { before } : {}) });
        return fetchJson(`/api/played?${query}`);
      };
      more.addEventListener("click", async () => {
        try {
          add(await load(more.dataset.before));
        } catch (problem) {
          status.textContent = problem.message;
        }
      });
      const place = el("div");
      body.append(place);
      fillLater(place, load, (page) => {
        if (!page.games.length) place.append(el("p", { class: "lead" }, text("played.none")));
        else {
          place.append(status, list, more);
          add(page);
        }
      });
    },
  });
}

function entry(app, game, close, tell) {
  const open = async (replays) => {
    close();
    const answer = await app.desk.open(keyAddress(game));
    if (answer && answer.type !== "table") app.asking.tell(answer.text, "refused");
    else if (replays) app.act("replay");
  };
  const title = game.deal ? text("played.name", { game: game.title, deal: game.deal }) : text("played.name.board", { game: game.title });
  const result = game.won ? "won" : game.given_up ? "given-up" : game.standing === "lost" ? "lost" : "open";
  const facts = [
    text(`played.${result}`),
    text("count.up", { up: game.up, cards: game.cards }),
    text("count.total", { cost: game.cost }),
    new Date(game.changed * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
  ];
  const name = (action) => text(`played.${action}.label`, { game: title });
  return el(
    "li",
    { "data-result": result },
    el(
      "button",
      { type: "button", class: "plain card-button", "data-open": game.key, onclick: () => open(false) },
      el("strong", {}, title),
      el("span", {}, facts.join(" · ")),
    ),
    el(
      "div",
      { class: "button-row" },
      button(text("played.replay"), { class: "button slim", "aria-label": name("replay"), onclick: () => open(true) }),
      button(text("played.copy"), { class: "button slim", "aria-label": name("copy"), onclick: () => copyRecord(game.key, tell) }),
      el("a", { class: "button slim", href: `/api/played/${game.key}/record`, download: true, "aria-label": name("keep") }, text("played.keep")),
    ),
  );
}

// Copies the record of a game: it can be pasted here, on another day or another machine.
export async function copyRecord(key, tell) {
  try {
    const response = await fetch(`/api/played/${key}/record`);
    if (!response.ok) throw new Error();
    await copy((await response.text()).trimEnd() + "\n", text("copied.game"), tell);
  } catch {
    tell(text("fetch.failed"));
  }
}
