// Candidate moves on the board: the better a move, the larger and bluer its spot; numbers on demand.

import { svg } from "./dom.js";
import { drawText } from "./shapes.js";

/** @typedef {import("./live_analysis.js").Report} Report */
/** @typedef {import("./board.js").Drawing} Drawing */
/** @typedef {{value: string, plies: number | null, win_probability?: number}} Worth */

const STEPS = [0.02, 0.06, 0.14, 0.3]; // what a move may give away, against the best, to be in the first, second, … class
const RADII = [16, 13.5, 11, 9, 7.5];
const RADIUS_WITH_NUMBER = 15;

/** @param {Report} report @param {{numbers: boolean, exact: Map<number, Worth>}} how exact: results by cell, better than the engine's
 * @returns {Drawing} */
export function drawHeatMap(report, { numbers, exact }) {
  const best = report.variations[0]?.win_probability ?? 0;
  return (centre, board) =>
    report.variations.flatMap((variation) => {
      const cell = board.landing(variation.moves[0]);
      if (cell === null || (exact.has(cell) && !board.game.gravity)) return []; // the exact result stands there
      const { x, y } = centre(cell);
      const grade = gradeOf(best - variation.win_probability);
      const spot = svg("circle", { class: `heat heat-${grade}`, cx: x, cy: y, r: numbers ? RADIUS_WITH_NUMBER : RADII[grade] });
      return numbers ? [spot, drawText(shortWorth(exact.get(cell) ?? variation), { x, y }, `heat-number heat-${grade}`)] : [spot];
    });
}

/** @param {number} loss points that a move gives away @returns {number} 0 for the best moves to 4 for the worst */
export function gradeOf(loss) {
  const grade = STEPS.findIndex((step) => loss < step);
  return grade < 0 ? STEPS.length : grade;
}

/** A move's worth in at most three letters: 63 (per cent), W7, L12, D.
 * @param {Worth} worth */
export function shortWorth({ value, plies, win_probability: chance = 0.5 }) {
  if (value === "draw") return "D";
  if (value === "win" || value === "loss") return `${value === "win" ? "W" : "L"}${plies ?? ""}`;
  return String(Math.round(chance * 100));
}
