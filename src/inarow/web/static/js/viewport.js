// Which part of a board is seen, and how large: zoom and pan by wheel, fingers, mouse and buttons.

/** @typedef {{columns: number, rows: number}} Shape */

const LARGEST_FIT = 180; // pixels a cell when all of a small board is shown
const LARGEST_CELL = 90; // pixels a cell that can be zoomed to, where the board is not shown larger anyway
const READABLE_CELL = 20; // pixels a cell below which a board is worth zooming
const FIRST_CELL = 26; // pixels a cell when a large board is opened
const DRAG_START = 6; // pixels a pointer moves before a tap becomes a drag
const STEP = 1.35;

export class Viewport {
  /** @param {HTMLElement | SVGElement} target that hears wheel and pointers
   * @param {{strip: {left: number, top: number}, onChange: () => void, onTap: (x: number, y: number, isTouch: boolean) => void}} given
   * strip: pixels kept free for names at the left and the top */
  constructor(target, { strip, onChange, onTap }) {
    this.target = target;
    this.strip = strip;
    this.onChange = onChange;
    this.onTap = onTap;
    /** Pixels a cell, and where the board's corner is. */
    this.size = 1;
    this.left = 0;
    this.top = 0;
    /** @type {Shape} */
    this.shape = { rows: 1, columns: 1 };
    /** What a large board is opened at, in cells. */
    this.opening = { x: 0.5, y: 0.5 };
    this.width = 0; // of the target, in pixels; 0 until it is laid out
    this.height = 0;
    /** Whether all of the board is to be seen, also after a change of the window. */
    this.isFitted = true;
    /** @type {Map<number, {x: number, y: number}>} pointers that are down */
    this.pointers = new Map();
    this.isDragging = false;
    this.start = { x: 0, y: 0 };
    this.#listen();
  }

  /** Pixels a cell at which all of the board is seen; whole where there are enough, so that lines are sharp. */
  get fitSize() {
    const room = { width: this.width - this.strip.left - 10, height: this.height - this.strip.top - 10 };
    const fit = Math.min(room.width / this.shape.columns, room.height / this.shape.rows, LARGEST_FIT);
    return Math.max(0.5, fit > 6 ? Math.floor(fit) : fit);
  }

  /** Whether zooming would help: the cells of the whole board are small. */
  get isLarge() {
    return this.fitSize < READABLE_CELL;
  }

  /** Shows a board anew: all of it, or of a large one the part around a point.
   * @param {Shape} shape @param {{x: number, y: number}} focus in cells */
  open(shape, focus) {
    this.shape = shape;
    this.opening = focus;
    this.isFitted = !this.isLarge;
    this.size = this.isFitted ? this.fitSize : FIRST_CELL;
    this.centreOn(focus);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    const middle = this.toCells((this.width + this.strip.left) / 2, (this.height + this.strip.top) / 2);
    const wasNothing = this.width === 0;
    this.width = width;
    this.height = height;
    if (wasNothing) this.open(this.shape, this.opening);
    else if (this.isFitted) this.fit();
    else this.zoom(1), this.centreOn(middle);
  }

  fit() {
    this.isFitted = true;
    this.size = this.fitSize;
    this.centreOn({ x: this.shape.columns / 2, y: this.shape.rows / 2 });
  }

  /** @param {number} x @param {number} y pixels @returns {{x: number, y: number}} in cells from the board's corner */
  toCells(x, y) {
    return { x: (x - this.left) / this.size, y: (y - this.top) / this.size };
  }

  /** @param {{x: number, y: number}} point in cells */
  centreOn(point) {
    this.left = (this.width + this.strip.left) / 2 - point.x * this.size;
    this.top = (this.height + this.strip.top) / 2 - point.y * this.size;
    this.#settle();
  }

  /** Moves the view only as far as needed to see a cell with some room around it.
   * @param {{x: number, y: number}} point */
  reveal(point) {
    const room = Math.min(1.5 * this.size, 60);
    const [x, y] = [this.left + point.x * this.size, this.top + point.y * this.size];
    const low = { x: this.strip.left + room, y: this.strip.top + room };
    const right = Math.max(0, low.x - x) - Math.max(0, x - (this.width - room));
    const down = Math.max(0, low.y - y) - Math.max(0, y - (this.height - room));
    if (right || down) this.pan(right, down);
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] the pixel that stays where it is */
  zoom(factor, x = (this.width + this.strip.left) / 2, y = (this.height + this.strip.top) / 2) {
    const point = this.toCells(x, y);
    const largest = Math.max(LARGEST_CELL, this.fitSize);
    const wanted = Math.min(largest, Math.max(this.fitSize, this.size * factor));
    this.isFitted = wanted <= this.fitSize;
    this.size = wanted > 6 && !this.pointers.size ? Math.round(wanted) : wanted;
    if (factor > 1 && this.size < wanted && this.size + 1 <= largest) this.size += 1;
    this.left = x - point.x * this.size;
    this.top = y - point.y * this.size;
    this.#settle();
  }

  zoomIn() {
    this.zoom(STEP);
  }

  zoomOut() {
    this.zoom(1 / STEP);
  }

  /** @param {number} right @param {number} down pixels by which the board moves */
  pan(right, down) {
    this.left += right;
    this.top += down;
    this.#settle();
  }

  /** Keeps the board in sight: centred where it fits, without a gap at the edge where it does not. */
  #settle() {
    /** @param {number} offset @param {number} board @param {number} strip @param {number} whole */
    const settled = (offset, board, strip, whole) => {
      const room = whole - strip;
      if (board <= room - 8) return Math.round(strip + (room - board) / 2);
      return Math.round(Math.min(strip + 8, Math.max(whole - 8 - board, offset)));
    };
    this.left = settled(this.left, this.shape.columns * this.size, this.strip.left, this.width);
    this.top = settled(this.top, this.shape.rows * this.size, this.strip.top, this.height);
    const isMovable = this.size > this.fitSize + 0.01;
    this.target.classList.toggle("movable", isMovable || this.isLarge);
    this.onChange();
  }

  #listen() {
    const target = /** @type {HTMLElement} */ (this.target);
    target.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    target.addEventListener("pointerdown", (event) => this.#down(event));
    target.addEventListener("pointermove", (event) => this.#move(event));
    target.addEventListener("pointerup", (event) => this.#up(event, true));
    target.addEventListener("pointercancel", (event) => this.#up(event, false));
  }

  /** @param {MouseEvent} event @returns {{x: number, y: number}} in pixels from the target's corner */
  at(event) {
    const box = this.target.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** A wheel zooms where that helps; with shift, or sideways, it moves the board.
   * @param {WheelEvent} event */
  #wheel(event) {
    if (!this.isLarge && this.isFitted && !event.ctrlKey) return;
    event.preventDefault();
    const { x, y } = this.at(event);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const sideways = event.deltaX || event.deltaY;
      this.pan(-sideways, event.shiftKey ? 0 : -event.deltaY);
    } else this.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 400), x, y);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    if (event.pointerType === "mouse") event.preventDefault(); // the keyboard's focus stays where it is
    this.target.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.at(event));
    this.start = this.at(event);
    this.isDragging = this.pointers.size > 1;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.at(event);
    if (!this.isDragging && Math.hypot(now.x - this.start.x, now.y - this.start.y) < DRAG_START) return;
    this.isDragging = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (!other) {
      this.pan(now.x - before.x, now.y - before.y);
      return;
    }
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    this.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  /** @param {PointerEvent} event @param {boolean} isTap */
  #up(event, isTap) {
    const wasDown = this.pointers.delete(event.pointerId);
    if (!wasDown || this.pointers.size) return;
    const wasDragging = this.isDragging;
    this.isDragging = false;
    const { x, y } = this.at(event);
    if (isTap && !wasDragging) this.onTap(x, y, event.pointerType === "touch");
  }
}
