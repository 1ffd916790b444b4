// The analysis panel: live lines and figures, what is drawn on the board, the review of a game. Its place is #panel-analysis.

import { announce, byId, element, svg } from "./dom.js";
import { EvaluationBar, evaluationOf } from "./evaluation_bar.js";
import { ExactValues } from "./exact_values.js";
import { drawHeatMap } from "./heat_map.js";
import { lineRow } from "./line_view.js";
import { LiveAnalysis } from "./live_analysis.js";
import { Review } from "./review.js";
import { openTab } from "./tabs.js";
import { drawMark, ThreatsView } from "./threats.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./live_analysis.js").Report} Report */
/** @typedef {import("./keys.js").Shortcut} Shortcut */

const MOST_LINES = 10;
const FIGURES = ["Depth", "Nodes", "Speed", "Table", "Source"].map((name) => ({ name, isShown: !["Speed", "Source"].includes(name) }));

/** @param {App} app @returns {Shortcut[]} its keys */
export function startAnalysis(app) {
  const panel = new AnalysisPanel(app);
  return [
    { keys: ["a"], words: "analysis on or off", run: () => panel.toggle() },
    { keys: ["m"], words: "map of the candidate moves", run: () => panel.heat.click() },
    { keys: ["e"], words: "exact results", run: () => panel.exact.click() },
    { keys: ["t"], words: "threats", run: () => panel.threats.click() },
  ];
}

class AnalysisPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Report | null} */
    this.report = null;
    /** @type {Map<number, import("./exact_values.js").MoveValue>} exact results by cell */
    this.exactResults = new Map();
    /** Whether the analysis was on when a review began. */
    this.wasLive = false;
    this.bar = new EvaluationBar(app.state);
    this.analysis = new LiveAnalysis(app.state, app.connection, {
      onReport: (report) => this.#showReport(report),
      onCondition: (words, isDone = false) => {
        this.condition.textContent = words;
        this.done.hidden = !isDone;
      },
    });
    this.exactValues = new ExactValues(app, { onChange: (results, words) => this.#showExact(results, words) });
    this.threatsView = new ThreatsView(app, { onChange: (words) => this.#showThreats(words) });
    this.review = new Review(app, { onRun: (isRunning) => this.#reviewRuns(isRunning), onResult: () => this.#showBar() });

    this.live = checkbox("analysis-live", () => this.#turn());
    this.lines = element("select", { id: "analysis-lines", onchange: () => this.#compare() });
    this.lines.append(...Array.from({ length: MOST_LINES }, (_, index) => element("option", { value: index + 1 }, String(index + 1))));
    this.lines.value = "3";
    this.heat = checkbox("show-heat", () => this.#turnHeat());
    this.heatNumbers = checkbox("show-heat-numbers", () => this.#drawHeat());
    this.exact = checkbox("show-exact", () => this.exactValues.turn(this.exact.checked));
    this.threats = checkbox("show-threats", () => this.threatsView.turn(this.threats.checked));

    this.condition = element("p", { class: "quiet condition", role: "status" });
    this.done = element("span", { class: "done", hidden: true, title: "There is nothing more to search" }, "done");
    this.figures = FIGURES.map(() => element("dd", {}, "–"));
    this.list = element("div", { class: "pv-list", role: "group", "aria-label": "Best lines" });
    this.details = element("div", { class: "live", hidden: true });
    this.exactWords = element("p", { class: "quiet", id: "exact-words", role: "status" });
    this.threatWords = element("div", { class: "threat-words", id: "threat-words" });
    this.#build();
    app.state.subscribe(["game", "position"], () => this.#positionChanged());
    this.list.addEventListener("pointerleave", () => this.#drawLines());
    this.list.addEventListener("focusout", (event) => !isWithin(this.list, event.relatedTarget) && this.#drawLines());
  }

  #build() {
    const figures = element("dl", { class: "figures" });
    FIGURES.forEach(({ name, isShown }, index) => {
      const title = element("dt", { class: isShown ? "" : "hidden-words" }, name);
      figures.append(element("div", {}, title, this.figures[index]));
    });
    this.details.append(this.list, figures);
    const onBoard = element(
      "div", { class: "switches", role: "group", "aria-label": "Shown on the board" },
      labelled(this.heat, "Candidates", "", "The best moves on the board: the larger and bluer, the better"),
      labelled(this.heatNumbers, "Numbers", "", "What the player to move can expect, in per cent"),
      labelled(this.exact, "Exact", "", "Exact results where the solver knows them: W7 wins in 7 moves, D draws, L12 loses in 12"),
      labelled(this.threats, "Threats", "", "Cells that win at once, and moves that force a reply"),
    );
    byId("panel-analysis", HTMLElement).append(
      element("div", { class: "row" }, labelled(this.live, "Live analysis", "switch"), this.done, element("label", { class: "lines-choice" }, "Lines ", this.lines)),
      this.details,
      this.condition,
      onBoard,
      this.exactWords,
      this.threatWords,
      this.review.place,
    );
    this.heatNumbers.disabled = true;
  }

  /** By key: somebody who turns the analysis on wants to see it. */
  toggle() {
    if (!this.live.checked) openTab("tab-analysis");
    this.live.click();
  }

  #turn() {
    const isOn = this.live.checked;
    if (isOn) this.review.stop();
    if (!isOn && !this.review.isRunning) this.heat.checked = false;
    this.details.hidden = !isOn;
    this.analysis.turn(isOn);
    this.#compare();
    this.#showBar();
    announce(isOn ? "Analysis on" : "Analysis off");
  }

  /** How many moves the engine compares: as many as lines are shown, for a map of the candidates as many as it can. */
  #compare() {
    this.heatNumbers.disabled = !this.heat.checked;
    const most = this.app.state.info.limits.lines ?? MOST_LINES;
    this.analysis.compare(this.heat.checked ? most : Number(this.lines.value));
    this.#drawHeat();
    this.#drawLines();
  }

  /** A map needs an analysis. */
  #turnHeat() {
    if (this.heat.checked && !this.live.checked) this.live.click();
    this.#compare();
  }

  #positionChanged() {
    this.app.board.overlay("preview", null);
    this.review.button.disabled = !this.app.state.tree.root.children.length;
    this.#showBar();
  }

  /** @param {Report | null} report */
  #showReport(report) {
    this.report = report;
    if (!report) this.app.board.overlay("preview", null);
    const isPointedAt = report && this.shownNode === this.app.state.tree.current && (this.list.matches(":hover") || isWithin(this.list, document.activeElement));
    if (!isPointedAt) this.#drawLines(); // what somebody points at stays until the pointer leaves
    this.#showFigures();
    this.#drawHeat();
    this.#showBar();
  }

  #drawLines() {
    const { current } = this.app.state.tree;
    const variations = (this.report?.variations ?? []).slice(0, Number(this.lines.value));
    this.shownNode = this.report ? current : null;
    this.list.replaceChildren(...variations.map((variation) => lineRow(this.app, current, { ...variation, words: shortWords(variation.words) })));
  }

  #showFigures() {
    const report = this.report;
    const texts = report
      ? [
          report.selective_depth > report.depth ? `${report.depth}/${report.selective_depth}` : String(report.depth),
          compact(report.nodes), `${compact(report.nodes_per_second)}/s`, `${Math.round(report.table_share * 100)} %`, report.source,
        ]
      : FIGURES.map(() => "–");
    texts.forEach((text, index) => (this.figures[index].textContent = text));
  }

  #drawHeat() {
    const isShown = this.heat.checked && this.report !== null;
    const how = { numbers: this.heatNumbers.checked, exact: this.exactResults };
    this.app.board.overlay("heat", isShown && this.report ? drawHeatMap(this.report, how) : null, { under: true });
  }

  /** The bar: the live report, else the end of the game, else what a review said. */
  #showBar() {
    const { board, tree } = this.app.state;
    const best = this.report?.variations[0];
    const reviewed = this.review.evaluationAt(tree.current);
    const { outcome } = board;
    if (!this.live.checked && !this.review.nodes.length) this.bar.hide();
    else if (outcome) this.bar.show({ chance: outcome.winner === null ? 0.5 : 1 - outcome.winner, text: "" });
    else if (this.live.checked && best) this.bar.show(evaluationOf(best, board.turn));
    else this.bar.show(reviewed);
  }

  /** @param {Map<number, import("./exact_values.js").MoveValue>} results @param {string} words */
  #showExact(results, words) {
    this.exactResults = results;
    this.exactWords.textContent = words;
    this.#drawHeat();
  }

  /** @param {string[]} words */
  #showThreats(words) {
    const marks = words.map((_, seat) => {
      const mark = svg("svg", { class: "threat-key", viewBox: "-12 -12 24 24", "aria-hidden": "true" });
      mark.append(drawMark(/** @type {0 | 1} */ (seat % 2), "now", { x: 0, y: 0 }));
      return mark;
    });
    this.threatWords.replaceChildren(...words.map((text, index) => element("p", {}, marks[index], text)));
  }

  /** While a game is reviewed, the engine's time goes there; then the analysis goes on.
   * @param {boolean} isRunning */
  #reviewRuns(isRunning) {
    const mustTurn = isRunning ? this.live.checked : this.wasLive && !this.live.checked;
    this.wasLive = isRunning && this.live.checked;
    if (mustTurn) this.live.click();
    this.#showBar();
  }
}

/** @param {string} id @param {() => void} onChange @returns {HTMLInputElement} */
function checkbox(id, onChange) {
  return element("input", { type: "checkbox", id, onchange: onChange });
}

/** @param {HTMLElement} input @param {string} words @param {string} [name] a class @param {string} [title] */
const labelled = (input, words, name, title) => element("label", { class: name, title }, input, ` ${words}`);

/** @param {Element} place @param {EventTarget | null} target */
const isWithin = (place, target) => target instanceof Node && place.contains(target);

/** Without the percentage, which the bar shows.
 * @param {string} words such as +0.42 (60 %) */
const shortWords = (words) => words.replace(/ \(.*\)$/, "").replace("-", "−");

/** @param {number} number @returns {string} 950, 12.3 k, 1.2 M */
function compact(number) {
  const [size, unit] = number >= 1e9 ? [1e9, " G"] : number >= 1e6 ? [1e6, " M"] : number >= 1e3 ? [1e3, " k"] : [1, ""];
  const shown = number / size;
  return (shown < 100 && size > 1 ? shown.toFixed(1) : shown.toFixed(0)) + unit;
}
