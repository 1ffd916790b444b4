// What is seen of a game in progress: the seats with their clocks, the status line, the buttons for playing.

import { announce, byId, element, onClick, svg } from "./dom.js";
import { drawStone, lookOf } from "./shapes.js";
import { clockText, colourName, gameTitle, occupantName, statusWords } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./rules.js").Seat} Seat */

const SEATS = /** @type {Seat[]} */ ([0, 1]);
const TICK = 250; // milliseconds between two looks at the clocks

/** @param {State} state @param {Play} play */
export function startPlayView(state, play) {
  const view = new PlayView(state, play);
  state.subscribe(["game", "seats"], () => view.drawSeats());
  state.subscribe(["game", "tree", "position", "seats"], () => view.draw());
  setInterval(() => view.drawClocks(), TICK);
  onClick("take-back", () => play.takeBack());
  onClick("hint", () => void play.hint());
  onClick("engine-moves", () => play.engineMoves());
  onClick("pause", () => (play.isLive ? play.pause() : play.resume()));
  onClick("resign", () => play.resign());
  onClick("rematch", () => play.rematch());
}

class PlayView {
  /** @param {State} state @param {Play} play */
  constructor(state, play) {
    this.state = state;
    this.play = play;
    this.cards = SEATS.map(() => element("div", { class: "seat" }));
    this.clocks = SEATS.map(() => element("span", { class: "clock" }));
    this.lastOutcome = "";
    byId("seats", HTMLElement).append(...this.cards);
  }

  drawSeats() {
    const { state } = this;
    for (const seat of SEATS) {
      const { name, options } = state.seats[seat];
      const stone = svg("svg", { class: `seat-stone ${lookOf(state.tree.game)}`, viewBox: "-20 -20 40 40", "aria-hidden": "true" });
      stone.append(drawStone(lookOf(state.tree.game), seat, { x: 0, y: 0 }));
      const given = Object.entries(options).map(([option, value]) => `${option} ${value}`);
      const colour = colourName(state.tree.game, seat);
      const title = occupantName(state, seat);
      const about = [title === colour ? "" : colour, name ? `${state.settings.seconds} s a move` : "", ...given].filter(Boolean).join(" · ");
      const who = element("span", { class: "who" }, element("strong", {}, title), element("span", { class: "quiet" }, about || "a person"));
      this.cards[seat].replaceChildren(stone, who, this.clocks[seat]);
    }
  }

  draw() {
    const { state } = this;
    const { outcome, board, thinking, tree } = state;
    byId("game-title", HTMLElement).textContent = gameTitle(state);
    const words = statusWords(state);
    byId("status", HTMLElement).textContent = words;
    byId("status", HTMLElement).classList.toggle("thinking", thinking !== null);
    byId("status-note", HTMLElement).textContent = this.#note();
    document.title = tree.current.ply || outcome ? `${words} – inarow` : "inarow";
    for (const seat of SEATS) {
      this.cards[seat].classList.toggle("to-move", !outcome && board.turn === seat);
      this.cards[seat].classList.toggle("winner", outcome?.winner === seat);
    }
    if (outcome && words !== this.lastOutcome) announce(words);
    this.lastOutcome = outcome ? words : "";
    this.#drawButtons();
    this.drawClocks();
  }

  /** @returns {string} what there is to know besides whose turn it is */
  #note() {
    const { state, play } = this;
    const { current } = state.tree;
    if (play.hinting) return "Looking for a good move …";
    if (state.outcome || play.isLive) return "";
    if (current.children.length) return `Move ${current.ply} of ${current.end.ply}. Play from here to start a variation.`;
    return state.isPerson(state.board.turn) ? "" : "Let it move, or move for it.";
  }

  /** @returns {string} what the button does that lets a player move */
  #engineWords() {
    const { state } = this;
    if (state.thinking !== null) return "Move now";
    return state.isPerson(state.board.turn) ? "Engine moves" : `Let ${occupantName(state, state.board.turn)} move`;
  }

  #drawButtons() {
    const { state, play } = this;
    const isOver = state.outcome !== null;
    byId("take-back", HTMLButtonElement).disabled = !state.tree.current.parent;
    byId("hint", HTMLButtonElement).disabled = isOver || play.hinting !== null || state.thinking !== null;
    byId("engine-moves", HTMLButtonElement).disabled = isOver;
    byId("engine-moves", HTMLButtonElement).textContent = this.#engineWords();
    byId("resign", HTMLButtonElement).disabled = isOver || !state.tree.current.parent;
    byId("resign", HTMLButtonElement).hidden = play.isWatched;
    byId("pause", HTMLButtonElement).hidden = !play.isWatched;
    byId("pause", HTMLButtonElement).disabled = isOver;
    byId("pause", HTMLButtonElement).textContent = play.isLive ? "Pause" : "Go on";
    byId("rematch", HTMLButtonElement).classList.toggle("strong", isOver);
  }

  /** The time of each seat's moves so far, and of the one that is being thought about. */
  drawClocks() {
    const { state, play } = this;
    const used = [0, 0];
    for (let node = state.tree.current; node.parent; node = node.parent) used[1 - (node.ply % 2)] += node.seconds ?? 0;
    const runs = !state.outcome && (play.isLive || state.thinking !== null) && (state.tree.current.ply > 0 || state.thinking !== null);
    if (runs) used[state.board.turn] += (performance.now() - play.since) / 1000;
    for (const seat of SEATS) {
      const text = clockText(used[seat]);
      if (this.clocks[seat].textContent !== text) this.clocks[seat].textContent = text;
    }
  }
}
