// The texts of moves, read and written; nothing here knows what is legal, the server says it.

/**
 * @typedef {number|"hand"} Source A pile, counted from 1, or the hand.
 * @typedef {number|"foundation"} Target
 * @typedef {{isRedeal: boolean, source: Source, target: Target, count: number, text: string}} Move
 */

const PATTERN = /^(\d+|d)-(\d+|h)(?:x(\d+))?$/;

/**
 * Reads "7-10", "7-h", "3-5x4", "d-3" or "R".
 * @param {string} text
 * @returns {Move|null} `null` for a text that is no move.
 */
export function parseMove(text) {
  if (text === "R") return { isRedeal: true, source: 0, target: 0, count: 0, text };
  const match = PATTERN.exec(text);
  if (!match) return null;
  return {
    isRedeal: false,
    source: match[1] === "d" ? "hand" : Number(match[1]),
    target: match[2] === "h" ? "foundation" : Number(match[2]),
    count: Number(match[3] ?? 1),
    text,
  };
}

/**
 * Writes a move.
 * @param {Source} source
 * @param {Target} target
 * @param {number} [count]
 */
export function formatMove(source, target, count = 1) {
  const from = source === "hand" ? "d" : source;
  const to = target === "foundation" ? "h" : target;
  return `${from}-${to}${count === 1 ? "" : `x${count}`}`;
}

/**
 * The suit of the card that the last of some moves has sent to its foundation.
 * @param {string[][]} piles The cards of the piles before the moves.
 * @param {string[]} texts The moves.
 * @returns {string|null} `null` for other moves, and behind a redeal.
 */
export function lastSuitOf(piles, texts) {
  const now = piles.map((cards) => [...cards]);
  const moves = texts.map(parseMove);
  const last = moves.pop();
  if (last?.target !== "foundation") return null;
  for (const move of moves) {
    if (!move || move.isRedeal || move.source === "hand") return null;
    const cards = now[move.source - 1].splice(-move.count);
    if (move.target !== "foundation") now[move.target - 1].push(...cards);
  }
  return now[last.source - 1].at(-1)?.[1] ?? null;
}

/** The legal moves of a position, to be asked. */
export class LegalMoves {
  /** @param {string[]} texts As the server sent them. */
  constructor(texts = []) {
    this.moves = texts.map(parseMove).filter((move) => move !== null && !move.isRedeal);
  }

  /**
   * All that leave a place.
   * @param {Source} source
   */
  from(source) {
    return this.moves.filter((move) => move.source === source);
  }

  /**
   * How many cards may leave a place together, in rising order.
   * @param {Source} source
   */
  counts(source) {
    return [...new Set(this.from(source).map((move) => move.count))].sort((a, b) => a - b);
  }

  /**
   * The move from one place to another: of so many cards when that is legal, else of the number that is.
   * @param {Source} source
   * @param {Target} target
   * @param {number} count
   * @returns {Move|null}
   */
  find(source, target, count) {
    const moves = this.from(source).filter((move) => move.target === target);
    return moves.find((move) => move.count === count) ?? moves[0] ?? null;
  }
}
