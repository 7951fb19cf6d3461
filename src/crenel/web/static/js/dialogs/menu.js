// The menu: all that the bars have no room for.

import { button, el } from "../dom.js";
import { text } from "../texts.js";
import { openDialog } from "./dialog.js";

const ITEMS = [
  ["games", "search"],
  ["deal", "dice"],
  ["rules", "rules"],
  ["statistics", "chart"],
  ["played", "clock"],
  ["replay", "play"],
  ["moves", "list"],
  ["copy-game", "copy"],
  ["copy-address", "link"],
  ["paste", "paste"],
  ["options", "options"],
  ["keys", "keys"],
];

export function openMenu(app) {
  openDialog({
    name: "menu",
    title: text("menu.title"),
    build(body, close) {
      const items = ITEMS.map(([action, icon]) => {
        const press = () => {
          close();
          app.act(action);
        };
        const shown = { class: "button row", "data-action": action, onclick: press };
        return el("li", {}, button(text(`menu.${action}`), shown, icon));
      });
      body.append(el("ul", { class: "menu two" }, items));
    },
  });
}
