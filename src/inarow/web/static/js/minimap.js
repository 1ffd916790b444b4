// The whole of a large board in a corner, with the part of it that is in sight; a click there goes there.

import { svg } from "./dom.js";
import { CELL, lookOf } from "./shapes.js";

/** @typedef {import("./shapes.js").Point} Point */

const SIDE = 110; // pixels of the longer side

export class Minimap {
  constructor() {
    /** Told where to go, in cells.
     * @type {(point: Point) => void} */
    this.onChoose = () => {};
    this.ground = svg("rect", { class: "ground" });
    this.stones = [svg("path", { class: "map-stones first" }), svg("path", { class: "map-stones second" })];
    this.sight = svg("rect", { class: "map-sight" });
    this.element = svg("svg", { class: "minimap", "aria-hidden": "true" }, this.ground, ...this.stones, this.sight);
    for (const name of ["pointerdown", "pointermove"]) {
      this.element.addEventListener(name, (event) => this.#choose(/** @type {PointerEvent} */ (event)));
    }
  }

  /** @param {import("./rules.js").Board} board @param {(cell: number) => Point} centre */
  showStones({ game, cells, stones }, centre) {
    this.element.classList.toggle("discs", lookOf(game) === "discs");
    this.element.setAttribute("viewBox", `0 0 ${game.columns} ${game.rows}`);
    const scale = SIDE / Math.max(game.rows, game.columns);
    this.element.setAttribute("width", String(game.columns * scale));
    this.element.setAttribute("height", String(game.rows * scale));
    this.ground.setAttribute("width", String(game.columns));
    this.ground.setAttribute("height", String(game.rows));
    const dots = ["", ""];
    for (const cell of cells) {
      const { x, y } = centre(cell);
      dots[stones[cell]] += `M${x / CELL - 0.5} ${y / CELL}h1`;
    }
    this.stones.forEach((path, seat) => path.setAttribute("d", dots[seat]));
  }

  /** @param {import("./viewport.js").Viewport} view */
  showView(view) {
    const from = view.toCells(view.strip.left, view.strip.top);
    const to = view.toCells(view.width, view.height);
    const edges = { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
    for (const [name, value] of Object.entries(edges)) this.sight.setAttribute(name, String(Math.max(0, value)));
    this.element.classList.toggle("useful", view.isLarge && !view.isFitted);
  }

  /** @param {PointerEvent} event */
  #choose(event) {
    if (!(event.buttons & 1)) return;
    const matrix = this.element.getScreenCTM();
    if (matrix) this.onChoose(new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()));
  }
}
