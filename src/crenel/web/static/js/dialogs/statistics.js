// The player's statistics, game by game: every rate with the numbers that it comes from, every word defined.

import { el, svg } from "../dom.js";
import { text } from "../texts.js";
import { fetchJson, fillLater, openDialog } from "./dialog.js";

// The drawing is scaled to its place: on a narrow page it is drawn narrower, so that its words stay readable.
const CHART = { width: 640, narrow: 340, height: 190, bottom: 34, top: 22 };

export function openStatistics(app) {
  openDialog({
    name: "statistics",
    title: text("statistics"),
    wide: true,
    build(body, close) {
      fillLater(body, () => fetchJson("/api/statistics"), (statistics) => draw(app, body, statistics, close));
    },
  });
}

function draw(app, body, statistics, close) {
  const { games, definitions } = statistics;
  const last = el(
    "details",
    {},
    el("summary", {}, text("statistics.definitions")),
    el("ul", {}, definitions.map((sentence) => el("li", {}, sentence))),
  );
  if (!games.length) {
    body.append(el("p", { class: "lead" }, text("statistics.none")), last);
    return;
  }
  const here = app.desk.shown?.game.id;
  const select = el(
    "select",
    { id: "statistics-game" },
    games.map((game) => el("option", { value: game.game, selected: game.game === here }, game.title)),
  );
  const place = el("div", { class: "statistics" });
  const show = () => place.replaceChildren(...one(app, games.find((game) => game.game === select.value), close));
  select.addEventListener("change", show);
  const label = el("label", { for: "statistics-game" }, text("statistics.game"));
  body.append(el("div", { class: "field-row" }, label, select), place, last);
  show();
}

function one(app, game, close) {
  const figures = [
    ["played", game.played],
    ["won", game.won],
    ["lost", game.lost],
    ["open", game.open],
    ["streak", game.streak],
    ["longest-streak", game.longest_streak],
  ];
  return [
    el("p", { class: "lead" }, game.rate_text),
    el(
      "dl",
      { class: "figures" },
      figures.map(([name, value]) =>
        el("div", { "data-figure": name }, el("dt", {}, text(`statistics.${name}`)), el("dd", {}, value.toLocaleString())),
      ),
    ),
    fewest(app, game, close),
    el("h3", {}, text("statistics.up")),
    ...histogram(game.cards_up),
    el("h3", {}, text("statistics.help")),
    helpTable(game),
  ].filter(Boolean);
}

function fewest(app, game, close) {
  if (game.fewest_cost === null || game.fewest_cost === undefined) return null;
  const words = text("statistics.fewest", { cost: game.fewest_cost });
  if (!game.fewest_cost_deal) return el("p", {}, words);
  const open = () => {
    close();
    app.desk.open(app.addressOf(game.game, game.fewest_cost_deal));
  };
  const name = text("deal.name", { deal: game.fewest_cost_deal });
  return el("p", {}, words, " ", el("button", { type: "button", class: "link", onclick: open }, name));
}

// How many cards were on the foundations at the end: bars, and the same as a table for those who listen.
function histogram(bars) {
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const isNarrow = matchMedia("(max-width: 720px)").matches;
  const { height, bottom, top } = CHART;
  const width = isNarrow ? CHART.narrow : CHART.width;
  const room = width / bars.length;
  const drawn = bars.map((bar, index) => {
    const size = ((height - bottom - top) * bar.count) / most;
    const y = height - bottom - size;
    const middle = room * (index + 0.5);
    return svg(
      "g",
      {},
      svg("rect", { class: bar.from === bars.at(-1).from ? "bar-fill full" : "bar-fill", x: room * index + room * 0.14, y, width: room * 0.72, height: Math.max(size, 1), rx: 3 }),
      bar.count ? svg("text", { class: "bar-count", x: middle, y: y - 6, "text-anchor": "middle" }, String(bar.count)) : null,
      svg("text", { class: "bar-name", x: middle, y: height - 12, "text-anchor": "middle" }, isNarrow ? String(bar.from) : rangeName(bar)),
    );
  });
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, drawn);
  const rows = bars.map((bar) => el("tr", {}, el("th", { scope: "row" }, rangeName(bar)), el("td", {}, String(bar.count))));
  const heads = [text("statistics.up.cards"), text("statistics.up.deals")].map((words) => el("th", { scope: "col" }, words));
  const table = el(
    "table",
    { class: "for-ears" },
    el("caption", {}, text("statistics.up")),
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, rows),
  );
  return [chart, el("div", { class: "for-ears-box" }, table)];
}

function rangeName(bar) {
  return bar.from === bar.to ? String(bar.from) : `${bar.from}–${bar.to}`;
}

// Games without and with help, side by side.
function helpTable(game) {
  const columns = ["played", "won", "lost", "rate_text"];
  const head = el(
    "tr",
    {},
    el("td", {}),
    columns.map((column) => el("th", { scope: "col" }, text(`statistics.${column}`))),
  );
  const row = (name) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, text(`statistics.${name}`)),
      columns.map((column) => el("td", {}, String(game[name][column] ?? ""))),
    );
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("statistics.help") }, el("table", {}, el("thead", {}, head), el("tbody", {}, row("alone"), row("helped"))));
}
