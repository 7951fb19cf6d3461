// Pasting a board, a record or a list of moves. What is wrong is said beside the field, and the text stays.

import { button, el } from "../dom.js";
import { openReplay } from "../replay.js";
import { text } from "../texts.js";
import { openDialog, problemLine } from "./dialog.js";

// The text that was being entered, kept while the page is open.
let draft = "";

export function openPaste(app) {
  const { desk } = app;
  openDialog({
    name: "paste",
    title: text("paste.title"),
    wide: true,
    build(body, close) {
      const field = el("textarea", {
        id: "paste-text",
        rows: 14,
        autofocus: true,
        spellcheck: "false",
        autocapitalize: "off",
        placeholder: text("paste.example"),
      });
      field.value = draft;
      field.addEventListener("input", () => {
        draft = field.value;
        problem.clear();
      });
      const problem = problemLine(field);
      const submit = async () => {
        if (!field.value.trim()) {
          problem.show(text("paste.empty"));
          return;
        }
        const answer = await desk.ask({ type: "paste", text: field.value, address: desk.address });
        if (!answer) problem.show(text("connection.lost"));
        else if (answer.type === "table") {
          close();
          draft = "";
          desk.take(answer, { push: true });
        } else if (answer.type === "replay") {
          close();
          openReplay(app, answer);
        } else problem.show(answer.text);
      };
      const form = el(
        "form",
        { "data-form": "paste" },
        el("label", { for: "paste-text" }, text("paste.label", { game: desk.shown?.game.title ?? "" })),
        field,
        problem.line,
        el("div", { class: "button-row" }, button(text("paste.read"), { type: "submit", class: "button main" })),
      );
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        submit();
      });
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
      });
      body.append(el("p", { class: "quiet" }, text("paste.words")), form);
    },
  });
}
