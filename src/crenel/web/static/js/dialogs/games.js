// The catalogue: all games by family, with a line about each, and a search over names, aliases and lines.

import { button, el } from "../dom.js";
import { text } from "../texts.js";
import { fetchJson, fillLater, openDialog } from "./dialog.js";

let games = null;

// The games as the server lists them, asked for once.
export async function allGames() {
  games ??= await fetchJson("/api/games");
  return games;
}

export function openGames(app) {
  openDialog({
    name: "games",
    title: text("games.title"),
    wide: true,
    build(body, close) {
      const field = el("input", {
        type: "search",
        id: "games-search",
        autocomplete: "off",
        spellcheck: "false",
        autofocus: true,
        placeholder: text("games.search.example"),
      });
      const found = el("p", { class: "quiet", role: "status" });
      const list = el("div", { class: "catalogue" });
      body.append(el("label", { for: "games-search" }, text("games.search")), field, found, list);
      fillLater(list, allGames, (all) => {
        const draw = () => {
          const some = all.filter((game) => isFound(game, field.value));
          found.textContent = text(some.length === 1 ? "games.found.one" : "games.found", { count: some.length });
          list.replaceChildren(...families(app, some, close));
        };
        field.addEventListener("input", draw);
        field.addEventListener("keydown", (event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          list.querySelector("[data-game]")?.click();
        });
        draw();
      });
    },
  });
}

// Every word of the search is somewhere in what is known of the game.
function isFound(game, search) {
  const known = [game.id, game.title, game.family, game.summary, ...game.aliases].join(" ").toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => known.includes(word));
}

function families(app, some, close) {
  return ["cruel", "castle"]
    .map((family) => [family, some.filter((game) => game.family === family)])
    .filter(([, members]) => members.length)
    .map(([family, members]) =>
      el(
        "section",
        { "aria-label": text(`family.${family}`) },
        el("h3", {}, text(`family.${family}`)),
        el("p", { class: "quiet" }, text(`family.${family}.words`)),
        el("ul", { class: "cards" }, members.map((game) => entry(app, game, close))),
      ),
    );
}

function entry(app, game, close) {
  const isHere = app.desk.shown?.game.base === game.id;
  const open = async () => {
    close();
    const answer = await app.desk.open(`/${game.id}`);
    if (answer && answer.type !== "table") app.asking.tell(answer.text, "refused");
  };
  const rules = { class: "button slim", "aria-label": text("games.rules.label", { game: game.title }), onclick: () => app.act("rules", game.id) };
  return el(
    "li",
    { class: isHere ? "here" : null },
    el(
      "button",
      { type: "button", class: "plain card-button", "data-game": game.id, "aria-current": isHere ? "true" : null, onclick: open },
      el("strong", {}, game.title),
      el("span", {}, game.summary),
    ),
    button(text("rules"), rules),
  );
}
