// The keys of the page, and the dialog that lists them. While the board has the focus, it takes arrows and Enter itself.

import { byId, element, onClick } from "./dom.js";
import { step } from "./tree_view.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {{keys: string[], shown?: string, words: string, run?: () => void}} Shortcut one without run is only listed */

/** @param {State} state @param {Play} play @param {BoardView} board @param {() => void} openNewGame
 * @param {Shortcut[]} [more] keys of other parts of the page */
export function startKeys(state, play, board, openNewGame, more = []) {
  const dialog = byId("keys-dialog", HTMLDialogElement);
  /** @type {Shortcut[]} */
  const shortcuts = [
    { keys: ["ArrowLeft", "["], shown: "← or [", words: "one move back", run: () => step(state, "back") },
    { keys: ["ArrowRight", "]"], shown: "→ or ]", words: "one move forward", run: () => step(state, "forward") },
    { keys: ["ArrowUp"], shown: "↑", words: "the variation before", run: () => step(state, "up") },
    { keys: ["ArrowDown"], shown: "↓", words: "the variation after", run: () => step(state, "down") },
    { keys: ["Home"], words: "to the start", run: () => step(state, "first") },
    { keys: ["End"], words: "to the end", run: () => step(state, "last") },
    { keys: [" "], shown: "Space", words: "the engine moves; when it thinks, it moves now", run: () => play.engineMoves() },
    { keys: ["u"], words: "take back", run: () => play.takeBack() },
    { keys: ["h"], words: "hint", run: () => void play.hint() },
    { keys: ["f"], words: "turn the board round", run: () => state.set({ flipped: !state.settings.flipped }) },
    { keys: ["n"], words: "move numbers", run: () => state.set({ numbers: !state.settings.numbers }) },
    { keys: ["g"], words: "new game", run: openNewGame },
    { keys: ["+", "="], shown: "+", words: "zoom in", run: () => board.view.zoomIn() },
    { keys: ["-"], shown: "−", words: "zoom out", run: () => board.view.zoomOut() },
    { keys: ["0"], words: "the whole board", run: () => board.view.fit() },
    { keys: ["b"], words: "to the board: there arrows, Home, End and Page keys walk, Enter plays", run: () => board.grid.focus() },
    { keys: ["?"], words: "these keys", run: () => dialog.showModal() },
    ...more,
  ];
  document.addEventListener("keydown", (event) => {
    const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!shortcut?.run || event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) return;
    event.preventDefault();
    shortcut.run();
  });
  byId("keys-list", HTMLElement).append(
    ...shortcuts.flatMap(({ keys, shown, words }) => [element("dt", {}, element("kbd", {}, shown ?? keys[0])), element("dd", {}, words)]),
  );
  onClick("show-keys", () => dialog.showModal());
  onClick("keys-close", () => dialog.close());
}

/** Whether whatever has the focus uses the key itself: a field, an open dialog, a button that space presses.
 * @param {KeyboardEvent} event */
function isTaken(event) {
  if (!(event.target instanceof Element)) return false;
  if (event.target.closest("dialog, input:not([type=checkbox]), textarea, select, [contenteditable]")) return true;
  const isPress = event.key === " " || event.key === "Enter";
  if (isPress && event.target.closest("button, input, a, summary")) return true;
  return event.key.startsWith("Arrow") && event.target.closest("[role=tablist]") !== null;
}
