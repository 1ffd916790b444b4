// The rules of the game, as the page needs them to answer a click at once, and the names of moves and cells.
//
// A cell is a number: row * columns + column, rows from the top. A move is its text, as everywhere in inarow: the cell's
// name (h8), or with gravity the column's (d).

/** @typedef {{rows: number, columns: number, k: number, gravity: boolean}} Game */
/** @typedef {0 | 1} Seat first or second */
/** @typedef {{winner: Seat | null, line: number[] | null}} Outcome a full board has neither winner nor line */

const LARGEST_SIDE = 128;

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** @param {number} column from 0 @returns {string} a … z, aa, ab, … */
export function columnName(column) {
  const letter = String.fromCharCode(97 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** @param {string} name @returns {number} */
function columnIndex(name) {
  let index = 0;
  for (const letter of name) index = index * 26 + letter.charCodeAt(0) - 96;
  return index - 1;
}

/** @param {Game} game @param {number} cell */
export const rowOf = (game, cell) => Math.floor(cell / game.columns);
/** @param {Game} game @param {number} cell */
export const columnOf = (game, cell) => cell % game.columns;
/** @param {Game} game @param {number} cell */
export const cellName = (game, cell) => columnName(columnOf(game, cell)) + (rowOf(game, cell) + 1);

/** @param {Game} game @param {string} name @returns {number | null} the cell of a name such as h8; null for anything else */
export function cellFromName(game, name) {
  const match = /^([a-z]{1,3})([1-9]\d{0,2})$/.exec(name);
  if (!match) return null;
  const [row, column] = [Number(match[2]) - 1, columnIndex(match[1])];
  return row < game.rows && column < game.columns ? row * game.columns + column : null;
}

/** @param {Game} game */
export const gameText = (game) => `${game.rows}x${game.columns}x${game.k}${game.gravity ? "g" : ""}`;

/** @param {string} text @returns {Game} RangeError says what is wrong with the text */
export function parseGame(text) {
  const match = /^(\d{1,9})x(\d{1,9})x(\d{1,9})(g?)$/.exec(text);
  if (!match) throw new RangeError(`“${text.slice(0, 40)}” is not a game: write rows x columns x k, such as 15x15x5 or 6x7x4g`);
  const [rows, columns, k] = match.slice(1, 4).map(Number);
  for (const [name, number] of Object.entries({ rows, columns, k })) {
    if (number < 1 || number > LARGEST_SIDE) throw new RangeError(`${name} must be 1 to ${LARGEST_SIDE}, not ${number}`);
  }
  return { rows, columns, k, gravity: match[4] === "g" };
}

/** @param {Game} game @param {readonly string[]} moves */
export const positionText = (game, moves) => gameText(game) + (moves.length ? ":" + moves.join(".") : "");

/** @param {string} text @returns {{game: Game, moves: string[]}} RangeError names the first move that is illegal */
export function parsePosition(text) {
  const [head, ...rest] = text.trim().toLowerCase().split(":");
  const game = parseGame(head);
  const moves = rest.length ? rest.join(":").split(".") : [];
  boardAfter(game, moves);
  return { game, moves };
}

/** A board on which moves are played and taken back. */
export class Board {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    /** Whose stone is on each cell; -1 where none is. */
    this.stones = new Int8Array(game.rows * game.columns).fill(-1);
    /** @type {number[]} the cells of the stones in the order in which they were put */
    this.cells = [];
    /** @type {Outcome | null} null while the game goes on */
    this.outcome = null;
  }

  /** @returns {Seat} whose move it is; after the end, whose it would be */
  get turn() {
    return /** @type {Seat} */ (this.cells.length % 2);
  }

  /** @param {string} move @returns {number | null} the cell that the stone would take; null when the move is not legal */
  landing(move) {
    if (this.outcome) return null;
    if (!this.game.gravity) {
      const cell = cellFromName(this.game, move);
      return cell !== null && this.stones[cell] < 0 ? cell : null;
    }
    if (!/^[a-z]{1,3}$/.test(move)) return null;
    const column = columnIndex(move);
    if (column >= this.game.columns) return null;
    for (let cell = this.stones.length - this.game.columns + column; cell >= 0; cell -= this.game.columns) {
      if (this.stones[cell] < 0) return cell;
    }
    return null;
  }

  /** @param {number} cell @returns {string | null} the move that a click on this cell means; null when there is none */
  moveAt(cell) {
    const move = this.game.gravity ? columnName(columnOf(this.game, cell)) : cellName(this.game, cell);
    return this.landing(move) === null ? null : move;
  }

  /** @param {string} move @returns {number} the cell that it took; RangeError when the move is not legal */
  push(move) {
    const cell = this.landing(move);
    if (cell === null) throw new RangeError(`move ${this.cells.length + 1}, ${move.slice(0, 20)}, is not possible`);
    this.stones[cell] = this.turn;
    this.cells.push(cell);
    const line = this.#lineThrough(cell);
    if (line) this.outcome = { winner: /** @type {Seat} */ (this.stones[cell]), line };
    else if (this.cells.length === this.stones.length) this.outcome = { winner: null, line: null };
    return cell;
  }

  /** Takes the last move back. */
  pop() {
    const cell = this.cells.pop();
    if (cell === undefined) throw new RangeError("there is no move to take back");
    this.stones[cell] = -1;
    this.outcome = null;
  }

  /** @param {number} cell @returns {number[] | null} k cells in a row through a stone, of its seat: the first from the top or left */
  #lineThrough(cell) {
    const { rows, columns, k } = this.game;
    const [row, column, seat] = [rowOf(this.game, cell), columnOf(this.game, cell), this.stones[cell]];
    /** @param {number} r @param {number} c */
    const isOwn = (r, c) => r >= 0 && r < rows && c >= 0 && c < columns && this.stones[r * columns + c] === seat;
    for (const [down, right] of DIRECTIONS) {
      let before = 0;
      while (before < k - 1 && isOwn(row - (before + 1) * down, column - (before + 1) * right)) before += 1;
      let length = before + 1;
      while (length < k && isOwn(row + (length - before) * down, column + (length - before) * right)) length += 1;
      if (length >= k) return Array.from({ length: k }, (_, i) => cell + (i - before) * (down * columns + right));
    }
    return null;
  }
}

/** @param {Game} game @param {readonly string[]} moves @returns {Board} RangeError when a move is illegal */
export function boardAfter(game, moves) {
  const board = new Board(game);
  for (const move of moves) board.push(move);
  return board;
}
