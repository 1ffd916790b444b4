// What the page says about a game: names, the status line, the game's title.

import { lookOf } from "./shapes.js";
import { gameText } from "./rules.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {import("./rules.js").Game} Game */

const COLOURS = { crosses: ["Crosses", "Noughts"], stones: ["Black", "White"], discs: ["Red", "Yellow"] };
const PLURALS = ["Crosses", "Noughts", "You"];

/** What a seat's stones are called.
 * @param {Game} game @param {Seat} seat */
export const colourName = (game, seat) => COLOURS[lookOf(game)][seat];

/** Who sits there: a player's name, You against a player; of two persons the name in the game's file, or the colour.
 * @param {State} state @param {Seat} seat */
export function occupantName(state, seat) {
  if (!state.isPerson(seat)) return state.seats[seat].name;
  if (!state.isPerson(0) || !state.isPerson(1)) return "You";
  return state.tree.players[seat] || colourName(state.tree.game, seat);
}

/** The occupant's name at the start of a sentence; two equal players are told apart.
 * @param {State} state @param {Seat} seat */
export function subjectOf(state, seat) {
  const name = occupantName(state, seat);
  const isTwin = !state.isPerson(0) && state.seats[0].name === state.seats[1].name;
  return isTwin ? `${name} (${colourName(state.tree.game, seat)})` : name;
}

/** @param {State} state @param {Seat} seat @param {string} verb */
export const verbOf = (state, seat, verb) => (PLURALS.includes(occupantName(state, seat)) ? verb : `${verb}s`);

/** @param {State} state */
export function statusWords(state) {
  const { outcome, board } = state;
  if (outcome && outcome.winner === null) return "Draw: the board is full";
  if (outcome?.winner != null) {
    const wins = `${subjectOf(state, outcome.winner)} ${verbOf(state, outcome.winner, "win")}`;
    return outcome.line ? `${wins}: ${outcome.words}` : `${outcome.words}: ${wins}`;
  }
  const who = subjectOf(state, board.turn);
  if (state.thinking !== null) return `${state.isPerson(state.thinking) ? "The engine" : subjectOf(state, state.thinking)} is thinking`;
  return who === "You" ? "Your move" : `${who} to move`;
}

/** A game's name where it has one, and what it takes to win.
 * @param {State} state */
export function gameTitle(state) {
  const { game } = state.tree;
  const preset = state.info.presets.find((each) => each.game === gameText(game));
  const size = `${game.rows} × ${game.columns}`;
  const name = preset && !preset.name.startsWith(size) ? preset.name : "";
  const parts = [name, name.includes(size) ? "" : size, `${game.k} in a row`, game.gravity ? "stones fall" : ""];
  return parts.filter(Boolean).join(" · ");
}

/** @param {number} seconds @returns {string} 0:07, 12:30 */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
