// Small tools to make elements. Everything is set as text or attribute, never as HTML, so nothing can be injected.

import { text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

// Makes an element: `on…` functions listen, `false` and `null` are left out, `true` is an empty attribute.
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for a drawing.
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// One of the icons of index.html. An icon is never alone: its button has words or a label.
export function icon(name) {
  return svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: `#i-${name}` }));
}

// A button with an icon and words.
export function button(label, attributes = {}, iconName = null) {
  const parts = [iconName && icon(iconName), el("span", { class: "words" }, label)];
  return el("button", { type: "button", class: "button", ...attributes }, ...parts);
}

// A button that shows an icon only; the label is for those who listen, and a tooltip.
export function iconButton(label, iconName, attributes = {}) {
  const shown = { type: "button", class: "button square", "aria-label": label, title: label, ...attributes };
  return el("button", shown, icon(iconName));
}

// Gives the elements of the page that carry a key their words.
export function fillTexts(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) {
    const label = text(element.dataset.label);
    element.setAttribute("aria-label", label);
    if (element.tagName === "BUTTON") element.title = label;
  }
}

// A time of so many seconds as a clock shows it: 7:05, 1:02:03.
export function clockTime(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  const hours = Math.floor(whole / 3600);
  if (hours) parts.unshift(hours);
  return parts.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}
