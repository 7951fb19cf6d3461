// The keyboard of the table: arrows go from place to place as they lie, Enter and Space press, figures name piles,
// letters stand for the redeal, the preview, home and blockers. Keys of the browser and of assistive tools are let be.

const TWO_FIGURES = 700; // milliseconds in which a second figure belongs to the first
const HOLD = 250; // milliseconds after which a held R is a look, not a redeal
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Keys {
  /** @param {import("./table.js").TableView} view */
  constructor(view) {
    this.view = view;
    /** @type {{figure: number, timer: number}|null} A figure that may become a number of two. */
    this.figure = null;
    /** @type {{timer: number, isLook: boolean}|null} */
    this.hold = null;
  }

  /** Whether a key is meant for the table: nothing is being written, and no dialog is open. */
  isOurs(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
    if (!this.view.layout || document.querySelector("dialog[open]")) return false;
    return !event.target.closest?.("input, textarea, select, [contenteditable], [role=menu], [role=listbox]");
  }

  isInside(event) {
    const { target } = event;
    return target === document.body || this.view.root.contains(target);
  }

  down(event) {
    if (!this.isOurs(event)) return;
    const { key } = event;
    const isPress = key === "Enter" || key === " ";
    if (isPress && this.view.places.at(event.target)) {
      event.preventDefault();
      if (!event.repeat) this.pressCurrent();
      return;
    }
    if (key in DIRECTIONS || key === "Home" || key === "End") {
      if (this.isInside(event) && !event.shiftKey) this.go(event);
      return;
    }
    if (this.take(event)) event.preventDefault();
  }

  /** @returns {boolean} Whether the key was taken. */
  take(event) {
    const { view } = this;
    const { picking } = view;
    const figure = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    if (figure && isFigure(event)) return event.repeat || this.takeFigure(Number(figure[1]), event.shiftKey);
    const letter = letterOf(event);
    if (letter === "r" && !event.shiftKey) return this.pressR(event);
    if (event.key === "Escape") return this.escape();
    if (event.repeat) return false;
    this.flush();
    if (event.key === "+" || event.key === "-") {
      if (!picking.held && view.line.isEmpty) return false;
      view.line.add(() => picking.change(event.key === "+" ? 1 : -1));
      return true;
    }
    if (event.shiftKey) return false;
    if (letter === "h" || letter === "f") {
      view.line.add(() => this.home());
      return true;
    }
    if (letter === "v" && view.game.has_redeal) {
      view.handlers.preview?.(view.preview === null);
      return true;
    }
    if (letter === "b") {
      view.line.add(() => this.blockers());
      return true;
    }
    return false;
  }

  escape() {
    this.dropFigure();
    if (this.view.cancelDrag?.()) return true;
    if (!this.view.line.isEmpty) {
      this.view.line.add(() => this.putBack());
      return true;
    }
    return this.putBack();
  }

  putBack() {
    if (this.view.picking.held) {
      this.view.picking.cancel();
      return true;
    }
    if (this.view.chain) {
      this.view.handlers.askBlockers?.(null);
      return true;
    }
    return false;
  }

  /** The pile at which the player is: what is held, or what has the focus. */
  get pile() {
    const { held } = this.view.picking;
    return held ? held.source : this.view.places.current?.pile;
  }

  home() {
    const { pile } = this;
    if (pile) this.view.picking.home(pile);
  }

  blockers() {
    const { current } = this.view.places;
    const suit = current?.suit ?? (current?.pile && this.view.layout.piles[current.pile - 1].cards.at(-1)?.[1]);
    if (suit) this.view.handlers.askBlockers?.(suit);
  }

  /** Presses the place that has the focus. */
  pressCurrent() {
    // Right after a figure it says that no second one comes.
    if (this.figure) {
      this.flush();
      return;
    }
    const time = performance.now();
    this.view.line.add(() => this.view.pressPlace(this.view.places.current, time));
  }

  // R: short for the redeal, long for a look at it

  pressR(event) {
    if (event.repeat) return this.hold !== null;
    this.flush();
    const look = () => {
      if (!this.hold || !this.view.game.has_redeal) return;
      this.hold.isLook = true;
      this.view.handlers.preview?.(true);
    };
    this.endHold();
    this.hold = { timer: setTimeout(look, HOLD), isLook: false };
    return true;
  }

  up(event) {
    // Some browsers press a button when Space is let go, though it has been taken when it was pressed.
    if (event.key === " " && this.view.places.at(event.target)) event.preventDefault();
    if (letterOf(event) !== "r" || !this.hold) return;
    const { isLook } = this.hold;
    this.endHold();
    if (!isLook) this.view.line.add(() => this.view.sendRedeal());
    event.preventDefault();
  }

  endHold() {
    if (!this.hold) return;
    clearTimeout(this.hold.timer);
    if (this.hold.isLook) this.view.handlers.preview?.(false);
    this.hold = null;
  }

  // Figures

  /** Takes a figure: 0 is ten, with Shift ten more; a 1 waits a moment for a second figure where there are ten piles. */
  takeFigure(figure, isShifted) {
    const count = this.view.layout.piles.length;
    if (isShifted) {
      this.dropFigure();
      return this.press(10 + figure);
    }
    if (this.figure) {
      const two = this.figure.figure * 10 + figure;
      if (two <= count) {
        this.dropFigure();
        return this.press(two);
      }
      this.flush();
    }
    if (figure > 0 && figure * 10 <= count) {
      const place = this.view.places.pile(figure);
      if (place && this.view.line.isEmpty) this.view.places.focus(place);
      this.figure = { figure, timer: setTimeout(() => this.flush(), TWO_FIGURES) };
      return true;
    }
    return this.press(figure === 0 ? 10 : figure);
  }

  dropFigure() {
    if (this.figure) clearTimeout(this.figure.timer);
    this.figure = null;
  }

  /** A figure that waits for a second one is meant alone after all. */
  flush() {
    const waiting = this.figure;
    this.dropFigure();
    if (waiting) this.press(waiting.figure);
  }

  press(pile) {
    const place = this.view.places.pile(pile);
    if (!place) return false;
    const time = performance.now();
    this.view.line.add(() => {
      this.view.places.focus(place);
      this.view.picking.first = null;
      this.view.picking.pressPile(pile, 1, time);
    });
    return true;
  }

  // Arrows

  /** The focus follows an arrow key at once, unless other keys wait that come before. */
  go(event) {
    event.preventDefault();
    this.flush();
    if (this.view.line.isEmpty) this.walk(event.key);
    else this.view.line.add(() => this.walk(event.key));
  }

  walk(key) {
    const { places } = this.view;
    const shown = places.all.filter((place) => !place.element.hidden && place.centre);
    let next = null;
    if (key === "Home") next = shown[0];
    else if (key === "End") next = shown.at(-1);
    else next = neighbour(places.current, shown, DIRECTIONS[key]);
    if (!this.view.root.contains(document.activeElement) || document.activeElement === this.view.root) next ??= places.current;
    if (!next) return;
    places.focus(next);
    const target = next.pile ?? (next.suit ? "foundation" : null);
    if (this.view.picking.held) this.view.picking.consider(target === null ? null : this.view.picking.legalTo(target));
  }
}

/** The next place in a direction: the nearest that lies rather straight ahead, else the nearest at all on that side. */
function neighbour(from, places, [dx, dy]) {
  for (const widest of [0.8, 2.6]) {
    let best = null;
    let least = Infinity;
    for (const place of places) {
      if (place === from) continue;
      const x = place.centre.x - from.centre.x;
      const y = place.centre.y - from.centre.y;
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 4 || aside > ahead * widest + 8) continue;
      const cost = ahead + aside * 1.8;
      if (cost < least) [best, least] = [place, cost];
    }
    if (best) return best;
  }
  return null;
}

/** Whether a key that stands where figures are names one: on some layouts they need Shift, which then is no sign. */
function isFigure(event) {
  return event.code.startsWith("Numpad") ? /^\d$/.test(event.key) : true;
}

/** The letter of a key; where the layout has other letters, the one that stands there on a Latin keyboard. */
function letterOf(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  const isOtherScript = event.key.length === 1 && event.key > "\u007f";
  return isOtherScript && event.code.startsWith("Key") ? event.code.slice(3).toLowerCase() : "";
}

/**
 * Listens to the keyboard for a table.
 * @param {import("./table.js").TableView} view
 * @returns {() => void} Ends it.
 */
export function attachKeys(view) {
  const keys = new Keys(view);
  const end = new AbortController();
  const { signal } = end;
  document.addEventListener("keydown", (event) => keys.down(event), { signal });
  document.addEventListener("keyup", (event) => keys.up(event), { signal });
  window.addEventListener("blur", () => keys.endHold(), { signal });
  view.root.addEventListener("focus", (event) => event.target === view.root && view.places.focus(), { signal });
  view.root.addEventListener("focusin", (event) => {
    const place = view.places.at(event.target);
    if (place) view.places.setCurrent(place);
  }, { signal });
  return () => {
    keys.endHold();
    end.abort();
  };
}
