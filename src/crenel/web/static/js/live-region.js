// What is said to those who listen: a polite log, and an assertive line for the loss of the connection only.

const KEPT = 6;
const regions = document.getElementById("announcements");
const polite = document.getElementById("polite");
const assertive = document.getElementById("assertive");

// Says a sentence when the listener is free for it. Each sentence is an element of its own, so that a repeated one
// is read again.
export function say(sentence) {
  if (!sentence) return;
  const line = document.createElement("p");
  line.textContent = sentence;
  polite.append(line);
  while (polite.children.length > KEPT) polite.firstElementChild.remove();
}

// Says a sentence at once; an empty one takes the last one back.
export function sayNow(sentence) {
  assertive.textContent = sentence;
}

// While a modal dialog is open all that lies outside it is silent: the regions go inside, and back afterwards.
export function moveRegions(dialog) {
  (dialog ?? document.body).append(regions);
}
