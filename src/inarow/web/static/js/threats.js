// What either side threatens, on demand: cells that win at once, and moves that force a reply.
//
// The first seat's are diamonds, the second's squares: filled where a stone wins now, a broken outline where it would win later
// (with gravity, when the cell can be reached), small and open where a move forces; a thin line leads to each reply.

import { svg } from "./dom.js";
import { cellFromName } from "./rules.js";
import { SingleRequest } from "./single_request.js";
import { colourName } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {{wins: string[], later: string[], forced: {move: string, cell: string, replies: string[]}[]}} SideThreats */
/** @typedef {import("./shapes.js").Point} Point */

const SEATS = /** @type {Seat[]} */ ([0, 1]);
const SEAT_KEYS = /** @type {const} */ (["first", "second"]);
const SIZES = { now: 9, later: 8, force: 5.5 };
const MOST_NAMED = 6; // cells in a sentence

export class ThreatsView {
  /** @param {App} app @param {{onChange: (words: string[]) => void}} listener a sentence for each seat */
  constructor(app, { onChange }) {
    this.app = app;
    this.onChange = onChange;
    this.request = new SingleRequest(app.connection);
    this.isOn = false;
    app.state.subscribe(["game", "position"], () => this.#follow());
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.#follow();
  }

  #follow() {
    const { board, state } = this.app;
    this.request.stop();
    board.overlay("threats", null);
    this.onChange([]);
    if (!this.isOn) return;
    this.request.ask(
      { type: "threats", position: state.tree.position },
      {
        onMessage: (message) => this.#draw([message.first, message.second]),
        onEnd: (_, error) => error && this.onChange([error.message]),
      },
    );
  }

  /** @param {SideThreats[]} sides */
  #draw(sides) {
    const { game } = this.app.state.tree;
    /** @param {string} name */
    const at = (name) => cellFromName(game, name) ?? 0;
    this.app.board.overlay("threats", (centre) =>
      SEATS.flatMap((seat) => {
        const { wins, later, forced } = sides[seat];
        const shift = isShared(sides) ? (seat ? 7 : -7) : 0;
        const lift = this.app.board.overlays.has("exact") ? 11 : 0; // over the exact results
        /** @param {string} name @returns {Point} */
        const place = (name) => ({ x: centre(at(name)).x + shift, y: centre(at(name)).y - lift });
        return [
          ...forced.flatMap(({ cell, replies }) => replies.map((reply) => drawReply(seat, place(cell), place(reply)))),
          ...forced.map(({ cell }) => drawMark(seat, "force", place(cell))),
          ...later.map((cell) => drawMark(seat, "later", place(cell))),
          ...wins.map((cell) => drawMark(seat, "now", place(cell))),
        ];
      }),
    );
    this.onChange(SEATS.map((seat) => `${colourName(game, seat)}: ${wordsOf(sides[seat])}`));
  }
}

/** Whether a cell means something to both sides, so that their marks must stand side by side.
 * @param {SideThreats[]} sides */
function isShared(sides) {
  const [first, second] = sides.map(({ wins, later, forced }) => new Set([...wins, ...later, ...forced.map(({ cell }) => cell)]));
  return [...first].some((cell) => second.has(cell));
}

/** @param {Seat} seat @param {"now" | "later" | "force"} kind @param {Point} point */
export function drawMark(seat, kind, { x, y }) {
  const size = SIZES[kind];
  const half = size * 0.86;
  const d = seat
    ? `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}Z`
    : `M${x} ${y - size * 1.2}L${x + size * 1.2} ${y}L${x} ${y + size * 1.2}L${x - size * 1.2} ${y}Z`;
  return svg("path", { class: `threat ${kind} ${SEAT_KEYS[seat]}`, d });
}

/** @param {Seat} seat @param {Point} from @param {Point} to */
function drawReply(seat, from, to) {
  return svg("line", { class: `threat reply ${SEAT_KEYS[seat]}`, x1: from.x, y1: from.y, x2: to.x, y2: to.y });
}

/** @param {SideThreats} side */
function wordsOf({ wins, later, forced }) {
  const parts = [];
  if (wins.length) parts.push(`wins at ${named(wins)}`);
  if (later.length) parts.push(`later at ${named(later)}`);
  if (forced.length) parts.push(`forces with ${named(forced.map(({ move }) => move))}`);
  return parts.length ? parts.join("; ") : "no threats";
}

/** @param {string[]} cells */
function named(cells) {
  const shown = cells.slice(0, MOST_NAMED).join(", ");
  return cells.length > MOST_NAMED ? `${shown} and ${cells.length - MOST_NAMED} more` : shown;
}
