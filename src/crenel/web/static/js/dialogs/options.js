// The options: each one takes effect at once and is kept in this browser.

import { button, el } from "../dom.js";
import { DEFAULTS, SIZES } from "../options.js";
import { text } from "../texts.js";
import { openDialog } from "./dialog.js";

const GROUPS = [
  ["look", [choice("theme", ["auto", "light", "dark"]), choice("deck", ["two", "four"]), check("contrast"), size(), check("mirror")]],
  ["feel", [choice("animation", ["full", "brief", "none"]), check("safe"), check("clock")]],
  ["know", [check("light"), check("winnable")]],
];

export function openOptions(app) {
  openDialog({
    name: "options",
    title: text("options"),
    build(body) {
      const draw = () => {
        const groups = GROUPS.map(([name, makers]) =>
          el(
            "section",
            { "aria-label": text(`options.${name}`) },
            el("h3", {}, text(`options.${name}`)),
            makers.map((make) => make(app.options)),
          ),
        );
        const reset = () => {
          app.options.reset();
          draw();
          body.querySelector('[data-action="reset-options"]').focus();
        };
        const isStill = app.options.still.matches && !app.options.choseAnimation;
        body.replaceChildren(
          ...groups,
          el("p", { class: "quiet", hidden: !isStill }, text("options.still")),
          button(text("options.reset"), { "data-action": "reset-options", onclick: reset }),
        );
      };
      draw();
    },
  });
}

// One of a few values, as buttons of which one is pressed in.
function choice(name, values) {
  return (options) => {
    const items = values.map((value) => {
      const id = `option-${name}-${value}`;
      const current = name === "animation" ? options.animation : options.values[name];
      const input = el("input", { type: "radio", id, name: `option-${name}`, value, checked: current === value });
      input.addEventListener("change", () => options.set({ [name]: value }));
      return [input, el("label", { for: id }, text(`option.${name}.${value}`))];
    });
    return el("fieldset", { class: "choices" }, el("legend", {}, text(`option.${name}`)), el("div", { class: "segments" }, items));
  };
}

function check(name) {
  return (options) => {
    const id = `option-${name}`;
    const input = el("input", { type: "checkbox", id, checked: options.values[name], "aria-describedby": `${id}-words` });
    input.addEventListener("change", () => options.set({ [name]: input.checked }));
    return el(
      "div",
      { class: "check" },
      input,
      el("label", { for: id }, text(`option.${name}`)),
      el("p", { class: "quiet", id: `${id}-words` }, text(`option.${name}.words`)),
    );
  };
}

function size() {
  return (options) => {
    const shown = el("output", { for: "option-size" }, text("option.size.value", { size: options.values.size }));
    const { least, most, step } = SIZES;
    const input = el("input", { type: "range", id: "option-size", min: least, max: most, step, list: "option-sizes" });
    input.value = options.values.size;
    input.addEventListener("input", () => {
      const value = Number(input.value);
      shown.value = text("option.size.value", { size: value });
      options.set({ size: value });
    });
    const usual = el("datalist", { id: "option-sizes" }, el("option", { value: DEFAULTS.size }));
    return el("div", { class: "slider" }, el("label", { for: "option-size" }, text("option.size")), input, shown, usual);
  };
}
