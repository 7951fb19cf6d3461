// What all dialogs share: the native element, a heading, a way out, and the focus back to where it came from.

import { el, iconButton } from "../dom.js";
import { moveRegions } from "../live-region.js";
import { text } from "../texts.js";

let count = 0;

// Opens a modal dialog and returns it. `build(body, close)` puts the content in; a dialog that is open already by
// that name is brought back instead.
export function openDialog({ name, title, build, wide = false, closed = null }) {
  const existing = document.querySelector(`dialog[data-dialog="${name}"]`);
  if (existing) {
    existing.querySelector("h2").focus();
    return existing;
  }
  count += 1;
  const heading = el("h2", { id: `dialog-title-${count}`, tabindex: "-1" }, title);
  const body = el("div", { class: "dialog-body" });
  const close = () => dialog.close();
  const dialog = el(
    "dialog",
    { "data-dialog": name, "aria-labelledby": heading.id, class: wide ? "wide" : null },
    el("header", { class: "dialog-head" }, heading, iconButton(text("close"), "close", { "data-action": "close", onclick: close })),
    body,
  );
  const opener = document.activeElement;
  dialog.addEventListener("close", () => leave(dialog, opener, closed));
  // A press on the backdrop closes; one that began inside, such as selecting text, does not.
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target === dialog && isOutside(dialog, event)) dialog.addEventListener("click", close, { once: true });
  });
  document.body.append(dialog);
  build(body, close, heading);
  // Whoever has no pointer scrolls a text by its own focus.
  if (!body.querySelector("button, input, select, textarea, a, summary, [tabindex]")) body.tabIndex = 0;
  dialog.showModal();
  moveRegions(dialog);
  (dialog.querySelector("[autofocus]") ?? heading).focus();
  return dialog;
}

function isOutside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

function leave(dialog, opener, closed) {
  const below = [...document.querySelectorAll("dialog[open]")].filter((other) => other !== dialog && other.matches(":modal"));
  moveRegions(below.at(-1) ?? null);
  dialog.remove();
  closed?.();
  const isThere = opener?.isConnected && opener !== document.body && !opener.closest("[hidden]");
  if (isThere) opener.focus();
  else if (!below.length) document.getElementById("table").focus();
}

export function isDialogOpen() {
  return [...document.querySelectorAll("dialog[open]")].some((dialog) => dialog.matches(":modal"));
}

export function closeDialogs() {
  for (const dialog of [...document.querySelectorAll("dialog[open]")].reverse()) dialog.close();
}

// A place for what a form has to complain about, beside the field that it belongs to.
export function problemLine(field) {
  count += 1;
  const line = el("p", { class: "problem", id: `problem-${count}`, hidden: true });
  return {
    line,
    show(sentence) {
      line.textContent = sentence;
      line.hidden = false;
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", line.id);
      field.focus();
    },
    clear() {
      line.hidden = true;
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    },
  };
}

// Fetches JSON of the server. Fails with a sentence that can be shown.
export async function fetchJson(address) {
  let response;
  try {
    response = await fetch(address, { headers: { accept: "application/json" } });
  } catch {
    throw new Error(text("fetch.failed"));
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw new Error(typeof answer?.detail === "string" ? answer.detail : text("fetch.failed"));
}

// Fills a place with what `load` fetches and `draw` makes of it: a line while it waits, a sentence when it fails.
export async function fillLater(place, load, draw) {
  place.replaceChildren(el("p", { class: "quiet" }, text("loading")));
  place.setAttribute("aria-busy", "true");
  try {
    const answer = await load();
    place.replaceChildren();
    draw(answer);
  } catch (problem) {
    place.replaceChildren(el("p", { class: "problem", role: "status" }, problem.message));
  } finally {
    place.removeAttribute("aria-busy");
  }
}
