// A line of play in words: pointing at a move shows the line up to it on the board, a click takes it into the tree.

import { announce, byId, element, svg, toast } from "./dom.js";
import { boardAfter } from "./rules.js";
import { CELL, drawStone, drawText, lookOf } from "./shapes.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {{words: string, moves: string[], value: string}} ShownLine value: win, draw, loss or undecided */

const MOST_SHOWN = 24; // moves of a line

/** A row: a button with the words, then a button for each move.
 * @param {App} app @param {Node} start the position in which the line begins @param {ShownLine} line @returns {HTMLElement} */
export function lineRow(app, start, { words, moves, value }) {
  const shown = moves.slice(0, MOST_SHOWN);
  const whole = element(
    "button",
    {
      type: "button", class: `worth ${value}`, title: "Add this line to the game as a variation",
      "aria-label": `${words}: add the line ${shown.join(" ")} to the game`, onclick: () => adopt(app, start, shown, false),
      ...pointing(app, start, shown),
    },
    words,
  );
  const buttons = shown.map((move, index) => {
    const part = shown.slice(0, index + 1);
    const seat = (start.ply + index) % 2 ? "second" : "first";
    const given = { type: "button", class: `step ${seat}`, tabindex: index ? -1 : 0, "aria-label": `${move}: go there` };
    return element("button", { ...given, onclick: () => adopt(app, start, part, true), ...pointing(app, start, part) }, move);
  });
  const steps = element("span", { class: "line-moves", onkeydown: walk }, ...buttons);
  return element("div", { class: "pv", role: "group", "aria-label": `Line ${shown[0] ?? ""}` }, whole, steps);
}

/** Arrows walk along the moves of a line.
 * @param {KeyboardEvent} event */
function walk(event) {
  const here = /** @type {HTMLElement} */ (event.target);
  const next = event.key === "ArrowRight" ? here.nextElementSibling : event.key === "ArrowLeft" ? here.previousElementSibling : null;
  if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** What a button of a line does when it is pointed at.
 * @param {App} app @param {Node} start @param {string[]} moves */
function pointing(app, start, moves) {
  const show = () => app.board.overlay("preview", drawPreview(app, start, moves));
  const hide = () => app.board.overlay("preview", null);
  return { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide };
}

/** The stones of a line, pale and numbered, on the position in which it begins.
 * @param {App} app @param {Node} start @param {string[]} moves @returns {import("./board.js").Drawing} */
function drawPreview(app, start, moves) {
  const { game } = app.state.tree;
  const board = boardAfter(game, start.moves);
  const look = lookOf(game);
  const cells = moves.map((move) => board.push(move));
  return (centre) =>
    cells.flatMap((cell, index) => {
      const seat = /** @type {0 | 1} */ ((start.ply + index) % 2);
      const { x, y } = centre(cell);
      const back = svg("circle", { class: "preview-back", cx: x, cy: y, r: CELL / 2 - 1 }); // covers what is drawn on the cell
      const number = drawText(String(index + 1), { x, y }, `number ${seat ? "second" : "first"}`);
      return [back, drawStone(look, seat, { x, y }, "preview-stone"), number];
    });
}

/** Takes moves into the tree, as a variation where the game went another way.
 * @param {App} app @param {Node} start @param {string[]} moves @param {boolean} goesThere whether the board shows the last of them */
function adopt(app, start, moves, goesThere) {
  const { state, board } = app;
  if (!state.tree.contains(start)) return;
  board.overlay("preview", null);
  const end = addLine(state.tree, start, moves);
  state.changed("tree");
  if (goesThere && document.activeElement?.matches(".step:focus-visible")) byId("tree", HTMLElement).focus(); // the line goes away
  if (goesThere) state.goTo(end);
  else toast(`The line is in the game: ${moves.length} moves after move ${start.ply}.`);
  announce(goesThere ? `Move ${end.ply}: ${end.move}` : "The line was added to the game");
}

/** @param {import("./tree.js").GameTree} tree @param {Node} start @param {string[]} moves */
function addLine(tree, start, moves) {
  const { current } = tree;
  tree.current = start;
  try {
    return tree.addLine(moves);
  } finally {
    tree.current = current;
  }
}
