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
          const some = search(all, field.value);
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

// The games in which every word is found, those first whose names begin with the words, then those whose names hold
// them, then those that are only described with them; alike ones stay in the order of the catalogue.
function search(all, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return all
    .map((game) => [game, distance(game, wanted)])
    .filter(([, far]) => far < Infinity)
    .sort(([, one], [, other]) => one - other)
    .map(([game]) => game);
}

function distance(game, wanted) {
  const names = [game.title, game.id, ...game.aliases].map((name) => name.toLowerCase());
  const holds = (known) => wanted.every((word) => known.includes(word));
  if (names.some((name) => name.startsWith(wanted.join(" ")))) return 0;
  if (holds(names.join(" "))) return 1;
  return holds([...names, game.family, game.summary.toLowerCase()].join(" ")) ? 2 : Infinity;
}

// The family of the first game that was found comes first.
function families(app, some, close) {
  return [...new Set(some.map((game) => game.family))]
    .map((family) => [family, some.filter((game) => game.family === family)])
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
