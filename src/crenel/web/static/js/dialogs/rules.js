// The rules sheet, made by the server from the very data that the game is played by, and a form for the rules that
// can be changed: it makes the address of a variant, the defaults being those of the game itself.

import { button, el } from "../dom.js";
import { text } from "../texts.js";
import { fetchJson, fillLater, openDialog, problemLine } from "./dialog.js";

// Shows the rules of the game on the table, or of another one by its id.
export function openRules(app, other = null) {
  const { shown } = app.desk;
  const isOther = other !== null && other !== shown?.game.base;
  const base = other ?? shown?.game.base ?? "cruel";
  const changed = isOther || !shown ? "" : new URL(shown.address, location.origin).search;
  openDialog({
    name: "rules",
    title: text("rules"),
    wide: true,
    build(body, close, heading) {
      const load = async () => {
        const address = `/api/games/${encodeURIComponent(base)}/rules`;
        // The defaults of the game; the sheet that is shown is that of the variant on the table.
        const plain = await fetchJson(address);
        return { plain, sheet: changed ? await fetchJson(address + changed) : plain };
      };
      fillLater(body, load, ({ plain, sheet }) => {
        heading.textContent = text("rules.title", { game: sheet.title });
        body.append(el("p", { class: "lead" }, sheet.summary), ...sections(sheet));
        body.append(variantForm(app, base, plain.rules, sheet.rules, isOther, close));
      });
    },
  });
}

function sections(sheet) {
  return sheet.sections
    .filter((section) => section.key !== "options" && section.sentences.length)
    .map((section) =>
      el(
        "section",
        { class: "sheet-section", "data-section": section.key },
        el("h3", {}, section.heading),
        el("ul", {}, section.sentences.map((sentence) => el("li", {}, sentence))),
      ),
    );
}

// One field for each rule. Which values there are, the server says; whether they fit together, too.
function variantForm(app, base, defaults, rules, isOther, close) {
  const usual = new Map(defaults.map((rule) => [rule.key, rule.value]));
  const fields = rules.map((rule) => ruleField(rule, usual.get(rule.key)));
  const first = fields[0].control;
  const problem = problemLine(first);
  const open = async (keepsDeal) => {
    const query = new URLSearchParams();
    for (const { control, key } of fields) {
      const value = control.value.trim();
      if (value !== usual.get(key)) query.set(key, value);
    }
    const { shown } = app.desk;
    const deal = keepsDeal && shown?.deal ? `/${shown.deal}` : "";
    const changes = query.toString();
    const answer = await app.desk.open(`/${base}${deal}${changes && `?${changes}`}`);
    if (answer && answer.type !== "table") problem.show(answer.text);
    else close();
  };
  const form = el(
    "form",
    { class: "variant", "data-form": "variant" },
    el("p", { class: "quiet" }, text("variant.words")),
    el("div", { class: "rule-fields" }, fields.map((field) => field.row)),
    problem.line,
    el(
      "div",
      { class: "button-row" },
      button(text("variant.open"), { type: "submit", class: "button main" }),
      !isOther && app.desk.shown?.deal ? button(text("variant.open.deal"), { onclick: () => open(true) }) : null,
      button(text("variant.reset"), { onclick: () => fields.forEach(({ control, key }) => (control.value = usual.get(key))) }),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(false);
  });
  form.addEventListener("input", () => problem.clear());
  return el("details", { class: "variant-details" }, el("summary", {}, text("variant.title")), form);
}

function ruleField(rule, usual) {
  const id = `rule-${rule.key.replace(/\W/g, "-")}`;
  const choices = rule.choices ?? choicesOf(rule.expected);
  let control;
  if (choices) {
    control = el("select", { id, name: rule.key }, choices.map((choice) => el("option", { value: choice }, valueName(choice))));
  } else {
    control = el("input", { id, name: rule.key, autocomplete: "off", spellcheck: "false", maxlength: 200, "aria-describedby": `${id}-expected` });
  }
  control.value = rule.value;
  const isChanged = usual !== undefined && rule.value !== usual;
  return {
    key: rule.key,
    control,
    row: el(
      "div",
      { class: isChanged ? "rule-field changed" : "rule-field" },
      el("label", { for: id, title: rule.key }, text(`rule.${rule.key}`)),
      control,
      choices ? null : el("p", { class: "quiet", id: `${id}-expected` }, rule.expected),
    ),
  };
}

function valueName(value) {
  return value === "true" || value === "false" ? text(`rule.${value}`) : value;
}

// The values of a rule that has only a few, from the words "a, b or c"; null for numbers and free texts.
function choicesOf(expected) {
  const words = expected.split(/, | or /);
  return words.length > 1 && words.every((word) => /^[\w-]+$/.test(word)) ? words : null;
}
