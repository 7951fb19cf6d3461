// The page's side of the game on the table: what the server last said about it, and the ways to ask for something.
//
// Everyone else listens here: "table" (a confirmed table), "opened" (a table of another game or address), "light",
// "solver", "kept", "refused", "dropped", "connection". Nobody else talks to the connection.

import { Changes } from "./changes.js";
import { Connection, Lost } from "./connection.js";

// The address of a stored game of the player, whatever it began with.
export function keyAddress({ address, key }) {
  return `${address.split(/[?/]/, 2).join("/")}/board/${key}`;
}

export class Desk extends EventTarget {
  constructor(options) {
    super();
    this.options = options;
    this.shown = null;
    this.light = null;
    // The address that is open, or that is to be opened as soon as there is a connection.
    this.address = location.pathname + location.search;
    this.opening = null;
    this.isUp = false;
    // The solver's win of the game on the table, asked for once: {key, answer} with a promise.
    this.win = null;
    this.connection = new Connection({
      up: () => this.up(),
      down: (code, failures) => this.down(code, failures),
      message: (message) => this.hear(message),
    });
    this.changes = new Changes((message) => this.connection.ask(message), () => options.values.safe, {
      confirmed: (shown) => this.show(shown),
      refused: (message, answer) => this.emit("refused", { message, answer }),
      dropped: (messages) => this.emit("dropped", { messages }),
    });
    addEventListener("popstate", () => this.open(location.pathname + location.search, { push: false }));
    document.addEventListener("visibilitychange", () => this.tellClock());
    options.onChange(() => this.tellAssist());
  }

  start() {
    this.connection.start();
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  on(type, listener) {
    this.addEventListener(type, (event) => listener(event.detail));
  }

  // Asks for a change of the game; promises the answer, or null when it was dropped.
  change(message) {
    return this.changes.add(message);
  }

  // Asks for anything else; promises the answer, or null when the connection was lost on the way.
  async ask(message, { slow = true } = {}) {
    try {
      return await this.connection.ask(message, { slow });
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.emit("connection", { isUp: false, isNews: true });
      return null;
    }
  }

  // Asks for the solver's win of the game on the table; whoever asks while it is looked for waits for the same answer.
  askWin() {
    const { key } = this.shown;
    if (this.win?.key === key) return this.win.answer;
    const win = { key, answer: this.ask({ type: "replay", what: "win" }) };
    this.win = win;
    win.answer.then((answer) => {
      if (answer?.type === "replay") this.emit("win-found", { key, replay: answer });
      else if (this.win === win) this.win = null;
    });
    return win.answer;
  }

  // Opens an address; the promise has the answer, or null when it will be opened once there is a connection.
  async open(address, { again = false, push = true } = {}) {
    if (!this.isUp) {
      this.address = address;
      this.opening = { address, again, push };
      return null;
    }
    this.changes.hold();
    const opening = { address, again, push };
    this.opening = opening;
    const answer = await this.ask({ type: "open", address, again });
    if (answer === null || this.opening !== opening) return answer;
    this.opening = null;
    this.take(answer, { push });
    return answer;
  }

  // Takes the answer to an `open` or a `paste`: a table of its own, or why there is none.
  take(answer, { push }) {
    if (answer.type !== "table") {
      this.changes.isHeld = this.shown === null;
      this.changes.pump();
      return;
    }
    this.name(answer.address, push);
    const isSame = this.shown !== null && this.shown.key === answer.key;
    if (!isSame) this.changes.drop();
    this.changes.resume(answer);
    if (!isSame) this.emit("opened", answer);
  }

  // Puts the address of the table into the address line.
  name(address, push) {
    this.address = address;
    if (address === location.pathname + location.search) return;
    if (push && this.shown) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  async up() {
    this.isUp = true;
    this.tellAssist();
    this.tellClock();
    const { again = false, push = false } = this.opening ?? {};
    // The very game that was on the table, though the deal may have been begun again elsewhere since.
    let answer = null;
    if (this.shown && !this.opening) answer = await this.open(keyAddress(this.shown), { push });
    if (answer?.type !== "table" && this.isUp) answer = await this.open(this.address, { again, push });
    if (answer) this.emit("connection", { isUp: true });
    if (answer && answer.type !== "table") this.emit("refused", { message: { type: "open" }, answer });
  }

  down(code, failures) {
    this.isUp = false;
    this.changes.hold();
    this.emit("connection", { isUp: false, code, failures });
  }

  hear(message) {
    if (message.type === "table") {
      if (this.shown && message.key !== this.shown.key) return;
      this.changes.follow(message);
    } else if (message.type === "light") this.judge(message);
    // The server takes the connection and says at once why it will not keep it.
    else if (message.type === "refused") this.emit("turned-away", message);
    else this.emit(message.type, message);
  }

  show(shown) {
    const isOther = !this.light || !this.shown || this.shown.key !== shown.key || this.light.made !== shown.made;
    this.shown = shown;
    if (isOther) this.light = null;
    this.emit("table", shown);
    if (this.early && this.early.made === shown.made) this.judge(this.early);
    this.early = null;
  }

  // Takes a verdict. One that comes before its table waits for it; any other that is not of this table is old.
  judge(message) {
    if (!this.shown || message.made !== this.shown.made) {
      this.early = message;
      return;
    }
    this.light = message;
    this.emit("light", message);
  }

  tellAssist() {
    const { light, safe } = this.options.values;
    if (this.isUp) this.ask({ type: "assist", light, safe });
  }

  // Time runs while the player looks. The answer also shows that the connection is alive after a long sleep.
  tellClock() {
    if (this.isUp) this.ask({ type: "clock", running: !document.hidden }, { slow: document.hidden });
  }
}
