// The picture of a board: the whole of it, or the part with stones when it is large.

const CELL = 24; // in the picture's own units
const LARGE_BOARD = 20; // cells on a side, from which on only the part with stones is shown
const MARGIN_CELLS = 2; // around the stones
const SMALLEST_CELL = 3; // pixels: on a long, narrow board the box around the picture scrolls
const LARGEST_CELL = 60;

/** a … z, aa, ab, … */
function columnName(column) {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

const centre = (cell) => ({ x: (cell.column + 0.5) * CELL, y: (cell.row + 0.5) * CELL });

/** The part of a board that is shown: all of it, or the stones and a margin. */
function partOf({ rows, columns }, cells, onlyStones) {
  if (!onlyStones || !cells.length || Math.max(rows, columns) <= LARGE_BOARD) return { top: 0, left: 0, rows, columns };
  const [rowsUsed, columnsUsed] = [cells.map((cell) => cell.row), cells.map((cell) => cell.column)];
  const start = (used) => Math.max(0, Math.min(...used) - MARGIN_CELLS);
  const end = (used, count) => Math.min(count, Math.max(...used) + 1 + MARGIN_CELLS);
  const [top, left] = [start(rowsUsed), start(columnsUsed)];
  return { top, left, rows: end(rowsUsed, rows) - top, columns: end(columnsUsed, columns) - left };
}

/** The names of columns and rows; on a large board of every fifth or tenth, and in larger letters, to be readable. */
function boardNames(part, font) {
  const side = Math.max(part.rows, part.columns);
  const step = side <= 26 ? 1 : side <= 64 ? 5 : 10;
  const names = svg("g", { class: "names", "font-size": font });
  const named = (start, count) =>
    Array.from({ length: count }, (_, i) => start + i).filter((number) => (number + 1) % step === 0);
  for (const column of named(part.left, part.columns)) {
    const { x } = centre({ row: 0, column });
    names.append(svg("text", { x, y: part.top * CELL - font * 0.6, "text-anchor": "middle" }, columnName(column)));
  }
  for (const row of named(part.top, part.rows)) {
    const { y } = centre({ row, column: 0 });
    const x = part.left * CELL - font * 0.5;
    names.append(svg("text", { x, y: y + font * 0.35, "text-anchor": "end" }, String(row + 1)));
  }
  return names;
}

/** The board's picture without stones, and the groups that stones and marks go into. */
function emptyBoard(shape, part) {
  const font = Math.max(10, (Math.max(part.rows, part.columns) * CELL) / 50);
  const area = { x: part.left * CELL, y: part.top * CELL, width: part.columns * CELL, height: part.rows * CELL, rx: 3 };
  const box = [area.x - font * 2.4, area.y - font * 1.8, area.width + font * 2.8, area.height + font * 2.2];
  const cell = shape.gravity
    ? svg("circle", { class: "hole", cx: CELL / 2, cy: CELL / 2, r: CELL * 0.4 })
    : svg("rect", { class: "square", width: CELL, height: CELL });
  const stones = svg("g", { class: "stones" });
  const marks = svg("g", { class: "marks" });
  const picture = svg(
    "svg",
    { class: shape.gravity ? "gravity" : "free", role: "img", viewBox: box.join(" ") },
    svg("defs", {}, svg("pattern", { id: "cell", width: CELL, height: CELL, patternUnits: "userSpaceOnUse" }, cell)),
    boardNames(part, font),
    svg("rect", { class: "ground", ...area }),
    svg("rect", { fill: "url(#cell)", ...area }), // one rectangle, however many cells there are
    stones,
    marks,
  );
  picture.style.minWidth = `${part.columns * SMALLEST_CELL}px`;
  picture.style.minHeight = `${part.rows * SMALLEST_CELL}px`;
  picture.style.maxWidth = `${(part.columns + 1) * LARGEST_CELL}px`;
  return { picture, stones, marks };
}

function numberMark(cell, number) {
  const { x, y } = centre(cell);
  const size = { "font-size": CELL * 0.38, "text-anchor": "middle" };
  return svg("text", { class: number % 2 ? "second" : "first", x, y: y + CELL * 0.13, ...size }, String(number + 1));
}
