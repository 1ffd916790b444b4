// The board on the page: an SVG with layers, a grid for keyboards and screen readers, and room for others' overlays.
//
// Layers from the bottom: ground, overlays under the stones, stones, the pointer's ghost, (with gravity) the front with its
// holes and the column under the pointer, marks, overlays over all, the cursor. The names of rows and columns stay in sight at the edge.

import { drawEdges, LABEL_ROOM, STRIP } from "./board_edges.js";
import { element, svg } from "./dom.js";
import { cellName, columnName, columnOf, rowOf } from "./rules.js";
import { CELL, centreOf, drawGround, drawStone, drawText, drawWin, lookOf } from "./shapes.js";
import { Minimap } from "./minimap.js";
import { Viewport } from "./viewport.js";

/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {import("./shapes.js").Point} Point */
/** @typedef {(centre: (cell: number) => Point, board: Board) => SVGElement[]} Drawing
 * elements in units of which a cell has CELL; called again when the board is turned round or its stones change */
/** @typedef {{line?: number[] | null, numbers?: boolean, animate?: boolean}} Showing */

const SMALLEST_TAP = { mouse: 7, touch: 15 }; // pixels a cell below which a tap zooms in instead of playing
const LAYERS = ["ground", "under", "stones", "ghost", "front", "column", "marks", "over", "cursor"];

export class BoardView {
  /** @param {HTMLElement} host @param {{onCell: (cell: number) => void, ghost: (cell: number) => Seat | null}} given
   * onCell: a person chose the cell; ghost: whose stone the pointer shows over a free cell, null for none */
  constructor(host, { onCell, ghost }) {
    this.host = host;
    this.onCell = onCell;
    this.ghost = ghost;
    /** @type {Map<number, {seat: number, element: SVGElement}>} */
    this.stones = new Map();
    /** @type {Map<string, {drawing: Drawing, isUnder: boolean}>} */
    this.overlays = new Map();
    /** @type {Board | null} */
    this.board = null;
    /** @type {import("./board_edges.js").Labels | null} */
    this.labels = null;
    this.strip = { ...STRIP };
    this.flipped = false;
    this.cursor = 0;
    this.hovered = -1;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name })]));
    this.scene = svg("g", { class: "scene" }, ...Object.values(this.layers));
    this.names = svg("g", { class: "names", "aria-hidden": "true" });
    this.picture = svg("svg", { class: "picture", "aria-hidden": "true", focusable: "false" }, this.scene, this.names);
    this.row = element("div", { role: "row", class: "hidden-words" });
    this.grid = element("div", { class: "grid-focus", role: "grid", tabindex: 0, "aria-label": "Board" }, this.row, this.picture);
    host.prepend(this.grid);
    this.map = new Minimap();
    host.append(this.map.element);
    this.view = new Viewport(this.grid, {
      strip: this.strip,
      onChange: () => this.#viewChanged(),
      onTap: (x, y, isTouch) => this.#tap(x, y, isTouch),
    });
    this.#listen();
  }

  /** Shows a board; only stones that came or went are touched.
   * @param {Board} board @param {Showing} showing */
  show(board, { line = null, numbers = false, animate = true } = {}) {
    const isOther = !this.board || !sameGame(this.board, board);
    this.board = board;
    if (isOther) this.#openGround();
    this.#showStones(animate && !isOther);
    const last = board.cells.at(-1);
    /** @type {SVGElement[]} */
    const marks = line ? drawWin(this.centre(line[0]), this.centre(line[line.length - 1])) : [];
    if (last !== undefined && !numbers) marks.unshift(this.#lastMark(last));
    this.picture.classList.toggle("numbered", numbers);
    if (numbers) marks.push(...board.cells.map((cell, index) => this.#number(cell, index)));
    this.layers.marks.replaceChildren(...marks);
    this.#drawOverlays();
    this.map.showStones(board, (cell) => this.centre(cell));
    this.#describeCursor();
    this.#showGhost(this.hovered);
  }

  /** Puts a drawing on the board under a name, in place of the one before; null takes it away.
   * @param {string} name @param {Drawing | null} drawing @param {{under?: boolean}} place under: beneath the stones */
  overlay(name, drawing, { under = false } = {}) {
    if (drawing) this.overlays.set(name, { drawing, isUnder: under });
    else if (!this.overlays.delete(name)) return;
    this.#drawOverlays();
  }

  /** Puts words above the columns, between their names and the board; null takes them and their room away.
   * @param {import("./board_edges.js").Labels | null} labels */
  labelColumns(labels) {
    if (!labels && !this.labels) return;
    this.labels = labels;
    const top = STRIP.top + (labels ? LABEL_ROOM : 0);
    if (top !== this.strip.top) {
      this.strip.top = top;
      this.view.resize(this.view.width, this.view.height);
    }
    this.#drawNames();
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (flipped === this.flipped || !this.board) return;
    this.flipped = flipped;
    this.stones.clear();
    this.layers.stones.replaceChildren();
    this.#drawNames();
    this.#drawCursor();
  }

  /** @param {number} cell @returns {Point} the middle of a cell as it is drawn now */
  centre(cell) {
    return this.board ? centreOf(this.board.game, cell, this.flipped) : { x: 0, y: 0 };
  }

  /** Moves a large board so that a cell is in sight.
   * @param {number} cell */
  reveal(cell) {
    const { x, y } = this.centre(cell);
    this.view.reveal({ x: x / CELL, y: y / CELL });
  }

  #openGround() {
    const { game, cells } = /** @type {Board} */ (this.board);
    const ground = drawGround(game);
    this.stones.clear();
    this.layers.stones.replaceChildren();
    this.layers.ground.replaceChildren(...ground.under);
    this.layers.front.replaceChildren(...ground.over);
    this.picture.setAttribute("class", `picture ${lookOf(game)}`);
    this.grid.setAttribute("aria-rowcount", String(game.rows));
    this.grid.setAttribute("aria-colcount", String(game.columns));
    const about = `${game.rows} rows, ${game.columns} columns, ${game.k} in a row win${game.gravity ? ", stones fall" : ""}`;
    this.grid.setAttribute("aria-label", `Board: ${about}`);
    const last = cells.at(-1);
    this.cursor = last ?? Math.floor(game.rows / 2) * game.columns + Math.floor(game.columns / 2);
    this.hovered = -1;
    const focus = this.centre(this.cursor);
    this.host.style.setProperty("--rows-by-columns", String(game.rows / game.columns));
    this.view.open(game, { x: focus.x / CELL, y: focus.y / CELL });
    this.#drawCursor();
  }

  /** @param {boolean} animate */
  #showStones(animate) {
    const { game, stones, cells } = /** @type {Board} */ (this.board);
    for (const [cell, { seat, element: shown }] of this.stones) {
      if (stones[cell] === seat) continue;
      shown.remove();
      this.stones.delete(cell);
    }
    const added = cells.filter((cell) => !this.stones.has(cell));
    const look = lookOf(game);
    for (const cell of added) {
      const seat = /** @type {Seat} */ (stones[cell]);
      const stone = drawStone(look, seat, this.centre(cell));
      this.stones.set(cell, { seat, element: stone });
      this.layers.stones.append(stone);
      if (animate && added.length === 1) this.#animate(stone, cell);
    }
  }

  /** A stone falls, or appears; nothing moves for people who asked for that.
   * @param {SVGElement} stone @param {number} cell */
  #animate(stone, cell) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { game } = /** @type {Board} */ (this.board);
    if (!game.gravity) {
      stone.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 120, easing: "ease-out" });
      return;
    }
    const height = (rowOf(game, cell) + 1) * CELL;
    const duration = Math.min(90 * Math.sqrt(rowOf(game, cell) + 2) + 40, 520);
    const fall = [
      { translate: `0 ${-height}px`, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
      { translate: "0 0", offset: 0.78, easing: "ease-out" },
      { translate: `0 ${-Math.min(5, height / 30)}px`, offset: 0.88, easing: "ease-in" },
      { translate: "0 0" },
    ];
    stone.animate(fall, { duration });
  }

  /** A dot on the last stone; where stones are strokes, a tint of its cell.
   * @param {number} cell */
  #lastMark(cell) {
    const { x, y } = this.centre(cell);
    const board = /** @type {Board} */ (this.board);
    if (lookOf(board.game) === "crosses") {
      return svg("rect", { class: "last", x: x - CELL / 2 + 2, y: y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 3 });
    }
    return svg("circle", { class: `last ${board.stones[cell] ? "second" : "first"}`, cx: x, cy: y, r: 4.5 });
  }

  /** @param {number} cell @param {number} index */
  #number(cell, index) {
    const isLast = index + 1 === this.board?.cells.length;
    return drawText(String(index + 1), this.centre(cell), `number ${index % 2 ? "second" : "first"}${isLast ? " latest" : ""}`);
  }

  #drawOverlays() {
    const board = this.board;
    if (!board) return;
    /** @param {number} cell */
    const centre = (cell) => this.centre(cell);
    for (const layer of /** @type {const} */ (["under", "over"])) {
      const groups = [...this.overlays].filter(([, { isUnder }]) => isUnder === (layer === "under"));
      this.layers[layer].replaceChildren(
        ...groups.map(([name, { drawing }]) => svg("g", { class: `overlay ${name}` }, ...drawing(centre, board))),
      );
    }
  }

  #viewChanged() {
    const { left, top, size } = this.view;
    this.scene.setAttribute("transform", `translate(${left} ${top}) scale(${size / CELL})`);
    this.picture.classList.toggle("tiny", size < 12);
    this.#placeSides();
    this.host.classList.toggle("zoomable", this.view.isLarge || !this.view.isFitted);
    this.map.showView(this.view);
    this.#drawNames();
  }

  /** Says where the board is, for what stands beside it. */
  #placeSides() {
    const { left, top, size, height, shape } = this.view;
    const from = Math.max(top, this.strip.top);
    const style = this.host.parentElement?.style;
    style?.setProperty("--board-left", `${Math.max(left, this.strip.left)}px`);
    style?.setProperty("--board-top", `${from}px`);
    style?.setProperty("--board-height", `${Math.min(top + shape.rows * size, height) - from}px`);
  }

  #drawNames() {
    if (this.board) this.names.replaceChildren(...drawEdges(this.board.game, this.view, this.flipped, this.labels));
  }

  /** The names of all rows and columns in the board's own units, for a picture.
   * @returns {SVGGElement} */
  drawAllNames() {
    const { game } = /** @type {Board} */ (this.board);
    const { fill, fontFamily } = getComputedStyle(this.names);
    const names = svg("g", { fill, "font-family": fontFamily, "font-size": 13 });
    for (let column = 0; column < game.columns; column += 1) {
      const { x } = this.centre(column);
      names.append(svg("text", { x, y: -9, "text-anchor": "middle" }, columnName(column)));
    }
    for (let row = 0; row < game.rows; row += 1) {
      const { y } = this.centre(row * game.columns);
      names.append(svg("text", { x: -8, y: y + 4.5, "text-anchor": "end" }, String(row + 1)));
    }
    return names;
  }

  /** @param {number} x @param {number} y pixels @returns {number} the cell there; -1 when it is beside the board */
  #cellAt(x, y) {
    if (!this.board) return -1;
    const { game } = this.board;
    const at = this.view.toCells(x, y);
    let [row, column] = [Math.floor(at.y), Math.floor(at.x)];
    if (row < 0 || column < 0 || row >= game.rows || column >= game.columns) return -1;
    if (this.flipped) column = game.columns - 1 - column;
    if (this.flipped && !game.gravity) row = game.rows - 1 - row;
    return row * game.columns + column;
  }

  /** @param {number} x @param {number} y @param {boolean} isTouch */
  #tap(x, y, isTouch) {
    const cell = this.#cellAt(x, y);
    if (cell < 0) return;
    if (this.view.size < SMALLEST_TAP[isTouch ? "touch" : "mouse"]) this.view.zoom(26 / this.view.size, x, y);
    else {
      this.cursor = cell;
      this.#drawCursor();
      this.onCell(cell);
    }
  }

  #listen() {
    this.grid.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch" || this.view.isDragging) return;
      const { x, y } = this.view.at(event);
      this.#showGhost(this.#cellAt(x, y));
    });
    this.grid.addEventListener("pointerleave", () => this.#showGhost(-1));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.map.onChoose = (point) => this.view.centreOn(point);
    this.grid.addEventListener("focus", () => this.#describeCursor());
    new ResizeObserver(([entry]) => this.view.resize(entry.contentRect.width, entry.contentRect.height)).observe(this.grid);
  }

  /** What a click would do: a pale stone where it would go, with gravity also the column.
   * @param {number} cell */
  #showGhost(cell) {
    this.hovered = cell;
    const board = this.board;
    const move = board && cell >= 0 ? board.moveAt(cell) : null;
    const seat = move === null ? null : this.ghost(cell);
    const landing = move === null ? null : (board?.landing(move) ?? null);
    this.grid.classList.toggle("playable", seat !== null);
    const isShown = board && seat !== null && landing !== null;
    this.layers.ghost.replaceChildren(...(isShown ? [drawStone(lookOf(board.game), seat, this.centre(landing), "ghost-stone")] : []));
    const column = { x: this.centre(cell).x - CELL / 2, width: CELL, height: (board?.game.rows ?? 0) * CELL, rx: 8 };
    this.layers.column.replaceChildren(...(isShown && board.game.gravity ? [svg("rect", { class: "column-hover", ...column })] : []));
  }

  /** While the board has the focus, arrows walk over it and Enter plays.
   * @param {KeyboardEvent} event */
  #key(event) {
    if (!this.board || event.ctrlKey || event.altKey || event.metaKey) return;
    const { rows, columns, gravity } = this.board.game;
    const turned = this.flipped ? -1 : 1;
    const down = gravity ? 1 : turned;
    let [row, column] = [rowOf(this.board.game, this.cursor), columnOf(this.board.game, this.cursor)];
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [0, -turned], ArrowRight: [0, turned],
      ArrowUp: [-down, 0], ArrowDown: [down, 0],
      Home: [0, -columns * turned], End: [0, columns * turned],
      PageUp: [-rows * down, 0], PageDown: [rows * down, 0],
    });
    if (event.key === "Enter") this.onCell(this.cursor);
    else if (!(event.key in steps)) return;
    else {
      row = Math.min(rows - 1, Math.max(0, row + steps[event.key][0]));
      column = Math.min(columns - 1, Math.max(0, column + steps[event.key][1]));
      this.cursor = row * columns + column;
      this.reveal(this.cursor);
      this.#drawCursor();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #drawCursor() {
    const { x, y } = this.centre(this.cursor);
    const box = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, rx: 5 };
    this.layers.cursor.replaceChildren(svg("rect", { class: "cursor-halo", ...box }), svg("rect", { class: "cursor-box", ...box }));
    this.#describeCursor();
  }

  /** The one cell of the grid that screen readers see: where the cursor is. */
  #describeCursor() {
    const board = this.board;
    if (!board) return;
    const { game } = board;
    const stone = ["empty", "first player's stone", "second player's stone"][board.stones[this.cursor] + 1];
    const last = board.cells.at(-1) === this.cursor ? ", last move" : "";
    const cell = element(
      "div",
      {
        role: "gridcell", id: `cell-${this.cursor}`, "aria-colindex": columnOf(game, this.cursor) + 1,
        "aria-label": `${cellName(game, this.cursor)}, ${stone}${last}`,
      },
    );
    this.row.setAttribute("aria-rowindex", String(rowOf(game, this.cursor) + 1));
    this.row.replaceChildren(cell);
    this.grid.setAttribute("aria-activedescendant", cell.id);
  }
}

/** @param {Board} one @param {Board} other */
function sameGame({ game: one }, { game: other }) {
  return one.rows === other.rows && one.columns === other.columns && one.k === other.k && one.gravity === other.gravity;
}
