// What boards and stones look like, as SVG in units of which a cell has CELL. Colours come from css/board.css.
//
// Three looks: noughts and crosses on small boards, stones on the crossings of lines on larger ones, discs behind a front
// with holes where stones fall. In each the seats differ by shape, not by colour alone.

import { svg } from "./dom.js";
import { columnOf, rowOf } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {"crosses" | "stones" | "discs"} Look */

export const CELL = 40;
const SMALLEST_LINED = 9; // rows and columns from which on stones lie on crossings
const SEAT_CLASSES = ["first", "second"];

/** @param {Game} game @returns {Look} */
export function lookOf(game) {
  if (game.gravity) return "discs";
  return Math.min(game.rows, game.columns) >= SMALLEST_LINED ? "stones" : "crosses";
}

/** The middle of a cell on a board that may be turned round: with gravity left and right change, else all is turned.
 * @param {Game} game @param {number} cell @param {boolean} flipped @returns {Point} */
export function centreOf(game, cell, flipped) {
  const row = flipped && !game.gravity ? game.rows - 1 - rowOf(game, cell) : rowOf(game, cell);
  const column = flipped ? game.columns - 1 - columnOf(game, cell) : columnOf(game, cell);
  return { x: (column + 0.5) * CELL, y: (row + 0.5) * CELL };
}

/** The board without stones: what lies under them, and what lies over them. However large, it is a handful of elements.
 * @param {Game} game @returns {{under: SVGElement[], over: SVGElement[]}} */
export function drawGround(game) {
  const [width, height] = [game.columns * CELL, game.rows * CELL];
  const look = lookOf(game);
  const ground = svg("rect", { class: "ground", width, height, rx: look === "discs" ? 8 : 3 });
  if (look === "crosses") return { under: [ground, svg("path", { class: "grid", d: lines(game, 0, 1) })], over: [] };
  if (look === "stones") {
    return { under: [ground, svg("path", { class: "grid", d: lines(game, 0.5, 0) }), ...starPoints(game)], over: [] };
  }
  const half = CELL / 2;
  const hole = `M0 0H${CELL}V${CELL}H0ZM${half} ${half - 16}a16 16 0 0 0 0 32a16 16 0 0 0 0-32Z`;
  const tile = svg("path", { class: "front", d: hole, "fill-rule": "evenodd" });
  const rim = svg("circle", { class: "rim", cx: half, cy: half, r: 16 });
  const pattern = svg("pattern", { id: "holes", width: CELL, height: CELL, patternUnits: "userSpaceOnUse" }, tile, rim);
  const front = svg("rect", { width, height, rx: 8, fill: "url(#holes)" });
  return { under: [ground], over: [svg("defs", {}, pattern), front] };
}

/** Lines across the whole board: through the cells' middles (0.5), or between the cells (0, without the outer ones).
 * @param {Game} game @param {number} offset @param {number} skip */
function lines(game, offset, skip) {
  const [width, height] = [game.columns * CELL, game.rows * CELL];
  const [indent, parts] = [offset * CELL, /** @type {string[]} */ ([])];
  for (let row = skip; row < game.rows; row += 1) parts.push(`M${indent} ${(row + offset) * CELL}H${width - indent}`);
  for (let column = skip; column < game.columns; column += 1) parts.push(`M${(column + offset) * CELL} ${indent}V${height - indent}`);
  return parts.join("");
}

/** The dots that help the eye: in the middle and a quarter in, where the board has a middle.
 * @param {Game} game */
function starPoints({ rows, columns }) {
  const inset = Math.min(rows, columns) < 13 ? 2 : 3;
  /** @param {number} count */
  const places = (count) => [...new Set([inset, ...(count % 2 ? [(count - 1) / 2] : []), count - 1 - inset])];
  return places(rows).flatMap((row) =>
    places(columns).map((column) => svg("circle", { class: "star", cx: (column + 0.5) * CELL, cy: (row + 0.5) * CELL, r: 3.2 })),
  );
}

/** A stone with its middle at a point.
 * @param {Look} look @param {0 | 1} seat @param {Point} point @param {string} [name] */
export function drawStone(look, seat, { x, y }, name = "stone") {
  const parts = { crosses: crossOrNought, stones: goStone, discs: disc }[look](seat);
  return svg("g", { class: `${name} ${look} ${SEAT_CLASSES[seat]}`, transform: `translate(${x} ${y})` }, ...parts);
}

/** @param {0 | 1} seat */
function crossOrNought(seat) {
  return [seat ? svg("circle", { class: "stroke", r: 11 }) : svg("path", { class: "stroke", d: "M-10-10L10 10M10-10L-10 10" })];
}

/** @param {0 | 1} seat */
function goStone(seat) {
  const body = svg("circle", { class: "body", r: 18 });
  return seat ? [body, svg("circle", { class: "emblem", r: 11.5 })] : [body];
}

/** @param {0 | 1} seat */
function disc(seat) {
  const emblem = seat ? svg("circle", { class: "emblem", r: 9 }) : svg("path", { class: "emblem", d: "M0-10L10 0L0 10L-10 0Z" });
  return [svg("circle", { class: "body", r: 17.5 }), emblem];
}

/** Words on a cell, such as a move's number.
 * @param {string} text @param {Point} point @param {string} name a class */
export function drawText(text, { x, y }, name) {
  const size = text.length > 3 ? 11 : text.length > 2 ? 13 : 16;
  return svg("text", { class: name, x, y, "font-size": size, "text-anchor": "middle", dy: "0.36em" }, text);
}

/** The winning line through the middles of its cells.
 * @param {Point} from @param {Point} to */
export function drawWin(from, to) {
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
  return [svg("line", { class: "win halo", ...ends }), svg("line", { class: "win", ...ends })];
}
