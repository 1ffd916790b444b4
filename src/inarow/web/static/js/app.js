// Wires the page: one state, one board, one connection, and the parts that show and change them.

import { startAnalysis } from "./analysis.js";
import { ask } from "./api.js";
import { BoardView } from "./board.js";
import { byId, onClick, toast } from "./dom.js";
import { linkedGame, openLink, startFiles } from "./files.js";
import { startKeys } from "./keys.js";
import { startNewGame } from "./new_game.js";
import { Play } from "./play.js";
import { startPlayView } from "./play_view.js";
import { Connection } from "./socket.js";
import { person, State } from "./state.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { startTournaments } from "./tournaments.js";
import { GameTree } from "./tree.js";
import { startTreeView } from "./tree_view.js";

/** What every part of the page can use.
 * @typedef {{state: State, board: BoardView, connection: Connection, play: Play}} App */

const FIRST_GAME = "15x15x5";
const FIRST_OPPONENT = "engine";

/** @returns {App} */
function build() {
  const state = new State();
  /** @type {Play} */
  let play;
  const board = new BoardView(byId("board", HTMLElement), {
    onCell: (cell) => play.choose(cell),
    ghost: () => (state.outcome || (!state.isPerson(state.board.turn) && (play.isLive || state.thinking !== null)) ? null : state.board.turn),
  });
  const line = byId("connection", HTMLElement);
  const connection = new Connection(socketAddress(), {
    onCondition: (condition, words) => {
      line.textContent = words;
      line.hidden = condition !== "waiting";
      if (condition === "open") play.reconnected();
    },
    onNotice: toast,
  });
  play = new Play(state, connection, board);
  return { state, board, connection, play };
}

function socketAddress() {
  const address = new URL("/socket", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}

/** The board follows the state.
 * @param {App} app */
function startBoard({ state, board }) {
  state.subscribe(["game", "position", "settings"], () => {
    board.flip(state.settings.flipped);
    board.show(state.board, { line: state.outcome?.line ?? null, numbers: state.settings.numbers });
  });
  state.subscribe("position", () => {
    const last = state.board.cells.at(-1);
    if (last !== undefined && !board.view.isFitted) board.reveal(last);
  });
  onClick("skip", (event) => {
    event.preventDefault(); // the address belongs to the game
    board.grid.focus();
  });
  onClick("zoom-in", () => board.view.zoomIn());
  onClick("zoom-out", () => board.view.zoomOut());
  onClick("zoom-fit", () => board.view.fit());
  const switches = /** @type {const} */ ([["show-numbers", "numbers"], ["flip", "flipped"]]);
  for (const [id, setting] of switches) {
    const box = byId(id, HTMLInputElement);
    box.addEventListener("change", () => state.set({ [setting]: box.checked }));
    state.subscribe("settings", () => (box.checked = state.settings[setting]));
    box.checked = state.settings[setting];
  }
}

async function start() {
  const app = build();
  const { state, play, board } = app;
  startTheme(state);
  startTabs();
  startBoard(app);
  startTreeView(state);
  startPlayView(state, play);
  const newGame = startNewGame(state, play);
  startFiles(state, play, board);
  const analysisKeys = startAnalysis(app);
  startTournaments(app);
  startKeys(state, play, board, () => newGame.open(), analysisKeys);
  state.tree = linkedGame() ?? state.tree;
  state.changed("game", "tree", "position", "seats");
  try {
    state.info = await ask("info");
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
  if (!openLink(state, play)) {
    const hasOpponent = state.info.players.some((player) => player.name === FIRST_OPPONENT);
    play.start(GameTree.fromPosition(FIRST_GAME), [person(), hasOpponent ? { name: FIRST_OPPONENT, options: {} } : person()]);
  }
  document.body.dataset.ready = "true";
}

void start();
