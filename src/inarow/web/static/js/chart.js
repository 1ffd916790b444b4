// The evaluation over a game: what the first seat could expect after each move, with the mistakes marked.
// It is also a slider: a click or an arrow key goes to a move.

import { element, svg } from "./dom.js";

/** @typedef {{ply: number, chance: number, verdict: string, words: string}} ChartPoint
 * chance: the first seat's, 0 to 1; verdict: blunder, mistake, missed win or nothing; words: all of it in a sentence */

const WIDTH = 340;
const HEIGHT = 78;
const PAD = { x: 7, y: 8 };
const MARKS = /** @type {Record<string, string>} */ ({
  mistake: "M0-5L5 4H-5Z",
  blunder: "M0-6L6 0L0 6L-6 0Z",
  "missed win": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0ZM-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z",
});

export class Chart {
  /** @param {{onGo: (ply: number) => void}} listener */
  constructor({ onGo }) {
    this.onGo = onGo;
    /** @type {ChartPoint[]} by ply, from the start position on */
    this.points = [];
    this.plies = 1;
    this.current = 0;
    this.drawing = svg("g");
    this.here = svg("g", { class: "here" });
    this.hint = element("p", { class: "quiet chart-words" });
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, this.drawing, this.here);
    this.slider = element("div", { class: "chart", role: "slider", tabindex: 0, "aria-label": "Evaluation over the game", "aria-valuemin": 0 }, this.picture);
    this.place = element("div", { class: "chart-place" }, this.slider, this.hint);
    this.slider.addEventListener("click", (event) => this.onGo(this.#plyAt(event)));
    this.slider.addEventListener("pointermove", (event) => this.#say(this.#plyAt(event)));
    this.slider.addEventListener("pointerleave", () => this.#say(this.current));
    this.slider.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {ChartPoint[]} points what is known so far, the start position first @param {number} plies moves of the whole game */
  show(points, plies) {
    this.points = points;
    this.plies = Math.max(1, plies);
    this.slider.setAttribute("aria-valuemax", String(Math.max(0, points.length - 1)));
    const path = points.map(({ ply, chance }) => `${this.#x(ply).toFixed(1)} ${y(chance).toFixed(1)}`).join("L");
    const [left, right] = [PAD.x, this.#x(points.at(-1)?.ply ?? 0)];
    this.drawing.replaceChildren(
      svg("rect", { class: "chart-ground", x: PAD.x, y: PAD.y, width: WIDTH - 2 * PAD.x, height: HEIGHT - 2 * PAD.y, rx: 4 }),
      svg("path", { class: "chart-area", d: points.length ? `M${left} ${y(0)}L${path}L${right} ${y(0)}Z` : "" }),
      svg("line", { class: "chart-middle", x1: PAD.x, x2: WIDTH - PAD.x, y1: y(0.5), y2: y(0.5) }),
      svg("path", { class: "chart-line", d: points.length ? `M${path}` : "" }),
      ...points.filter(({ verdict }) => verdict in MARKS).map((point) => this.#mark(point)),
    );
    this.go(this.current);
  }

  /** @param {number} ply the move that the board shows; -1 when it is in another line */
  go(ply) {
    this.current = ply;
    const point = this.points[ply];
    const x = this.#x(ply);
    this.here.replaceChildren(
      ...(point ? [svg("line", { x1: x, x2: x, y1: PAD.y, y2: HEIGHT - PAD.y }), svg("circle", { cx: x, cy: y(point.chance), r: 3.6 })] : []),
    );
    this.slider.setAttribute("aria-valuenow", String(Math.max(0, ply)));
    this.slider.setAttribute("aria-valuetext", point?.words ?? "not in this line");
    this.#say(ply);
  }

  /** @param {number} ply */
  #say(ply) {
    this.hint.textContent = this.points[ply]?.words ?? "";
  }

  /** @param {ChartPoint} point */
  #mark({ ply, chance, verdict, words }) {
    const mark = svg("path", { class: `chart-mark ${verdict.replace(" ", "-")}`, d: MARKS[verdict], transform: `translate(${this.#x(ply)} ${y(chance)})` });
    mark.append(svg("title", {}, words));
    return mark;
  }

  /** @param {number} ply */
  #x(ply) {
    return PAD.x + (ply / this.plies) * (WIDTH - 2 * PAD.x);
  }

  /** @param {MouseEvent} event */
  #plyAt(event) {
    const box = this.picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const ply = Math.round(((x - PAD.x) / (WIDTH - 2 * PAD.x)) * this.plies);
    return Math.min(this.points.length - 1, Math.max(0, ply));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { current, points } = this;
    const isMarked = (/** @type {ChartPoint} */ point) => point.verdict in MARKS;
    const targets = /** @type {Record<string, number | undefined>} */ ({
      ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: 0, End: points.length - 1,
      PageUp: points.filter((point) => point.ply < current && isMarked(point)).at(-1)?.ply,
      PageDown: points.find((point) => point.ply > current && isMarked(point))?.ply,
    });
    if (!(event.key in targets) || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = targets[event.key];
    if (target !== undefined && points[target]) this.onGo(target);
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {number} chance */
const y = (chance) => HEIGHT - PAD.y - chance * (HEIGHT - 2 * PAD.y);
