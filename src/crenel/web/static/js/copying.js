// Copying: to the clipboard where the browser allows it, else by a field from which the player copies by hand.

import { openDialog } from "./dialogs/dialog.js";
import { el } from "./dom.js";
import { say } from "./live-region.js";
import { text } from "./texts.js";

// Copies; says so by `tell(sentence)`, which is a line of the page, or of a dialog.
export async function copy(words, done, tell = say) {
  try {
    await navigator.clipboard.writeText(words);
    tell(done);
  } catch {
    showText(words);
  }
}

function showText(words) {
  openDialog({
    name: "copy",
    title: text("copy.title"),
    build(body) {
      const label = el("label", { for: "copy-text" }, text("copy.by-hand"));
      const field = el("textarea", { id: "copy-text", rows: 10, readonly: true, autofocus: true, spellcheck: "false" });
      field.value = words;
      field.addEventListener("focus", () => field.select());
      body.append(label, field);
    },
  });
}
