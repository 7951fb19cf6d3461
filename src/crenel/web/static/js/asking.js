// What the player asks about the table and sees on it until the next change: the hint, the preview of the redeal, and
// what stands in the way of a foundation.

import { say } from "./live-region.js";
import { text } from "./texts.js";

// A search that takes longer than this says that it runs, in milliseconds.
const SOON = 400;

export class Asking {
  constructor(desk, table, notices) {
    this.desk = desk;
    this.table = table;
    this.notices = notices;
    this.isPreviewing = false;
    this.considered = null;
    this.chain = null;
    desk.on("table", () => this.clear());
  }

  // A change of the table makes all of it old; a preview that is still held is asked for anew.
  clear() {
    this.chain = null;
    this.table.setHint(null);
    this.table.setChain(null);
    this.notices.clear("passing");
    this.considered = null;
    if (this.isPreviewing) this.ask();
    else this.table.setPreview(null);
  }

  async hint() {
    const wait = setTimeout(() => {
      const actions = [{ label: text("hint.stop"), action: "stop-looking" }];
      this.notices.set("passing", { text: text("hint.looking"), stays: true, actions });
      say(text("hint.looking"));
    }, SOON);
    const answer = await this.desk.ask({ type: "hint" });
    clearTimeout(wait);
    if (!answer) return;
    const isOld = answer.type === "hint" && answer.made !== this.desk.shown.made;
    if (isOld) return;
    this.table.setHint(answer.type === "hint" ? answer.move : null);
    this.tell(answer.text, answer.type === "hint" ? "hint" : "refused");
  }

  // A sentence on the line and for the ear.
  tell(sentence, tone = "plain", extra = {}) {
    this.notices.set("passing", { text: sentence, tone, ...extra });
    say(sentence);
  }

  async preview(isOn) {
    if (this.isPreviewing === isOn) return;
    this.isPreviewing = isOn;
    this.considered = null;
    if (isOn) await this.ask();
    else {
      this.table.setPreview(null);
      this.notices.clear("passing");
    }
  }

  togglePreview() {
    return this.preview(!this.isPreviewing);
  }

  // While the preview is shown, it follows the move that the player thinks of.
  consider(move) {
    if (!this.isPreviewing || this.considered === move) return;
    this.considered = move;
    this.ask();
  }

  async ask() {
    const after = this.considered;
    const answer = await this.desk.ask({ type: "preview", after });
    const isOld = !this.isPreviewing || this.considered !== after;
    if (!answer || isOld) return;
    if (answer.type !== "preview") {
      // An illegal move cannot be considered; the preview without it stays.
      if (after !== null) return;
      this.isPreviewing = false;
      this.table.setPreview(null);
      this.tell(answer.text, "refused");
      return;
    }
    if (answer.made !== this.desk.shown.made) return;
    this.table.setPreview(answer);
    this.tell(answer.text, "preview", { stays: true });
  }

  // Asking for the same foundation again, or for none, puts the marks away.
  async blockers(suit) {
    if (suit === null || this.chain === suit) {
      this.chain = null;
      this.table.setChain(null);
      this.notices.clear("passing");
      return;
    }
    const answer = await this.desk.ask({ type: "blockers", suit });
    if (!answer) return;
    if (answer.type !== "blockers" || answer.made !== this.desk.shown.made) {
      if (answer.type === "refused") this.tell(answer.text, "refused");
      return;
    }
    this.chain = suit;
    this.table.setChain(answer);
    this.tell(answer.text, "blockers", { stays: true, dismiss: () => this.blockers(null) });
  }
}
