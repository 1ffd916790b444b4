// A game in progress: persons and players take turns; take back, resign, rematch, hints.
//
// Players answer by themselves while the game is live: after a new game or a person's move. Whoever steps through the tree
// looks; nobody moves until a person plays on, or presses space.

import { announce, toast } from "./dom.js";
import { playerSpec } from "./state.js";
import { GameTree } from "./tree.js";
import { drawHint } from "./marks.js";
import { occupantName, subjectOf, verbOf } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./socket.js").Connection} Connection */
/** @typedef {{node: Node, seat: Seat, request: import("./socket.js").Request, isStopped: boolean}} Pending a move that was asked for */

const WATCHING_PAUSE = 350; // milliseconds that each move can be seen when two quick players meet
const HINT_SECONDS = 1;
const HELPER = "engine"; // gives hints, and moves for a person on demand

export class Play {
  /** @param {State} state @param {Connection} connection @param {import("./board.js").BoardView} board */
  constructor(state, connection, board) {
    this.state = state;
    this.connection = connection;
    this.board = board;
    /** Whether players move by themselves. */
    this.isLive = false;
    /** @type {Pending | null} */
    this.pending = null;
    /** The node that the game in progress is at; looking at another one makes the game wait.
     * @type {Node} */
    this.node = state.tree.current;
    /** When the move that is being thought about began, in milliseconds. */
    this.since = performance.now();
    /** @type {import("./socket.js").Request | null} */
    this.hinting = null;
    state.subscribe(["game", "position"], () => this.#positionChanged());
  }

  /** @returns {boolean} whether two players play and nobody else */
  get isWatched() {
    return !this.state.isPerson(0) && !this.state.isPerson(1);
  }

  /** Starts another game.
   * @param {GameTree} tree @param {[import("./state.js").Occupant, import("./state.js").Occupant]} seats */
  start(tree, seats) {
    this.state.seats = seats;
    this.state.open(tree);
    this.state.changed("seats");
    announce(`New game. ${subjectOf(this.state, this.state.board.turn)} ${verbOf(this.state, this.state.board.turn, "begin")}.`);
    this.resume();
  }

  /** Lets the players go on from the position that is shown. */
  resume() {
    this.isLive = true;
    this.node = this.state.tree.current;
    this.since = performance.now();
    this.#next();
  }

  pause() {
    this.isLive = false;
    this.#cancel();
    this.state.changed("seats");
  }

  /** A person chose a cell.
   * @param {number} cell */
  choose(cell) {
    const { board, outcome } = this.state;
    const move = board.moveAt(cell);
    if (outcome) toast("This game is over. Take a move back, or start a rematch.");
    else if (!this.state.isPerson(board.turn) && this.state.thinking !== null) toast(`${occupantName(this.state, board.turn)} is thinking.`);
    else if (move !== null && (this.state.isPerson(board.turn) || !this.isLive)) {
      const seconds = this.isLive ? (performance.now() - this.since) / 1000 : null;
      this.#play(move, seconds, true);
    }
  }

  /** Goes back to where a person is to move again, one or two moves; the moves stay in the tree. */
  takeBack() {
    const { tree } = this.state;
    let node = tree.current.parent;
    const isMixed = this.state.isPerson(0) !== this.state.isPerson(1);
    if (node && isMixed && !this.state.isPerson(/** @type {Seat} */ (node.ply % 2))) node = node.parent;
    if (!node) return;
    this.#cancel();
    this.isLive = !this.isWatched;
    this.#go(node);
    announce(`Taken back to move ${node.ply}.`);
  }

  /** The person gives up: the only one, or the one to move. */
  resign() {
    if (this.state.outcome || this.isWatched) return;
    const turn = this.state.board.turn;
    const seat = /** @type {Seat} */ (this.state.isPerson(turn) ? turn : 1 - turn);
    this.#cancel();
    this.state.tree.current.result = { winner: /** @type {Seat} */ (1 - seat), words: `${subjectOf(this.state, seat)} resigned` };
    this.#go(this.state.tree.current);
  }

  /** The same game again, seats swapped. */
  rematch() {
    this.#cancel();
    const [first, second] = this.state.seats;
    this.start(new GameTree(this.state.tree.game), [second, first]);
  }

  /** Lets the player whose turn it is, or the engine for a person, move; a player who thinks already plays what it has. */
  engineMoves() {
    if (this.state.outcome) return;
    if (this.pending) {
      this.pending.isStopped = true;
      this.pending.request.stop();
    } else if (this.isWatched) this.resume();
    else {
      const occupant = this.state.seats[this.state.board.turn];
      this.isLive = true;
      this.node = this.state.tree.current;
      this.#ask(occupant.name ? playerSpec(occupant) : HELPER);
    }
  }

  /** Marks a good move. */
  async hint() {
    if (this.state.outcome || this.hinting || this.pending) return;
    const { position, current } = this.state.tree;
    this.hinting = this.connection.request({ type: "move", position, player: HELPER, seconds: HINT_SECONDS });
    this.state.changed("seats");
    try {
      const { move } = await this.hinting.done;
      if (this.state.tree.current !== current) return;
      const cell = this.state.board.landing(move);
      if (cell !== null) this.board.overlay("hint", drawHint(cell));
      announce(`Hint: ${move}`);
    } catch (error) {
      toast(`No hint: ${/** @type {Error} */ (error).message}`);
    } finally {
      this.hinting = null;
      this.state.changed("seats");
    }
  }

  /** The connection stands again: a player whose move was lost is asked anew. */
  reconnected() {
    if (this.isLive && !this.pending) this.#next();
  }

  /** @param {string} move @param {number | null} seconds @param {boolean} goesOn whether players answer */
  #play(move, seconds, goesOn) {
    const seat = this.state.board.turn;
    this.isLive = goesOn;
    this.#expect(() => {
      const node = this.state.tree.play(move);
      node.seconds = seconds;
      this.node = node;
      this.state.changed("tree", "position");
    });
    announce(`${subjectOf(this.state, seat)}: ${move}.`);
    this.since = performance.now();
    this.#next();
  }

  /** Goes to a node as a part of the game, not to look.
   * @param {Node} node */
  #go(node) {
    this.#expect(() => {
      this.state.tree.current = node;
      this.node = node;
      this.state.changed("tree", "position", "seats");
    });
    this.since = performance.now();
  }

  /** Whose turn is it? A player is asked for its move. */
  #next() {
    const { outcome, board, thinking } = this.state;
    this.state.changed("seats");
    if (outcome || !this.isLive || thinking !== null || this.state.isPerson(board.turn)) return;
    this.#ask(playerSpec(this.state.seats[board.turn]));
  }

  /** @param {string} player */
  async #ask(player) {
    const { tree, board, settings } = this.state;
    const began = performance.now();
    const request = this.connection.request({ type: "move", position: tree.position, player, seconds: settings.seconds });
    const pending = { node: tree.current, seat: board.turn, request, isStopped: false };
    this.pending = pending;
    this.#setThinking(board.turn);
    try {
      const answer = await request.done;
      const rest = this.isWatched && !pending.isStopped ? WATCHING_PAUSE - (performance.now() - began) : 0;
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (this.pending !== pending) return;
      this.pending = null;
      this.#setThinking(null);
      this.#play(answer.move, answer.seconds, this.isLive);
    } catch (error) {
      if (this.pending !== pending) return;
      this.pending = null;
      this.#setThinking(null);
      const { kind, message } = /** @type {import("./socket.js").RequestError} */ (error);
      if (kind === "lost") return; // reconnected() asks again
      this.isLive = false;
      this.state.changed("seats");
      toast(`${player} could not move: ${message}`);
    }
  }

  /** @param {Seat | null} seat */
  #setThinking(seat) {
    this.state.thinking = seat;
    this.state.changed("seats");
  }

  /** Forgets the move that was asked for. */
  #cancel() {
    if (!this.pending) return;
    this.pending.request.stop();
    this.pending = null;
    this.#setThinking(null);
  }

  /** Changes the position as a part of the game.
   * @param {() => void} change */
  #expect(change) {
    this.isOwnChange = true;
    try {
      change();
    } finally {
      this.isOwnChange = false;
    }
  }

  #positionChanged() {
    this.board.overlay("hint", null);
    if (this.isOwnChange || this.state.tree.current === this.node) return;
    this.#cancel();
    this.isLive = false;
  }
}
