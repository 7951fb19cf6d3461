// What the player does while the answer to a move is on the way: it waits in a line and is done in its order, each
// thing when the table is there that it was meant for. When another table comes, all that waits is dropped.

export class Line {
  /** @param {() => boolean} isBehind Whether the table still lacks an answer. */
  constructor(isBehind) {
    this.isBehind = isBehind;
    /** @type {{act: () => void, drop: (() => void)|null}[]} */
    this.waiting = [];
    this.isRunning = false;
  }

  get isEmpty() {
    return this.waiting.length === 0;
  }

  /**
   * Does something in its turn: at once when nothing is on the way.
   * @param {() => void} act
   * @param {() => void} [drop] What is to be done when it is dropped.
   */
  add(act, drop = null) {
    // What belongs to something that is being done has its turn with it.
    if (this.isRunning) {
      act();
      return;
    }
    this.waiting.push({ act, drop });
    this.run();
  }

  /** Does what waits, as far as the table is there for it. */
  run() {
    if (this.isRunning) return;
    while (!this.isEmpty && !this.isBehind()) {
      const { act } = this.waiting.shift();
      this.isRunning = true;
      try {
        act();
      } finally {
        this.isRunning = false;
      }
    }
  }

  clear() {
    for (const { drop } of this.waiting.splice(0)) drop?.();
  }
}
