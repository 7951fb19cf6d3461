// The court: jack, queen and king as half figures of a few plain shapes, our own drawing.
//
// Each figure stands in a box from (-30, -48) to (30, 0); its twin upside down makes the other half of a large card.

import { svg } from "./dom.js";
import { suitMark } from "./suits.js";

const shape = (d, name) => svg("path", { d, class: name });
const dot = (cx, cy, r, name) => svg("circle", { cx, cy, r, class: name });

/** Brows, eyes, nose and mouth in thin lines; the face looks calmly ahead. */
function features(y) {
  return [
    shape(`M-4.6 ${y - 2.6}Q-3 ${y - 3.6} -1.4 ${y - 2.8} M1.4 ${y - 2.8}Q3 ${y - 3.6} 4.6 ${y - 2.6}`, "court-line"),
    dot(-2.9, y - 0.8, 0.75, "court-ink"),
    dot(2.9, y - 0.8, 0.75, "court-ink"),
    shape(`M0 ${y - 0.8}L-0.7 ${y + 2.2}H0.5`, "court-line"),
  ];
}

const MOUTH = (y) => shape(`M-1.9 ${y}Q0 ${y + 1.1} 1.9 ${y}`, "court-line");

function king(suit) {
  return [
    // Mantle with an ermine collar
    shape("M-34 6C-33 -12 -24 -18 -9 -20H9C24 -18 33 -12 34 6Z", "court-cloth"),
    shape("M-14 -19.5L0 3L14 -19.5L19 -17.5L4 6H-4L-19 -17.5Z", "court-paper court-edge"),
    dot(-11.5, -13, 0.9, "court-ink"),
    dot(11.5, -13, 0.9, "court-ink"),
    dot(-7, -6, 0.9, "court-ink"),
    dot(7, -6, 0.9, "court-ink"),
    // Hair, face, beard
    shape("M-10.5 -35C-13 -27 -12 -21 -9 -18H9C12 -21 13 -27 10.5 -35Z", "court-hair king"),
    shape("M-8 -36H8V-27C8 -20 4.5 -16.5 0 -16.5C-4.5 -16.5 -8 -20 -8 -27Z", "court-skin"),
    shape("M-8 -27.5C-8.5 -17 -4 -11.5 0 -9.5C4 -11.5 8.5 -17 8 -27.5C6 -24.5 3.5 -24 0 -24.5C-3.5 -24 -6 -24.5 -8 -27.5Z", "court-hair king"),
    ...features(-28.6),
    shape("M-2.6 -21.6H2.6", "court-line light"),
    // Crown
    shape("M-11 -34.5L-13 -45.5L-6.5 -40.5L0 -48L6.5 -40.5L13 -45.5L11 -34.5Z", "court-gold court-edge"),
    shape("M-11 -36.8H11", "court-line"),
    dot(-13, -46, 1.5, "court-gold court-edge"),
    dot(13, -46, 1.5, "court-gold court-edge"),
    suitMark(suit, 0, -40, 5.4),
  ];
}

function queen(suit) {
  return [
    // Veil and gown
    shape("M-13 -39C-19 -24 -18 -14 -23 -7L-8 -12H8L23 -7C18 -14 19 -24 13 -39Z", "court-hair queen"),
    shape("M-34 6C-32 -9 -23 -13 -10 -15L0 -9L10 -15C23 -13 32 -9 34 6Z", "court-cloth"),
    shape("M-10 -15.5L0 -3L10 -15.5L13 -14.5C10 -6 6 -1 0 4C-6 -1 -10 -6 -13 -14.5Z", "court-gold court-edge"),
    // Neck and face
    shape("M-3.5 -22H3.5V-15C3.5 -12 0 -8.5 0 -8.5C0 -8.5 -3.5 -12 -3.5 -15Z", "court-skin"),
    shape("M-8 -35C-8 -41 8 -41 8 -35V-28C8 -22 4 -18 0 -18C-4 -18 -8 -22 -8 -28Z", "court-skin"),
    shape("M-8.5 -29C-10 -38 -4 -39.5 0 -39.5C4 -39.5 10 -38 8.5 -29C7.5 -34 4 -36.5 0 -36.5C-4 -36.5 -7.5 -34 -8.5 -29Z", "court-hair queen"),
    ...features(-28.4),
    MOUTH(-22.6),
    // Diadem
    shape("M-11 -37C-11 -41 -10 -43 -9 -45Q-6 -41.5 -4 -42Q-2 -43 0 -48Q2 -43 4 -42Q6 -41.5 9 -45C10 -43 11 -41 11 -37Q0 -40.5 -11 -37Z", "court-gold court-edge"),
    dot(0, -48, 1.4, "court-gold court-edge"),
    dot(-9.2, -45.4, 1.2, "court-gold court-edge"),
    dot(9.2, -45.4, 1.2, "court-gold court-edge"),
    suitMark(suit, 0, -3.5, 6.2),
  ];
}

function jack(suit) {
  return [
    // Doublet with stripes and a ruff
    shape("M-34 6C-32 -10 -22 -14 -9 -16H9C22 -14 32 -10 34 6Z", "court-cloth"),
    shape("M-17 -14L-20 4H-14L-12 -15.3Z M17 -14L20 4H14L12 -15.3Z", "court-gold"),
    shape("M-4 -15L-5 4H5L4 -15Z", "court-paper court-edge"),
    shape("M-12 -17C-12 -21 12 -21 12 -17C12 -12.5 -12 -12.5 -12 -17Z", "court-paper court-edge"),
    // Hair and face
    shape("M-10.5 -38C-13 -30 -13.5 -23 -11.5 -18.5H11.5C13.5 -23 13 -30 10.5 -38Z", "court-hair jack"),
    shape("M-7.8 -37H7.8V-28C7.8 -21.5 4 -17.5 0 -17.5C-4 -17.5 -7.8 -21.5 -7.8 -28Z", "court-skin"),
    ...features(-28.2),
    MOUTH(-22),
    // Cap and feather
    shape("M-12.5 -35.5C-16 -43 -6 -48 3 -46C11 -44.5 14 -40 12.5 -35.5Q0 -39.5 -12.5 -35.5Z", "court-cloth"),
    shape("M-12.5 -35.5Q0 -39.5 12.5 -35.5L12.2 -33.2Q0 -37 -12.2 -33.2Z", "court-gold court-edge"),
    shape("M10 -37C18 -38 21 -43 20.5 -48C15 -48 10 -45 8 -38.5Z", "court-paper court-edge"),
    shape("M10 -38.5Q16 -41.5 19 -46", "court-line"),
    suitMark(suit, 0, -4.5, 6),
  ];
}

const FIGURES = { J: jack, Q: queen, K: king };

/**
 * One half of a court card.
 * @param {string} rank J, Q or K.
 * @param {string} suit Its letter.
 * @returns {SVGElement[]}
 */
export function halfFigure(rank, suit) {
  return FIGURES[rank](suit);
}
