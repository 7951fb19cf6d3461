// The words of the table: what the page itself says about picking up cards, and short words on the felt. All else that
// is read or heard comes from the server. Sentences are whole, with {places} to be filled.

const TEXTS = {
  "table.piles": "Cards on the table",
  "redeal.short": "Redeal",
  "redeal.label": "Redeal. {text}.",
  "redeal.label.not": "Redeal, not allowed now. {text}. {why}",
  "redeal.hold": "Hold R: look at the next layout",
  "redeal.used": "{used}",
  "redeal.used.of": "{used} of {all}",
  "preview.short": "Preview",
  "preview.words": "Preview: the layout after the next redeal",
  "preview.after": "Preview: the layout after this move and the redeal",
  "preview.show": "Look at the layout after the next redeal",
  "hand.label": "Next card to be placed: {card}. {count} cards in hand.",
  "hand.label.last": "Last card to be placed: {card}.",
  "hand.words": "{count} cards to place",
  "hand.words.last": "The last card to place",
  "pick.card": "The {card} is picked up. It may go to {targets}.",
  "pick.card.none": "The {card} is picked up. No place takes it now.",
  "pick.run": "{count} cards are picked up, from the {card} on. They may go to {targets}.",
  "pick.run.none": "{count} cards are picked up, from the {card} on. No place takes them now.",
  "pick.back": "The {card} is put back.",
  "pick.empty": "There is no card to pick up.",
  "target.pile": "{word} {number}",
  "target.foundation": "the foundation",
  "card": "{rank} of {suit}",
  "list.two": "{first} or {last}",
  "list.many": "{first}, {last}",
};

const RANKS = { A: "ace", T: "10", J: "jack", Q: "queen", K: "king" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/**
 * One text with its places filled.
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function words(key, values = {}) {
  return TEXTS[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A card as it is read aloud. @param {string} card Such as "TC". */
export function cardWords(card) {
  return words("card", { rank: RANKS[card[0]] ?? card[0], suit: SUITS[card[1]] });
}

/** Several places as a list in a sentence. @param {string[]} items At least one. */
export function listWords(items) {
  if (items.length === 1) return items[0];
  const last = words("list.two", { first: items.at(-2), last: items.at(-1) });
  return items.slice(0, -2).reduceRight((rest, item) => words("list.many", { first: item, last: rest }), last);
}
