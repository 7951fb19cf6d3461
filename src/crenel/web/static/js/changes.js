// The line of changes that the player asked for and the server has not yet confirmed: moves, undo, redo and the like.
//
// Quick players are ahead of the server. Each move names how many moves were made on the table it is meant for, so
// that it can neither be made twice nor on another table. When one is refused, those behind it are dropped with it.

import { Lost } from "./connection.js";

// How many moves more are made after a change, where that is known beforehand.
function step(message) {
  if (message.type === "move") return 1;
  if (message.type === "undo") return -(message.count ?? 1);
  if (message.type === "redo") return message.count ?? 1;
  return null;
}

function isSameTable(one, other) {
  const facts = (shown) => JSON.stringify([shown.key, shown.made, shown.undone, shown.last, shown.layout]);
  return facts(one) === facts(other);
}

export class Changes {
  // ask(message) promises an answer; isSerial() tells whether a move waits for the answer to the one before it;
  // handlers: confirmed(shown), refused(message, answer), dropped(messages).
  constructor(ask, isSerial, handlers) {
    this.ask = ask;
    this.isSerial = isSerial;
    this.handlers = handlers;
    this.confirmed = null;
    this.waiting = [];
    // While the connection is down, or the address is not yet open again, nothing is sent.
    this.isHeld = true;
  }

  get isEmpty() {
    return this.waiting.length === 0;
  }

  // Puts a change in the line; the promise has the answer, or null when the change was dropped.
  add(message) {
    return new Promise((resolve) => {
      this.waiting.push({ message, resolve, isSent: false });
      this.pump();
    });
  }

  // Sends what may be sent now: moves right behind moves, everything else when nothing is before it.
  pump() {
    if (this.isHeld || !this.confirmed) return;
    for (const [index, change] of this.waiting.entries()) {
      const isMove = change.message.type === "move";
      if (index > 0 && (!isMove || this.isSerial() || this.waiting[index - 1].message.type !== "move")) return;
      if (!change.isSent) this.send(change, this.confirmed.made + index);
    }
  }

  async send(change, made) {
    change.isSent = true;
    const message = change.message.type === "move" ? { ...change.message, made } : change.message;
    let answer;
    try {
      answer = await this.ask(message);
    } catch (error) {
      if (error instanceof Lost) return;
      throw error;
    }
    // Dropped in the meantime: the server refuses it too, for it was meant for another number of moves.
    if (this.waiting[0] !== change) return;
    this.waiting.shift();
    if (answer.type === "table") this.follow(answer);
    else {
      this.drop();
      this.handlers.refused(change.message, answer);
    }
    change.resolve(answer);
    this.pump();
  }

  // Takes a confirmed table. When it holds more than the one change, as safe moves do that follow a move by
  // themselves, the moves behind it were meant for another table.
  follow(shown) {
    const before = this.confirmed;
    this.confirmed = shown;
    const isSurprise = before && this.waiting.length && (shown.key !== before.key || shown.change.moves.length > 1);
    if (isSurprise) this.drop();
    this.handlers.confirmed(shown);
  }

  drop() {
    const dropped = this.waiting.splice(0);
    for (const change of dropped) change.resolve(null);
    if (dropped.length) this.handlers.dropped(dropped.map((change) => change.message));
  }

  // The connection broke.
  hold() {
    this.isHeld = true;
  }

  // The table as the server has it after a break. What it already holds is done; the rest is asked again when the
  // table is the one that it was meant for, and dropped otherwise.
  resume(shown) {
    const { confirmed, waiting } = this;
    this.isHeld = false;
    this.confirmed = shown;
    const done = confirmed ? this.doneBefore(confirmed, shown) : 0;
    if (done === null) this.drop();
    else {
      for (const change of waiting.splice(0, done)) change.resolve(shown);
      for (const change of waiting) change.isSent = false;
    }
    this.handlers.confirmed(shown);
    this.pump();
  }

  // How many of the changes in the line the server had made before the break, or null when something else happened.
  doneBefore(confirmed, shown) {
    if (shown.key !== confirmed.key) return null;
    if (isSameTable(confirmed, shown)) return 0;
    let made = confirmed.made;
    for (const [index, { message, isSent }] of this.waiting.entries()) {
      const by = step(message);
      if (!isSent || by === null) return null;
      made += by;
      const isThere = made === shown.made && (message.type !== "move" || shown.last === message.move);
      if (isThere) return index + 1;
    }
    return null;
  }
}
