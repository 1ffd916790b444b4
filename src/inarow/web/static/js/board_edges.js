// What stands at the board's edges, in pixels: the names of rows and columns, which stay in sight, and labels above the columns.

import { svg } from "./dom.js";
import { columnName } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./viewport.js").Viewport} Viewport */
/** @typedef {Map<number, {text: string, name: string}>} Labels by column; name: classes */

export const STRIP = { left: 26, top: 22 }; // pixels for the names
export const LABEL_ROOM = 24; // pixels for labels above the columns
const NAME_ROOM = 17; // pixels that a row's name needs, and a column's with one letter
const LABEL_WIDTH = 38;
const SMALLEST_LABEL = 24; // pixels a column below which a label is a spot of colour without its text

/** @param {Game} game @param {Viewport} view @param {boolean} flipped @param {Labels | null} labels @returns {SVGElement[]} */
export function drawEdges(game, view, flipped, labels) {
  const { left, top, size, width, height, strip } = view;
  const [edgeX, edgeY] = [Math.max(left, strip.left) - 7, Math.max(top, strip.top) - (labels ? LABEL_ROOM : 0)];
  /** @param {number} column */
  const middle = (column) => left + ((flipped ? game.columns - 1 - column : column) + 0.5) * size;
  /** @param {number} x */
  const isInSight = (x) => x >= strip.left && x <= width;
  /** @type {SVGElement[]} */
  const parts = [svg("rect", { class: "strip", width, height: strip.top }), svg("rect", { class: "strip", width: strip.left, height })];
  for (const column of named(game.columns, (NAME_ROOM + (game.columns > 26 ? 7 : 0)) / size)) {
    const x = middle(column);
    if (isInSight(x)) parts.push(svg("text", { x, y: edgeY - 7, "text-anchor": "middle" }, columnName(column)));
  }
  for (const row of named(game.rows, NAME_ROOM / size)) {
    const y = top + ((flipped && !game.gravity ? game.rows - 1 - row : row) + 0.5) * size;
    if (y >= strip.top && y <= height) parts.push(svg("text", { x: edgeX, y, dy: "0.36em", "text-anchor": "end" }, String(row + 1)));
  }
  for (const [column, label] of labels ?? []) {
    if (isInSight(middle(column))) parts.push(...drawLabel(label, middle(column), edgeY, size));
  }
  return parts;
}

/** @param {{text: string, name: string}} label @param {number} x @param {number} y @param {number} size pixels a column */
function drawLabel({ text, name }, x, y, size) {
  const width = Math.min(size - 2, LABEL_WIDTH);
  const box = svg("rect", { class: name, x: x - width / 2, y: y + 1, width, height: LABEL_ROOM - 4, rx: 6 });
  if (size < SMALLEST_LABEL) return [box];
  return [box, svg("text", { class: `${name} label-text`, x, y: y + LABEL_ROOM / 2, dy: "0.28em", "text-anchor": "middle" }, text)];
}

/** Which of so many rows or columns are named: all, or every second, fifth, tenth, … where there is no room.
 * @param {number} count @param {number} room how many a name needs */
function named(count, room) {
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => each >= room) ?? 100;
  const numbers = [];
  for (let number = step - 1; number < count; number += step) numbers.push(number);
  return numbers;
}
