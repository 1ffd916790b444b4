// Marks that parts of the page put on the board as overlays.

import { svg } from "./dom.js";

/** A ring with a dot on a free cell.
 * @param {number} cell @returns {import("./board.js").Drawing} */
export function drawHint(cell) {
  return (centre) => {
    const { x, y } = centre(cell);
    return [svg("circle", { class: "hint-ring", cx: x, cy: y, r: 15 }), svg("circle", { class: "hint-dot", cx: x, cy: y, r: 4 })];
  };
}
