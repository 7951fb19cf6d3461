// The websocket: a question gets a promise of its answer, and a lost connection is taken up again by itself.
//
// What was asked on a connection that broke fails with Lost; js/changes.js knows which of it may be asked again.

const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 10_000;
// A connection that does not answer a short question for so long is dead, whatever the browser says.
const PATIENCE = 8_000;

// Why a question has no answer: the connection went away.
export class Lost extends Error {}

export class Connection {
  // handlers: up() when a connection stands, down() when it broke, message(message) for what comes unasked.
  constructor(handlers) {
    this.handlers = handlers;
    this.socket = null;
    this.questions = new Map();
    this.seq = 0;
    this.failures = 0;
    this.timer = null;
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  get isUp() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  start() {
    clearTimeout(this.timer);
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/live`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.handlers.up();
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.receive(event.data));
    socket.addEventListener("close", (event) => socket === this.socket && this.lose(event));
  }

  // Tries at once instead of after the wait, for the network or the player is back.
  hurry() {
    if (this.timer !== null) this.start();
  }

  lose(event) {
    this.socket = null;
    const questions = [...this.questions.values()];
    this.questions.clear();
    for (const question of questions) {
      clearTimeout(question.timer);
      question.reject(new Lost());
    }
    this.handlers.down(event.code, this.failures);
    const wait = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** this.failures);
    this.failures += 1;
    // Not all browsers at the same moment when a server comes back.
    this.timer = setTimeout(() => this.start(), wait * (0.75 + Math.random() / 2));
  }

  receive(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    const question = this.questions.get(message.seq);
    if (!question) {
      this.handlers.message(message);
      return;
    }
    // Only a server that answers ends the waiting: one that hangs up at once is not asked ever faster.
    this.failures = 0;
    this.questions.delete(message.seq);
    clearTimeout(question.timer);
    question.resolve(message);
  }

  // Sends a message and promises its answer. A question may be `slow`: then there is no limit to its answer's time.
  ask(message, { slow = false } = {}) {
    if (!this.isUp) return Promise.reject(new Lost());
    this.seq += 1;
    const { seq, socket } = this;
    return new Promise((resolve, reject) => {
      const timer = slow ? null : setTimeout(() => this.giveUp(socket), PATIENCE);
      this.questions.set(seq, { resolve, reject, timer });
      socket.send(JSON.stringify({ ...message, seq }));
    });
  }

  // A dead connection may take minutes to close itself: it is left alone, and a new one is made.
  giveUp(socket) {
    if (socket !== this.socket) return;
    socket.close();
    this.lose({ code: 1006 });
  }
}
