// The engine's view of the position on the board: it follows as one steps through the game, until it is switched off.

import { SingleRequest } from "./single_request.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {{moves: string[], value: "win" | "draw" | "loss" | "undecided", plies: number | null, score: number,
 *   win_probability: number, depth: number, words: string}} Variation worth to the side to move */
/** @typedef {{depth: number, selective_depth: number, nodes: number, seconds: number, nodes_per_second: number, table_share: number,
 *   source: string, variations: Variation[]}} Report */
/** @typedef {{onReport: (report: Report | null) => void, onCondition: (words: string, isDone?: boolean) => void}} Listener
 * onReport: null when nothing is known of the position yet; onCondition: why nothing more comes, isDone when all is found */

const GOES_ON = ["busy", "worker"]; // errors that pass
const AGAIN = 1500; // milliseconds until an analysis that had to give way is asked for anew

export class LiveAnalysis {
  /** @param {State} state @param {import("./socket.js").Connection} connection @param {Listener} listener */
  constructor(state, connection, listener) {
    this.state = state;
    this.request = new SingleRequest(connection);
    this.listener = listener;
    this.isOn = false;
    this.lines = 3;
    /** @type {WeakMap<Node, Report>} the last report on each position, to show at once when one comes back to it */
    this.known = new WeakMap();
    state.subscribe(["game", "position"], () => this.#follow());
  }

  /** @param {boolean} isOn */
  turn(isOn) {
    this.isOn = isOn;
    this.#follow();
  }

  /** @param {number} lines how many moves are compared */
  compare(lines) {
    if (lines === this.lines) return;
    this.lines = lines;
    if (this.isOn) this.#ask();
  }

  #follow() {
    if (!this.isOn) {
      this.request.stop();
      this.listener.onReport(null);
      this.listener.onCondition("");
      return;
    }
    this.listener.onReport(this.known.get(this.state.tree.current) ?? null);
    if (this.state.board.outcome) {
      this.request.stop();
      this.listener.onCondition("The game is over.");
    } else this.#ask();
  }

  /** @param {number} [delay] */
  #ask(delay) {
    const { position, current } = this.state.tree;
    this.listener.onCondition("");
    this.request.ask(
      { type: "analyse", position, lines: this.lines, seconds: null },
      {
        onMessage: (message) => {
          const report = /** @type {Report} */ (/** @type {unknown} */ (message));
          this.known.set(current, report);
          this.listener.onCondition("");
          this.listener.onReport(report);
        },
        onEnd: (last, error) => this.#ended(last?.why ? "The engine is needed elsewhere; this goes on soon." : null, error),
      },
      delay,
    );
  }

  /** @param {string | null} pause why it goes on later @param {import("./socket.js").RequestError | null} error */
  #ended(pause, error) {
    if (pause || GOES_ON.includes(error?.kind ?? "")) this.#ask(AGAIN);
    this.listener.onCondition(pause ?? error?.message ?? "", !pause && !error);
  }
}
