// A recorded game on the board: it becomes the tree, with the players' names; on demand it is played through by itself.

import { person } from "./state.js";
import { GameTree } from "./tree.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{position: string, players: [string, string], outcome: {winner: "first" | "second" | null, reason: string, detail?: string} | null,
 *   seconds?: number[], opening?: number, notes?: [number, string][]}} GameRecord as docs/formats.md describes it */

const PAUSE = 600; // milliseconds that each move is seen
const LAST_PAUSE = 2500; // and the end of the game

export class Replay {
  /** @param {App} app @param {{onEnd: () => void, onTaken: () => void}} listener
   * onEnd: a game has been played through; onTaken: somebody goes another way on the board */
  constructor(app, { onEnd, onTaken }) {
    this.app = app;
    this.onEnd = onEnd;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.isOwnChange = false;
    app.state.subscribe(["game", "position"], () => {
      if (this.isOwnChange) return;
      this.stop();
      onTaken();
    });
  }

  get isPlaying() {
    return this.timer !== undefined;
  }

  /** @param {GameRecord} record @param {boolean} plays */
  open(record, plays) {
    const { state, play, board } = this.app;
    this.stop();
    const tree = treeOf(record);
    tree.current = tree.root;
    play.pause();
    state.seats = [person(), person()];
    this.#change(() => state.open(tree));
    state.changed("seats");
    board.host.scrollIntoView({ block: "nearest" }); // on a phone the list is far below
    if (plays) this.timer = setTimeout(() => this.#step(), PAUSE);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  #step() {
    const { state } = this.app;
    const [next] = state.tree.current.children;
    if (!next) {
      this.stop();
      this.onEnd();
      return;
    }
    this.#change(() => state.goTo(next));
    this.timer = setTimeout(() => this.#step(), next.children.length ? PAUSE : LAST_PAUSE);
  }

  /** @param {() => void} change */
  #change(change) {
    this.isOwnChange = true;
    try {
      change();
    } finally {
      this.isOwnChange = false;
    }
  }
}

/** @param {GameRecord} record @returns {GameTree} at its end */
export function treeOf({ position, players, outcome, seconds = [], opening = 0, notes = [] }) {
  const tree = GameTree.fromPosition(position);
  tree.players = players;
  const nodes = [tree.root, ...tree.root.end.path];
  seconds.forEach((each, index) => (nodes[index + 1].seconds = each));
  if (opening) nodes[opening].comment = opening === 1 ? "The first move was given." : `The first ${opening} moves were given.`;
  for (const [ply, text] of notes) {
    const node = nodes[Math.min(ply, nodes.length - 1)];
    node.comment = node.comment ? `${node.comment}\n${text}` : text;
  }
  if (outcome?.reason === "forfeit") {
    const loser = players[outcome.winner === "first" ? 1 : 0];
    tree.root.end.result = { winner: outcome.winner === "first" ? 0 : 1, words: `${loser} forfeits, ${outcome.detail ?? ""}` };
  }
  return tree;
}
