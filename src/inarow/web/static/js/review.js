// A whole game looked at again: a chart, the mistakes marked in the list of moves, and what would have been better.

import { announce, element } from "./dom.js";
import { Chart } from "./chart.js";
import { evaluationWords } from "./evaluation_bar.js";
import { lineRow } from "./line_view.js";
import { SingleRequest } from "./single_request.js";
import { positionText } from "./rules.js";
import { colourName } from "./words.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {{ply: number, move: string, seat: "first" | "second", best: string[], best_words: string, words: string,
 *   win_probability: number, loss: number, verdict: string}} ReviewedMove as the server says it; ply counts the moves before */

const SEATS = /** @type {Seat[]} */ ([0, 1]);
const PACES = [["0.1", "Quick"], ["0.3", "Normal"], ["1", "Careful"], ["5", "Deep"]]; // seconds a move
const LOUD = 0.25; // a loss that earns two question marks

export class Review {
  /** @param {App} app @param {{onRun: (isRunning: boolean) => void, onResult: () => void}} listener
   * onRun: it begins or ends; onResult: another move is known */
  constructor(app, { onRun, onResult }) {
    this.app = app;
    this.onRun = onRun;
    this.onResult = onResult;
    this.request = new SingleRequest(app.connection);
    this.isRunning = false;
    /** @type {Node[]} the game that is reviewed, without its start position */
    this.nodes = [];
    /** @type {ReviewedMove[]} */
    this.moves = [];
    this.chart = new Chart({ onGo: (ply) => this.#goTo(ply) });
    this.button = element("button", { type: "button", id: "review", onclick: () => (this.isRunning ? this.stop() : this.#start()) }, "Review the game");
    this.pace = element("select", { id: "review-pace", "aria-label": "Time for each move" }, ...PACES.map(([seconds, name]) => element("option", { value: seconds }, name)));
    this.pace.value = "0.3";
    this.progress = element("progress", { "aria-label": "Review", hidden: true });
    this.summary = element("p", { class: "review-summary", role: "status" });
    this.better = element("div", { class: "review-better" });
    this.result = element("div", { class: "review-result", hidden: true }, this.chart.place, this.better, this.summary);
    this.place = element("section", { class: "review", "aria-label": "Review" }, element("div", { class: "row" }, this.button, this.pace, this.progress), this.result);
    app.state.subscribe("game", () => this.#forget());
    app.state.subscribe(["game", "tree", "position"], () => this.#showCurrent());
  }

  /** What the review says of the position after a move.
   * @param {Node} node @returns {import("./evaluation_bar.js").Evaluation | null} */
  evaluationAt(node) {
    const reviewed = this.nodes[node.ply - 1] === node ? this.moves[node.ply - 1] : undefined;
    if (!reviewed) return null;
    const chance = reviewed.win_probability;
    return { chance, text: String(Math.round(Math.max(chance, 1 - chance) * 100)) };
  }

  stop() {
    this.request.stop();
    if (this.isRunning) this.#ended();
  }

  #start() {
    const { state } = this.app;
    this.#forget();
    this.nodes = state.tree.current.end.path;
    if (!this.nodes.length) return;
    this.isRunning = true;
    this.result.hidden = false;
    this.progress.hidden = false;
    this.progress.max = this.nodes.length;
    this.#showProgress();
    this.onRun(true);
    const position = positionText(state.tree.game, this.nodes.map((node) => node.move));
    this.request.ask(
      { type: "review", position, seconds: Number(this.pace.value) },
      {
        onMessage: (message) => this.#add(/** @type {ReviewedMove} */ (/** @type {unknown} */ (message))),
        onEnd: (_, error) => {
          this.#ended();
          if (error) this.summary.textContent = error.message;
        },
      },
    );
  }

  /** @param {ReviewedMove} move */
  #add(move) {
    this.moves[move.ply] = move; // in place of an earlier one, where a lost connection made it start anew
    const node = this.nodes[move.ply];
    if (move.verdict) {
      node.mark = { glyph: move.loss >= LOUD ? "??" : "?", words: `${verdictWords(move)}; better was ${move.best[0]} (${move.best_words})` };
      this.app.state.changed("tree");
    }
    this.#showProgress();
    this.onResult();
  }

  #ended() {
    this.isRunning = false;
    this.#showProgress();
    this.summary.textContent = this.moves.length ? this.#summaryWords() : "";
    announce(this.summary.textContent);
    this.onRun(false);
  }

  #forget() {
    this.request.stop();
    if (this.isRunning) this.#ended();
    for (const node of this.nodes) node.mark = null;
    if (this.moves.some(({ verdict }) => verdict)) this.app.state.changed("tree");
    this.nodes = [];
    this.moves = [];
    this.result.hidden = true;
    this.summary.textContent = "";
    this.better.replaceChildren();
  }

  #showProgress() {
    this.button.textContent = this.isRunning ? "Stop the review" : "Review the game";
    this.pace.hidden = this.isRunning;
    this.progress.hidden = !this.isRunning;
    this.progress.value = this.moves.length;
    this.chart.show(this.#points(), this.nodes.length);
    this.#showCurrent();
  }

  /** @returns {import("./chart.js").ChartPoint[]} */
  #points() {
    const { state } = this.app;
    const [first] = this.moves;
    if (!first) return [];
    const start = { chance: Math.min(1, first.win_probability + first.loss), text: "" };
    return [
      { ply: 0, chance: start.chance, verdict: "", words: `Start: ${evaluationWords(state, start)}` },
      ...this.moves.map((move) => {
        const chance = move.win_probability;
        const verdict = move.verdict ? `, ${verdictWords(move)}` : "";
        return { ply: move.ply + 1, chance, verdict: move.verdict, words: `${move.ply + 1}. ${move.move}${verdict} · ${evaluationWords(state, { chance, text: "" })}` };
      }),
    ];
  }

  /** The board has gone to another move: the chart follows, and a better line is offered where there was one. */
  #showCurrent() {
    const { tree } = this.app.state;
    const { current } = tree;
    const isOnLine = current === tree.root || this.nodes[current.ply - 1] === current;
    this.chart.go(isOnLine ? current.ply : -1);
    const move = isOnLine && current.parent ? this.moves[current.ply - 1] : undefined;
    this.better.replaceChildren();
    if (!move?.verdict || !current.parent) return;
    const line = { words: move.best_words, moves: move.best, value: valueIn(move.best_words) };
    this.better.append(element("p", {}, "Better was"), lineRow(this.app, current.parent, line));
  }

  /** @param {number} ply */
  #goTo(ply) {
    const { state } = this.app;
    const node = ply ? this.nodes[ply - 1] : state.tree.root;
    if (node && state.tree.contains(node)) state.goTo(node);
  }

  #summaryWords() {
    const { game } = this.app.state.tree;
    const parts = SEATS.map((seat) => {
      const own = this.moves.filter((move) => move.seat === ["first", "second"][seat] && move.verdict);
      return `${colourName(game, seat)}: ${counted(own)}.`;
    });
    const worst = this.moves.reduce((one, other) => (other.loss > one.loss ? other : one));
    const turning = worst.verdict ? ` The game turned most at move ${worst.ply + 1}, ${worst.move}.` : "";
    const rest = this.moves.length < this.nodes.length ? ` ${this.moves.length} of ${this.nodes.length} moves were looked at.` : "";
    return parts.join(" ") + turning + rest;
  }
}

/** @param {ReviewedMove[]} moves with a verdict */
function counted(moves) {
  const kinds = [["blunder", "blunders"], ["mistake", "mistakes"], ["missed win", "missed wins"]];
  const parts = kinds.flatMap(([one, many]) => {
    const count = moves.filter(({ verdict }) => verdict === one).length;
    return count ? [`${count} ${count === 1 ? one : many}`] : [];
  });
  return parts.join(", ") || "no mistakes";
}

/** @param {ReviewedMove} move */
const verdictWords = ({ verdict, loss }) => (verdict === "missed win" ? verdict : `${verdict}, −${Math.round(loss * 100)} %`);

/** @param {string} words such as win in 7 */
const valueIn = (words) => ["win", "draw", "loss"].find((value) => words.startsWith(value)) ?? "undecided";
