// Games in and out: import, export, a link, a picture.

import { ask } from "./api.js";
import { byId, onClick, toast } from "./dom.js";
import { savePng, saveSvg } from "./picture.js";
import { gameText, parsePosition } from "./rules.js";
import { person, playerSpec } from "./state.js";
import { GameTree } from "./tree.js";
import { occupantName } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Occupant} Occupant */

const LARGEST_FILE = 1_000_000; // bytes
const LINK_DELAY = 250; // milliseconds after the last change until the address shows it

/** @param {State} state @param {import("./play.js").Play} play @param {import("./board.js").BoardView} board */
export function startFiles(state, play, board) {
  startImport(state, play);
  startExport(state);
  onClick("copy-link", () => void copy(linkTo(state), "The link is copied: it carries the game and its moves."));
  onClick("save-svg", () => saveSvg(board, fileName(state)));
  onClick("save-png", () => void savePng(board, fileName(state)).catch((error) => toast(error.message)));
  /** @type {number | undefined} */
  let timer;
  const keepAddress = () => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", linkTo(state)), LINK_DELAY);
  };
  state.subscribe(["game", "position", "seats"], keepAddress);
  window.addEventListener("hashchange", () => openLink(state, play));
}

/** @param {State} state @returns {string} an address that opens the current position with the same players */
function linkTo(state) {
  const address = new URL(location.pathname, location.href); // without a token
  const fields = [`p=${state.tree.position}`];
  state.seats.forEach((occupant, seat) => {
    if (occupant.name) fields.push(`${["first", "second"][seat]}=${encodeURIComponent(playerSpec(occupant))}`);
  });
  address.hash = fields.join("&");
  return address.href;
}

/** The position in the address; null when there is none that can be read.
 * @returns {GameTree | null} */
export function linkedGame() {
  try {
    return GameTree.fromPosition(new URLSearchParams(location.hash.slice(1)).get("p") ?? "");
  } catch {
    return null;
  }
}

/** Opens what the address says.
 * @param {State} state @param {import("./play.js").Play} play @returns {boolean} false when it says nothing */
export function openLink(state, play) {
  const fields = new URLSearchParams(location.hash.slice(1));
  const position = fields.get("p");
  if (!position) return false;
  try {
    const tree = GameTree.fromPosition(position);
    const seats = ["first", "second"].map((name) => readOccupant(state, fields.get(name) ?? ""));
    state.seats = [seats[0], seats[1]];
    state.open(tree);
    state.changed("seats");
    if (!tree.current.parent) play.resume();
    return true;
  } catch (error) {
    toast(`The link cannot be opened: ${/** @type {Error} */ (error).message}`);
    return false;
  }
}

/** @param {State} state @param {string} spec such as engine:threads=2 @returns {Occupant} a person when there is no such player */
function readOccupant(state, spec) {
  const [name, ...rest] = spec.split(":");
  const info = state.info.players.find((player) => player.name === name);
  if (!info) return person();
  const pairs = rest.join(":").split(",").map((item) => item.split("=", 2));
  return { name, options: Object.fromEntries(pairs.filter(([option, value]) => value && info.options.some((each) => each.name === option))) };
}

/** @param {State} state */
const fileName = (state) => `inarow-${gameText(state.tree.game)}-${state.tree.current.ply}`;

/** @param {string} text @param {string} words said when it is done */
async function copy(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    toast(words);
  } catch {
    toast("The browser does not allow to copy; the address of this page is the same link.");
  }
}

/** Hands a file to the browser.
 * @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {State} state @param {import("./play.js").Play} play */
function startImport(state, play) {
  const dialog = byId("import-dialog", HTMLDialogElement);
  const text = byId("import-text", HTMLTextAreaElement);
  const problem = byId("import-problem", HTMLElement);
  onClick("open-import", () => {
    problem.textContent = "";
    byId("import-k", HTMLInputElement).value = String(state.tree.game.k);
    dialog.showModal();
  });
  onClick("import-cancel", () => dialog.close());
  /** @param {File | undefined} file */
  const read = async (file) => {
    if (!file) return;
    if (file.size > LARGEST_FILE) problem.textContent = "The file is larger than a megabyte: that is no single game.";
    else text.value = await file.text();
  };
  const chooser = byId("import-file", HTMLInputElement);
  chooser.addEventListener("change", () => void read(chooser.files?.[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer?.files.length) return;
    if (!dialog.open) byId("open-import", HTMLButtonElement).click();
    void read(event.dataTransfer.files[0]);
  });
  byId("import-form", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const tree = await readGame(text.value, Number(byId("import-k", HTMLInputElement).value));
      dialog.close();
      text.value = "";
      play.pause();
      state.seats = [person(), person()];
      state.open(tree);
      state.changed("seats");
      toast("The game is open. Step through it, or play on.");
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
}

/** A game from any text that is known; positions are read here, all else by the server.
 * @param {string} text @param {number} k @returns {Promise<GameTree>} */
async function readGame(text, k) {
  const given = text.trim();
  if (/^\d+x\d+x\d+g?(:|$)/.test(given)) {
    parsePosition(given);
    return GameTree.fromPosition(given);
  }
  const { tree: data, players } = await ask("import", { text, k });
  const tree = GameTree.fromData(data);
  if (players) tree.players = players;
  return tree;
}

/** @param {State} state */
function startExport(state) {
  const dialog = byId("export-dialog", HTMLDialogElement);
  const format = byId("export-format", HTMLSelectElement);
  const text = byId("export-text", HTMLTextAreaElement);
  const problem = byId("export-problem", HTMLElement);
  let name = "";
  const enable = () => {
    for (const id of ["export-copy", "export-save"]) byId(id, HTMLButtonElement).disabled = !text.value;
  };
  const write = async () => {
    const wanted = format.value;
    problem.textContent = "";
    text.value = "";
    enable();
    try {
      const { tree } = state;
      const players = [occupantName(state, 0), occupantName(state, 1)];
      const answer = await ask("export", { format: wanted, tree: tree.toData(), path: tree.current.end.moves, players });
      if (format.value !== wanted) return; // another format was chosen meanwhile
      text.value = answer.text;
      name = answer.filename;
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
    enable();
  };
  onClick("open-export", () => {
    dialog.showModal();
    void write();
  });
  format.addEventListener("change", () => void write());
  onClick("export-close", () => dialog.close());
  onClick("export-copy", () => void copy(text.value, "Copied."));
  onClick("export-save", () => save(new Blob([text.value], { type: "text/plain" }), name));
}
