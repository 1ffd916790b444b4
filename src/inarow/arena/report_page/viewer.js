// The viewer: a board on which a game can be stepped through. At the end everything is put together.

const SLOWEST_STEP = 700; // milliseconds, as are the others
const FASTEST_STEP = 60;
const PLAYING_TIME = 30000; // for a whole game, if that is possible at these speeds
const LINK_DELAY = 300; // until the address says where in the game one is

/** Shows one game at a time, at some ply of it. */
class Viewer {
  /** `markGame(key)` is told which game is shown. */
  constructor(games, markGame) {
    this.byKey = new Map(games.map((game) => [game.key, game]));
    this.markGame = markGame;
    this.game = null;
    this.ply = 0;
    this.playTimer = null;
    this.linkTimer = null;
    this.listen();
  }

  /** Opens a game, at its end unless a ply is given. False, and nothing changes, when there is none with this key. */
  open(key, ply) {
    if (!this.byKey.has(key)) return false;
    this.stop();
    clearTimeout(this.linkTimer);
    this.game = this.byKey.get(key);
    this.shape = shapes.get(this.game.board);
    this.cells = cellsOf(this.game);
    this.times = timesOf(this.game);
    this.line = lineOf(this.game);
    this.ply = this.nearestPly(ply ?? this.cells.length);
    const { first, second, board } = this.game;
    const versus = el("span", { class: "versus" }, " against ");
    byId("viewer-title").replaceChildren(this.icon("first"), first, versus, this.icon("second"), second);
    byId("viewer-result").textContent = `${board}: ${this.endText()}`;
    byId("step-slider").max = this.cells.length;
    byId("moves").replaceChildren(...this.cells.map((_, number) => this.moveItem(number)));
    byId("zoom-choice").hidden = Math.max(this.shape.rows, this.shape.columns) <= LARGE_BOARD;
    this.draw();
    this.markGame(key);
    return true;
  }

  nearestPly(ply) {
    return Math.min(Math.max(0, ply), this.cells.length);
  }

  // --- texts ---

  endText() {
    const { end, detail } = this.game;
    if (end === "") return "the game was broken off.";
    if (end === "D") return "a draw, the board is full.";
    if (ENDS[end].forfeit) return `${loserOf(this.game)} forfeits the game to ${winnerOf(this.game)}. ${detail}`;
    return `${winnerOf(this.game)} wins with a line.`;
  }

  /** What a move took; moves are counted from 0. */
  timeText(number) {
    if (number < this.game.opening) return "given";
    return this.times.length ? `${secondsText(this.times[number])} s` : "";
  }

  moveText(number) {
    const { row, column } = this.cells[number];
    return this.shape.gravity ? columnName(column) : `${columnName(column)}${row + 1}`;
  }

  positionText() {
    const { ply, cells, game } = this;
    if (ply === 0) return `The beginning, ${countText(cells.length, "move")} to come`;
    const mover = ply % 2 ? game.first : game.second;
    const time = this.timeText(ply - 1);
    return `Move ${ply} of ${cells.length}: ${mover} plays ${this.moveText(ply - 1)}${time ? ` (${time})` : ""}`;
  }

  // --- drawing ---

  icon(seat) {
    const attributes = { class: `icon ${this.shape.gravity ? "gravity" : "free"}`, role: "img", "aria-label": seat };
    const stone = svg("circle", { class: `stone ${seat}`, cx: 12, cy: 12, r: 9.6 });
    return svg("svg", { ...attributes, viewBox: "0 0 24 24" }, stone);
  }

  moveItem(number) {
    const attributes = { class: number < this.game.opening ? "given" : null, tabindex: -1 };
    const parts = [
      el("span", { class: "count" }, String(number + 1)),
      el("span", {}, this.moveText(number)),
      el("span", { class: "time" }, this.timeText(number)),
    ];
    return el("li", {}, el("button", { ...attributes, click: () => this.goTo(number + 1) }, ...parts));
  }

  draw() {
    this.drawing = emptyBoard(this.shape, partOf(this.shape, this.cells, byId("zoom").checked));
    byId("board").replaceChildren(this.drawing.picture);
    this.update();
  }

  /** Brings stones, marks and texts to the current ply. */
  update() {
    const { ply, cells } = this;
    const { picture, stones } = this.drawing;
    for (let shown = stones.childElementCount; shown > ply; shown--) stones.lastElementChild.remove();
    for (let shown = stones.childElementCount; shown < ply; shown++) stones.append(this.stone(shown));
    this.drawMarks();
    picture.setAttribute("aria-label", this.positionText());
    byId("viewer-move").textContent = this.positionText();
    byId("step-slider").value = ply;
    byId("step-slider").setAttribute("aria-valuetext", `move ${ply} of ${cells.length}`);
    // Not `disabled`: a button that has the focus would lose it, and with it the arrow keys.
    for (const name of ["first", "back"]) byId(`step-${name}`).setAttribute("aria-disabled", ply === 0);
    for (const name of ["forward", "last"]) byId(`step-${name}`).setAttribute("aria-disabled", ply === cells.length);
    this.markMove();
  }

  stone(number) {
    const classes = `stone ${number % 2 ? "second" : "first"}${number < this.game.opening ? " given" : ""}`;
    const { x, y } = centre(this.cells[number]);
    return svg("circle", { class: classes, cx: x, cy: y, r: CELL * 0.4 });
  }

  /** The numbers when they are wanted, a ring around the last stone, and at the end the winning line. */
  drawMarks() {
    const { ply, cells, line } = this;
    const { marks } = this.drawing;
    const numbered = byId("show-numbers").checked ? cells.slice(0, ply) : [];
    marks.replaceChildren(...numbered.map((cell, number) => numberMark(cell, number)));
    if (ply > 0) {
      const { x, y } = centre(cells[ply - 1]);
      marks.append(svg("circle", { class: "last", cx: x, cy: y, r: CELL * 0.4 }));
    }
    if (ply === cells.length && line.length) {
      const [from, to] = line.map(centre);
      marks.append(svg("line", { class: "win", x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
    }
  }

  markMove() {
    const list = byId("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = list.children[Math.max(0, this.ply - 1)];
    if (!item) return;
    if (this.ply > 0) item.firstElementChild.setAttribute("aria-current", "step");
    list.scrollTop = item.offsetTop - list.clientHeight / 2; // scrollIntoView would move the page too
  }

  // --- stepping ---

  goTo(ply) {
    this.ply = this.nearestPly(ply);
    this.update();
    // Browsers complain about a link that changes many times a second.
    clearTimeout(this.linkTimer);
    const link = linkTo(this.game.key, this.ply);
    this.linkTimer = setTimeout(() => history.replaceState(null, "", link), LINK_DELAY);
  }

  stop() {
    clearInterval(this.playTimer);
    this.playTimer = null;
    byId("step-play").textContent = "Play";
    byId("step-play").setAttribute("aria-pressed", "false");
  }

  play() {
    if (this.ply === this.cells.length) this.goTo(0);
    byId("step-play").textContent = "Stop";
    byId("step-play").setAttribute("aria-pressed", "true");
    const delay = PLAYING_TIME / Math.max(1, this.cells.length);
    const step = () => {
      this.goTo(this.ply + 1);
      if (this.ply === this.cells.length) this.stop();
    };
    this.playTimer = setInterval(step, Math.min(SLOWEST_STEP, Math.max(FASTEST_STEP, delay)));
  }

  listen() {
    const step = (target) => () => {
      if (!this.game) return;
      this.stop();
      this.goTo(target());
    };
    const steps = {
      first: step(() => 0),
      back: step(() => this.ply - 1),
      forward: step(() => this.ply + 1),
      last: step(() => this.cells.length),
    };
    const keys = { Home: steps.first, ArrowLeft: steps.back, ArrowRight: steps.forward, End: steps.last };
    for (const [name, action] of Object.entries(steps)) byId(`step-${name}`).addEventListener("click", action);
    const slider = byId("step-slider");
    slider.addEventListener(
      "input",
      step(() => slider.valueAsNumber),
    );
    byId("step-play").addEventListener("click", () => (this.playTimer ? this.stop() : this.game && this.play()));
    byId("show-numbers").addEventListener("change", () => this.game && this.drawMarks());
    byId("zoom").addEventListener("change", () => this.game && this.draw());
    byId("viewer").addEventListener("keydown", (event) => {
      const isOther = event.target === slider || event.altKey || event.ctrlKey || event.metaKey;
      if (isOther || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }
}

// --- the whole page ---

const allGames = data.records.map((record, i) => ({ ...gameOf(record), number: i + 1 }));
showHead();
showTiles(allGames);
showStandings();
showRatings();
showTimes();
showForfeits(allGames);
const { showGames, markGame } = makeGameList(allGames);
showCrossTable(showGames);
showBoards(showGames);
const viewer = new Viewer(allGames, markGame);

/** Opens the game that the address names, #game=KEY&ply=12; false when there is none of that name. */
function followLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const ply = link.has("ply") ? Number.parseInt(link.get("ply"), 10) || 0 : undefined;
  if (!viewer.open(link.get("game"), ply)) return false;
  byId("viewer").scrollIntoView({ block: "nearest" });
  byId("board").focus({ preventScroll: true });
  return true;
}

byId("viewer").hidden = allGames.length === 0;
if (!followLink() && allGames.length) viewer.open(allGames[0].key);
window.addEventListener("hashchange", followLink);
