// The light: whether the position can be won, as a colour, a shape and words; and how the game stands (stuck, lost,
// no longer winnable, won, given up) as a calm sentence with a way to go on. It never ends a game.

import { say } from "./live-region.js";
import { text } from "./texts.js";

// A verdict that comes so soon replaces the old one without a flicker of "looking" between them, in milliseconds.
const FLICKER = 250;

export class Light {
  constructor(desk, options, notices) {
    this.desk = desk;
    this.options = options;
    this.notices = notices;
    this.place = document.getElementById("light");
    this.words = document.getElementById("light-words");
    this.stop = this.place.querySelector('[data-action="stop-looking"]');
    this.keep = this.place.querySelector('[data-action="keep-looking"]');
    this.said = null;
    // What the player does not want to be told again: the game with the point where it was lost.
    this.dismissed = null;
    this.turning = null;
    this.timer = null;
    this.hasPanel = false;
    desk.on("table", (shown) => this.follow(shown));
    desk.on("light", () => this.draw());
    desk.on("opened", () => this.restart());
    desk.on("win-panel", ({ isOpen }) => {
      this.hasPanel = isOpen;
      this.stand();
    });
    options.onChange(() => this.draw());
  }

  restart() {
    this.said = null;
    this.dismissed = null;
    this.turning = null;
    this.place.dataset.phase = "waiting";
  }

  follow(shown) {
    clearTimeout(this.timer);
    // The point where the game was lost stays true as long as the moves go on from there.
    if (this.turning && shown.made <= (this.turning.last_winnable ?? -1)) this.turning = null;
    this.timer = setTimeout(() => this.draw(), this.desk.light ? 0 : FLICKER);
    this.stand();
  }

  draw() {
    const { desk, place } = this;
    const isOn = this.options.values.light && desk.shown !== null && desk.shown.standing.kind !== "won";
    place.hidden = !isOn;
    if (!isOn) {
      this.stand();
      return;
    }
    const light = desk.light ?? { phase: "looking", verdict: "undecided", text: "", states: 0 };
    const isLooking = light.phase === "looking";
    this.mark(light);
    // A button appears only when a search lasts, so that the bar is still while the answers are quick.
    this.swap(this.stop, this.keep, isLooking && desk.light !== null, light.phase === "open");
    this.announce(light);
    if (light.turning) this.tellTurning(light.turning);
    this.stand();
  }

  mark(light) {
    const { place } = this;
    place.dataset.phase = light.phase;
    place.dataset.verdict = light.verdict;
    const name = light.phase === "known" ? light.verdict : light.phase;
    const isDeal = name === "unwinnable" && this.desk.shown.made === 0;
    this.words.textContent = text(isDeal ? "light.unwinnable.deal" : `light.${name}`);
    const effort = light.states ? text("light.effort", { states: light.states.toLocaleString() }) : "";
    place.title = [light.text, light.reason, effort].filter(Boolean).join(" ");
  }

  // The two buttons stand in the same place: the focus goes from one to the other.
  swap(stop, keep, showStop, showKeep) {
    const held = document.activeElement;
    stop.hidden = !showStop;
    keep.hidden = !showKeep;
    if (held === stop && stop.hidden) (showKeep ? keep : document.getElementById("table")).focus();
    if (held === keep && keep.hidden) (showStop ? stop : document.getElementById("table")).focus();
  }

  // The verdict is said when it is another one than before.
  announce(light) {
    if (light.phase !== "known" && light.phase !== "open") return;
    const verdict = light.phase === "known" ? light.verdict : "undecided";
    if (verdict === this.said) return;
    this.said = verdict;
    say(light.text);
    if (light.reason) say(light.reason);
  }

  // Which move lost the game comes a little after the verdict.
  tellTurning(turning) {
    const isNews = this.turning?.text !== turning.text;
    this.turning = turning;
    if (isNews) say(turning.text);
  }

  // How the game stands, as a notice.
  stand() {
    const notice = this.notice();
    const isDismissed = notice && this.dismissed === notice.name;
    if (!notice || isDismissed) {
      this.notices.clear("standing");
      return;
    }
    const isSame = this.notices.current.standing?.name === notice.name;
    if (isSame && this.notices.current.standing.text === notice.text) return;
    this.notices.set("standing", notice);
  }

  notice() {
    const { shown, light } = this.desk;
    if (!shown) return null;
    const { kind, text: sentence } = shown.standing;
    if (kind === "won") {
      return this.hasPanel ? { name: "won", text: sentence } : this.offer("won ", sentence, "good", [this.action("summary")]);
    }
    if (shown.given_up) return this.givenUp(shown, light);
    const isDead = this.options.values.light && light?.phase === "known" && light.verdict === "unwinnable";
    const turning = isDead ? this.turning : null;
    const isOver = kind === "lost" || kind === "loop";
    if (isOver || isDead) {
      const words = isOver ? [sentence, turning?.text] : [turning?.text ?? light.text];
      const canGoBack = turning !== null && turning.last_winnable !== null;
      const others = shown.made === 0 ? [this.action("next")] : isOver ? [this.action("undo")] : [];
      const actions = canGoBack ? [this.action("go-back")] : others;
      if (isDead && light.reason) actions.push(this.action("why"));
      const name = `${isOver ? kind : "dead"} ${turning?.last_winnable ?? ""}`;
      return this.offer(name, words.filter(Boolean).join(" "), "warning", actions);
    }
    if (kind === "stuck") return this.offer("stuck", sentence, "plain", []);
    return null;
  }

  givenUp(shown, light) {
    const isKnown = light?.phase === "known" && light.verdict !== "undecided";
    const key = isKnown ? `given-up.${light.verdict}` : "given-up";
    return this.offer(key, text(key), "plain", isKnown && light.verdict === "winnable" ? [this.action("replay")] : []);
  }

  offer(name, sentence, tone, actions) {
    return { name, text: sentence, tone, actions, dismiss: () => this.dismiss(name) };
  }

  action(name) {
    return { label: text(`stand.${name}`), short: text(`stand.${name}.short`), action: name };
  }

  dismiss(name) {
    this.dismissed = name;
    this.stand();
    document.getElementById("table").focus();
  }

  goBack() {
    const made = this.turning?.last_winnable ?? null;
    if (made !== null) this.desk.change({ type: "go-to", made });
  }
}
