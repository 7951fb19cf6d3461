// The player's options: kept in this browser, put on <html> for the style sheets, and told to whoever asks.

const KEY = "crenel.options";

export const DEFAULTS = Object.freeze({
  deck: "two",
  contrast: false,
  theme: "auto",
  animation: "full",
  mirror: false,
  light: true,
  safe: false,
  size: 100,
  clock: false,
  winnable: false,
});

const CHOICES = {
  deck: ["two", "four"],
  theme: ["auto", "light", "dark"],
  animation: ["full", "brief", "none"],
};
export const SIZES = { least: 75, most: 200, step: 5 };

// Whether a value that was read may stand for an option; an entry of an older or a damaged page may hold anything.
function isFit(name, value) {
  if (name in CHOICES) return CHOICES[name].includes(value);
  if (name === "size") return Number.isFinite(value) && value >= SIZES.least && value <= SIZES.most;
  return typeof value === "boolean";
}

export class Options {
  constructor() {
    this.values = { ...DEFAULTS };
    this.listeners = [];
    // Whether the player chose an animation: only then does it beat the wish of the system for less motion.
    this.choseAnimation = false;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.read();
    this.apply();
    for (const query of [this.dark, this.still]) query.addEventListener("change", () => this.changed());
    // Another tab of the same browser changed them.
    addEventListener("storage", (event) => {
      if (event.key !== KEY) return;
      this.read();
      this.changed();
    });
  }

  read() {
    let stored = null;
    try {
      stored = JSON.parse(localStorage.getItem(KEY));
    } catch {
      // A private window or a damaged entry: the defaults will do.
    }
    if (stored === null || typeof stored !== "object") return;
    for (const name of Object.keys(DEFAULTS)) {
      if (isFit(name, stored[name])) this.values[name] = stored[name];
    }
    this.choseAnimation = stored.choseAnimation === true;
  }

  // Changes some options, keeps them, and tells everyone.
  set(change) {
    if ("animation" in change) this.choseAnimation = true;
    this.keep(change);
  }

  reset() {
    this.choseAnimation = false;
    this.keep(DEFAULTS);
  }

  keep(change) {
    Object.assign(this.values, change);
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...this.values, choseAnimation: this.choseAnimation }));
    } catch {
      // They hold for this visit at least.
    }
    this.changed();
  }

  // The options as the table takes them: with the animation that holds now.
  forTable() {
    return { ...this.values, animation: this.animation };
  }

  get animation() {
    return this.still.matches && !this.choseAnimation ? "none" : this.values.animation;
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    this.apply();
    for (const listener of this.listeners) listener(this.values);
  }

  apply() {
    const { values } = this;
    const root = document.documentElement;
    const isDark = values.theme === "auto" ? this.dark.matches : values.theme === "dark";
    root.dataset.theme = values.theme;
    root.dataset.scheme = isDark ? "dark" : "light";
    root.dataset.contrast = values.contrast ? "high" : "normal";
    root.dataset.deck = values.deck;
    root.dataset.animation = this.animation;
  }
}
