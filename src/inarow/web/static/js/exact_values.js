// Exact results of all moves, where the solver knows them: on the cells, with gravity above the columns.

import { ask } from "./api.js";
import { svg } from "./dom.js";
import { shortWorth } from "./heat_map.js";
import { columnOf } from "./rules.js";
import { drawText } from "./shapes.js";
import { SingleRequest } from "./single_request.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{move: string, value: "win" | "draw" | "loss" | "unknown", plies: number | null}} MoveValue */

const SECONDS = 5; // for all moves of a position
const RANKS = { win: 2, draw: 1, loss: 0, unknown: -1 };

export class ExactValues {
  /** @param {App} app @param {{onChange: (results: Map<number, MoveValue>, words: string) => void}} listener
   * results: by cell; words: what is known, in a sentence */
  constructor(app, { onChange }) {
    this.app = app;
    this.onChange = onChange;
    this.request = new SingleRequest(app.connection);
    this.isOn = false;
    /** @type {WeakMap<import("./tree.js").Node, MoveValue[]>} complete answers */
    this.known = new WeakMap();
    app.state.subscribe(["game", "position"], () => this.#follow());
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.#follow();
  }

  #follow() {
    this.request.stop();
    const { state } = this.app;
    const { current } = state.tree;
    const known = this.known.get(current);
    if (!this.isOn || state.board.outcome) this.#draw([], this.isOn ? "The game is over." : "");
    else if (known) this.#draw(known, wordsOf(known));
    else this.#solve(current);
  }

  /** @param {import("./tree.js").Node} node */
  #solve(node) {
    /** @type {MoveValue[]} */
    let values = [];
    this.#draw([], "The solver is at work …");
    this.request.ask(
      { type: "solve", position: this.app.state.tree.position, seconds: SECONDS },
      {
        onMessage: (message) => {
          values = message.moves;
          const open = values.filter(({ value }) => value === "unknown").length;
          this.#draw(values, open ? `The solver is at work: ${values.length - open} of ${values.length} moves are known.` : wordsOf(values));
        },
        onEnd: (_, error) => {
          if (!error) this.known.set(node, values);
          this.#draw(values, error ? error.message : wordsOf(values));
          if (!values.length && !error) void this.#lookUp(node);
        },
      },
    );
  }

  /** Of a position that is too large to solve something may be known in general.
   * @param {import("./tree.js").Node} node */
  async #lookUp(node) {
    const { state } = this.app;
    try {
      const { value, method } = await ask(`values?position=${encodeURIComponent(state.tree.position)}`);
      if (value && this.isOn && state.tree.current === node) this.#draw([], `For the side to move this is a ${value}: ${method}.`);
    } catch (error) {
      if (state.tree.current === node) this.#draw([], /** @type {Error} */ (error).message);
    }
  }

  /** @param {MoveValue[]} values @param {string} words */
  #draw(values, words) {
    const { board, state } = this.app;
    const shown = values.filter(({ value }) => value !== "unknown");
    const best = Math.max(...shown.map(({ value }) => RANKS[value]), 0);
    const isGravity = state.tree.game.gravity;
    const labels = new Map();
    /** @type {Map<number, MoveValue>} */
    const results = new Map();
    for (const each of shown) {
      const cell = state.board.landing(each.move);
      if (cell === null) continue;
      const label = { text: shortWorth(each), name: `exact is-${each.value}${RANKS[each.value] === best ? " best" : ""}` };
      labels.set(isGravity ? columnOf(state.tree.game, cell) : cell, label);
      results.set(cell, each);
    }
    board.labelColumns(this.isOn && isGravity ? labels : null);
    board.overlay("exact", isGravity || !labels.size ? null : drawOnCells(labels));
    this.onChange(results, words);
  }
}

/** @param {Map<number, {text: string, name: string}>} labels @returns {import("./board.js").Drawing} */
function drawOnCells(labels) {
  return (centre) =>
    [...labels].flatMap(([cell, { text, name }]) => {
      const { x, y } = centre(cell);
      return [svg("rect", { class: name, x: x - 14, y: y - 4, width: 28, height: 18, rx: 5 }), drawText(text, { x, y: y + 5 }, `${name} label-text`)];
    });
}

/** @param {MoveValue[]} values */
function wordsOf(values) {
  const known = values.filter(({ value }) => value !== "unknown");
  if (!known.length) return "The solver does not know this position.";
  const best = known.reduce((one, other) => (isBetter(other, one) ? other : one));
  const rest = values.length - known.length;
  const open = rest ? ` ${rest} of ${values.length} moves are not known.` : "";
  const kind = { win: "wins", draw: "draws", loss: "loses", unknown: "" }[best.value];
  if (rest && best.value !== "win") return `Known so far: ${best.move} ${kind}.${open}`;
  const soon = best.plies && best.value !== "draw" ? ` in ${best.plies} move${best.plies === 1 ? "" : "s"}` : "";
  return `With best play the side to move ${kind}${soon}.${open}`;
}

/** Whether a move is better than another: first by who wins, then by how soon.
 * @param {MoveValue} one @param {MoveValue} other */
function isBetter(one, other) {
  if (RANKS[one.value] !== RANKS[other.value]) return RANKS[one.value] > RANKS[other.value];
  const sooner = (one.plies ?? Infinity) - (other.plies ?? Infinity);
  return one.value === "win" ? sooner < 0 : one.value === "loss" ? sooner > 0 : false;
}
