// A picture of the board to keep: the SVG that is on the page, with its colours written into it, also as PNG.

import { svg } from "./dom.js";
import { save } from "./files.js";
import { CELL } from "./shapes.js";

/** @typedef {import("./board.js").BoardView} BoardView */

const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "fill-opacity", "stroke-opacity", "stroke-dasharray", "display", "font-family", "font-weight"];
const NAMES_ROOM = 30;
const PNG_SIDE = 1600; // pixels of the longer side

/** The whole board as an SVG of its own, whatever part of it the page shows.
 * @param {BoardView} board @returns {SVGSVGElement} */
function boardPicture(board) {
  const shown = board.board;
  if (!shown) throw new Error("There is no board yet.");
  const [width, height] = [shown.game.columns * CELL, shown.game.rows * CELL];
  const names = board.drawAllNames();
  const scene = /** @type {SVGGElement} */ (board.scene.cloneNode(true));
  copyStyles(board.scene, scene);
  scene.removeAttribute("transform");
  for (const layer of scene.querySelectorAll(".ghost, .column, .cursor")) layer.remove();
  const box = [-NAMES_ROOM, -NAMES_ROOM, width + NAMES_ROOM + 12, height + NAMES_ROOM + 12];
  const page = getComputedStyle(document.body).backgroundColor;
  const back = svg("rect", { x: box[0], y: box[1], width: box[2], height: box[3], fill: page });
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: box.join(" "), width: box[2], height: box[3] }, back, names, scene);
}

/** Writes what the page's style sheets say into a copy's attributes.
 * @param {Element} from @param {Element} to */
function copyStyles(from, to) {
  const style = getComputedStyle(from);
  for (const name of STYLES) {
    const value = style.getPropertyValue(name);
    if (value && value !== "none" && value !== "normal") to.setAttribute(name, value);
    else if (name === "fill" || name === "stroke" || (name === "display" && value === "none")) to.setAttribute(name, "none");
  }
  if (from.getAttribute("fill")?.startsWith("url(")) to.setAttribute("fill", /** @type {string} */ (from.getAttribute("fill")));
  for (let i = 0; i < from.children.length; i += 1) copyStyles(from.children[i], to.children[i]);
}

/** @param {BoardView} board @param {string} name */
export function saveSvg(board, name) {
  save(new Blob([new XMLSerializer().serializeToString(boardPicture(board))], { type: "image/svg+xml" }), `${name}.svg`);
}

/** @param {BoardView} board @param {string} name */
export async function savePng(board, name) {
  const picture = boardPicture(board);
  const { width, height } = picture.viewBox.baseVal;
  const scale = PNG_SIDE / Math.max(width, height);
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(picture));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!(blob instanceof Blob)) throw new Error("The browser could not make the picture.");
  save(blob, `${name}.png`);
}
