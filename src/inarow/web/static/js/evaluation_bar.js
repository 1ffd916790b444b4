// The bar beside the board: what the first seat can expect of the game, from 0 to 1, a draw counted as half.

import { byId, element } from "./dom.js";
import { lookOf } from "./shapes.js";
import { colourName } from "./words.js";

/** @typedef {{chance: number, text: string}} Evaluation chance: the first seat's; text: a few letters for the end that is ahead */

export class EvaluationBar {
  /** @param {import("./state.js").State} state */
  constructor(state) {
    this.state = state;
    this.place = byId("evaluation", HTMLElement);
    this.share = element("span", { class: "share" });
    this.text = element("span", { class: "text" });
    this.place.append(this.share, this.text);
    for (const [name, value] of Object.entries({ role: "meter", "aria-label": "Evaluation", "aria-valuemin": 0, "aria-valuemax": 100 })) {
      this.place.setAttribute(name, String(value));
    }
  }

  /** @param {Evaluation | null} evaluation null: not known yet, the bar stays at what it was */
  show(evaluation) {
    if (!evaluation) {
      this.text.textContent = "";
      this.#say(50, "not known yet");
      return;
    }
    const percent = Math.round(evaluation.chance * 100);
    this.place.className = `${lookOf(this.state.tree.game)} ${evaluation.chance < 0.5 ? "second-ahead" : "first-ahead"}`;
    this.place.style.setProperty("--share", `${percent}%`);
    this.text.textContent = evaluation.text;
    this.#say(percent, evaluationWords(this.state, evaluation));
  }

  hide() {
    this.place.hidden = true;
  }

  /** @param {number} percent @param {string} words */
  #say(percent, words) {
    this.place.hidden = false;
    this.place.setAttribute("aria-valuenow", String(percent));
    this.place.setAttribute("aria-valuetext", words);
    this.place.title = words;
  }
}

/** Who is ahead, and by how much.
 * @param {import("./state.js").State} state @param {Evaluation} evaluation */
export function evaluationWords({ tree }, { chance }) {
  const percent = Math.round(chance * 100);
  if (percent === 50) return "Even: 50 % for either side";
  const ahead = percent > 50 ? 0 : 1;
  const share = ahead ? 100 - percent : percent;
  return `${colourName(tree.game, ahead)}: ${share} %`;
}

/** @param {import("./live_analysis.js").Variation} best @param {import("./rules.js").Seat} turn who is to move @returns {Evaluation} */
export function evaluationOf(best, turn) {
  const chance = turn === 0 ? best.win_probability : 1 - best.win_probability;
  const letters = { win: "W", loss: "W", draw: "=", undecided: "" }[best.value];
  const number = best.value === "undecided" ? Math.round(Math.max(chance, 1 - chance) * 100) : (best.plies ?? "");
  return { chance, text: `${letters}${best.value === "draw" ? "" : number}` };
}
