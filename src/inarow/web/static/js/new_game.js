// The dialog for a new game: which board, who sits where, how long a move may take.

import { byId, element, onClick } from "./dom.js";
import { gameText, parseGame } from "./rules.js";
import { person } from "./state.js";
import { GameTree } from "./tree.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Occupant} Occupant */
/** @typedef {import("./state.js").OptionInfo} OptionInfo */

/** @param {State} state @param {import("./play.js").Play} play @returns {{open: () => void}} */
export function startNewGame(state, play) {
  const dialog = new NewGame(state, play);
  onClick("new-game", () => dialog.open());
  return dialog;
}

class NewGame {
  /** @param {State} state @param {import("./play.js").Play} play */
  constructor(state, play) {
    this.state = state;
    this.play = play;
    this.dialog = byId("new-game-dialog", HTMLDialogElement);
    this.seats = [new SeatFields("seat-0", state), new SeatFields("seat-1", state)];
    this.isFilled = false;
    onClick("new-game-cancel", () => this.dialog.close());
    onClick("swap-seats", () => {
      const [first, second] = this.seats.map((seat) => seat.occupant);
      this.seats[0].show(second);
      this.seats[1].show(first);
    });
    for (const id of ["rows", "columns", "k", "gravity"]) {
      byId(id, HTMLInputElement).addEventListener("input", () => this.#markPreset());
    }
    byId("more-presets", HTMLSelectElement).addEventListener("change", (event) => {
      const chosen = /** @type {HTMLSelectElement} */ (event.target).value;
      if (chosen) this.#showGame(chosen);
    });
    byId("new-game-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  open() {
    if (!this.isFilled) this.#fill();
    this.#showGame(gameText(this.state.tree.game));
    this.seats.forEach((fields, seat) => fields.show(this.state.seats[seat]));
    byId("seconds", HTMLInputElement).value = String(this.state.settings.seconds);
    byId("seconds", HTMLInputElement).max = String(this.state.info.limits.seconds ?? 60);
    byId("new-game-problem", HTMLElement).textContent = "";
    this.dialog.showModal();
  }

  /** Presets: the first group as buttons, all others in a list. */
  #fill() {
    this.isFilled = true;
    const { presets } = this.state.info;
    const groups = [...new Set(presets.map((preset) => preset.group))];
    const chips = presets.filter((preset) => preset.group === groups[0]).map((preset) =>
      element("button", { type: "button", class: "chip", "data-game": preset.game, "aria-pressed": "false", onclick: () => this.#showGame(preset.game) }, preset.name),
    );
    byId("presets", HTMLElement).replaceChildren(...chips);
    const more = groups.slice(1).map((group) => {
      const own = presets.filter((preset) => preset.group === group);
      return element("optgroup", { label: group }, ...own.map((preset) => element("option", { value: preset.game }, preset.name)));
    });
    byId("more-presets", HTMLSelectElement).replaceChildren(element("option", { value: "" }, "Choose …"), ...more);
    byId("more-presets-field", HTMLElement).hidden = !more.length;
  }

  /** @param {string} text */
  #showGame(text) {
    const game = parseGame(text);
    byId("rows", HTMLInputElement).value = String(game.rows);
    byId("columns", HTMLInputElement).value = String(game.columns);
    byId("k", HTMLInputElement).value = String(game.k);
    byId("gravity", HTMLInputElement).checked = game.gravity;
    this.#markPreset();
  }

  get #gameText() {
    const [rows, columns, k] = ["rows", "columns", "k"].map((id) => byId(id, HTMLInputElement).value);
    return `${rows}x${columns}x${k}${byId("gravity", HTMLInputElement).checked ? "g" : ""}`;
  }

  #markPreset() {
    const text = this.#gameText;
    for (const chip of document.querySelectorAll("#presets .chip")) {
      chip.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (chip).dataset.game === text));
    }
    const more = byId("more-presets", HTMLSelectElement);
    more.value = [...more.options].some((option) => option.value === text) ? text : "";
  }

  #start() {
    try {
      const game = parseGame(this.#gameText);
      const seconds = Number(byId("seconds", HTMLInputElement).value);
      const seats = this.seats.map((seat) => seat.occupant);
      this.dialog.close();
      this.state.set({ seconds });
      this.play.start(new GameTree(game), [seats[0], seats[1]]);
    } catch (error) {
      byId("new-game-problem", HTMLElement).textContent = /** @type {Error} */ (error).message;
    }
  }
}

/** Who sits on a seat: a list of players, and the options of the one that is chosen. */
class SeatFields {
  /** @param {string} id of its fieldset @param {State} state */
  constructor(id, state) {
    this.state = state;
    this.id = id;
    this.select = element("select", { id: `${id}-player`, onchange: () => this.#showOptions({}) });
    this.summary = element("p", { class: "quiet" });
    this.options = element("div", { class: "options" });
    this.details = element("details", {}, element("summary", {}, "Options"), this.options);
    byId(id, HTMLElement).append(element("label", { class: "field" }, "Player ", this.select), this.summary, this.details);
  }

  /** @param {Occupant} occupant */
  show(occupant) {
    const players = this.state.info.players.map((player) => element("option", { value: player.name }, player.name));
    this.select.replaceChildren(element("option", { value: "" }, "Person"), ...players);
    this.select.value = occupant.name;
    this.#showOptions(occupant.options);
  }

  /** @param {Record<string, string>} given */
  #showOptions(given) {
    const player = this.state.info.players.find((each) => each.name === this.select.value);
    this.summary.textContent = player?.summary ?? "Somebody at this screen.";
    this.details.hidden = !player?.options.length;
    this.details.open = Object.keys(given).length > 0;
    this.options.replaceChildren(...(player?.options ?? []).map((option) => this.#field(option, given[option.name])));
  }

  /** @param {OptionInfo} option @param {string | undefined} value */
  #field(option, value) {
    const id = `${this.id}-${option.name}`;
    const shown = value ?? optionText(option.default);
    const help = element("span", { class: "quiet", id: `${id}-help` }, option.help);
    const given = { id, name: option.name, "aria-describedby": `${id}-help` };
    const choices = option.kind === "flag" ? ["on", "off"] : option.choices;
    const input = choices
      ? element("select", given, ...choices.map((choice) => element("option", { value: choice, selected: choice === shown }, choice)))
      : element("input", { ...given, type: "text", value: shown, autocomplete: "off", spellcheck: "false" });
    return element("div", { class: "option" }, element("label", { for: id }, option.name), input, help);
  }

  /** @returns {Occupant} with the options that differ from the player's own */
  get occupant() {
    const player = this.state.info.players.find((each) => each.name === this.select.value);
    if (!player) return person();
    /** @type {Record<string, string>} */
    const options = {};
    for (const option of player.options) {
      const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(`${this.id}-${option.name}`, HTMLElement));
      const value = input.value.trim();
      if (value !== "" && value !== optionText(option.default)) options[option.name] = value;
    }
    return { name: player.name, options };
  }
}

/** An option's value as in a player's spec.
 * @param {unknown} value */
function optionText(value) {
  if (value === null || value === undefined) return "none";
  return typeof value === "boolean" ? (value ? "on" : "off") : String(value);
}
