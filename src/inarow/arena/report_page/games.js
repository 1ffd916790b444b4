// The games: read from their compact form, listed, searched; the forfeits among them.

/** How a game ended: in short, in words that can be searched for, and who won it. */
const ENDS = {
  F: { short: "1–0", words: "first wins", winner: "first" },
  S: { short: "0–1", words: "second wins", winner: "second" },
  D: { short: "½–½", words: "draw" },
  f: { short: "1–0 forfeit", words: "first wins, second forfeits", winner: "first", forfeit: true },
  s: { short: "0–1 forfeit", words: "second wins, first forfeits", winner: "second", forfeit: true },
  "": { short: "–", words: "broken off" },
};

/** The choices of the filter by result: value, text, and which games fit when a player is chosen or none ("") is. */
const RESULTS = [
  ["", "any", () => true],
  ["first", "first wins", (game) => ENDS[game.end].winner === "first"],
  ["second", "second wins", (game) => ENDS[game.end].winner === "second"],
  ["draw", "draws", (game) => game.end === "D"],
  ["forfeit", "forfeits", (game) => ENDS[game.end].forfeit],
  ["open", "broken off", (game) => game.end === ""],
  ["won", "won by the player", (game, player) => player && winnerOf(game) === player],
  ["lost", "lost by the player", (game, player) => player && loserOf(game) === player],
];
const RESULTS_OF_PLAYER = ["won", "lost"];

// --- reading ---

const digitValues = new Map([...data.digits].map((digit, value) => [digit, value]));

/** The numbers in a text, each of `width` digits. */
function numbersIn(text, width) {
  const numbers = [];
  for (let start = 0; start < text.length; start += width) {
    let number = 0;
    for (let i = start; i < start + width; i++) number = number * data.digits.length + digitValues.get(text[i]);
    numbers.push(number);
  }
  return numbers;
}

/** How many digits every number below `count` fits in. */
function digitsBelow(count) {
  let width = 1;
  while (data.digits.length ** width < count) width++;
  return width;
}

const shapes = new Map(
  boards.map((board) => {
    const shape = boardShape(board);
    const cellDigits = digitsBelow(shape.rows * shape.columns);
    return [board, { ...shape, cellDigits, moveDigits: shape.gravity ? digitsBelow(shape.columns) : cellDigits }];
  }),
);

function gameOf([round, boardNumber, firstNumber, secondNumber, end, opening, moves, times, line, detail]) {
  const [board, first, second] = [boards[boardNumber], players[firstNumber], players[secondNumber]];
  const key = typeof round === "number" ? `${board}/${first}/${second}/${round}` : round;
  return {
    key,
    board,
    first,
    second,
    end,
    opening,
    moves,
    times,
    line,
    detail,
    plies: moves.length / shapes.get(board).moveDigits,
  };
}

/** The cells of a game's moves, as { row, column } in the order of play: with gravity stones fall. */
function cellsOf(game) {
  const { rows, columns, gravity, moveDigits } = shapes.get(game.board);
  const heights = new Array(columns).fill(0);
  return numbersIn(game.moves, moveDigits).map((move) =>
    gravity
      ? { row: rows - ++heights[move], column: move }
      : { row: Math.floor(move / columns), column: move % columns },
  );
}

const timesOf = (game) => numbersIn(game.times, data.time_digits).map((units) => units * data.time_unit);

/** The first and the last cell of the winning line; empty without one. */
function lineOf(game) {
  const { columns, cellDigits } = shapes.get(game.board);
  return numbersIn(game.line, cellDigits).map((cell) => ({ row: Math.floor(cell / columns), column: cell % columns }));
}

/** The player who won; undefined when nobody did. */
const winnerOf = (game) => game[ENDS[game.end].winner];

function loserOf(game) {
  const { winner } = ENDS[game.end];
  return winner && (winner === "first" ? game.second : game.first);
}

/** What a link to a game says after the #. */
const linkTo = (key, ply) => `#${new URLSearchParams(ply === undefined ? { game: key } : { game: key, ply })}`;

// --- forfeits ---

function showForfeits(games) {
  const forfeited = games.filter((game) => ENDS[game.end].forfeit);
  const counts = new Map();
  for (const game of forfeited) {
    const kind = game.detail.split(":")[0];
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${kind} ${count}`);
  byId("forfeits-note").textContent = forfeited.length
    ? `${countText(forfeited.length, "game")}: ${kinds.join(", ")}.`
    : "None: every game was played to its end.";
  if (!forfeited.length) {
    boxOf("forfeits").hidden = true;
    return;
  }
  const heads = ["Player", "Against", "Board", "What happened", "Game"];
  const classes = ["name", "name", "text", "wide", "text"];
  const table = tableOf([rowOf(...heads.map((text, i) => columnHead(text, { class: classes[i] })))], []);
  boxOf("forfeits").append(table);
  fillLazily(table.tBodies[0], forfeited, (game) =>
    rowOf(
      nameCell(loserOf(game)),
      nameCell(winnerOf(game), "td"),
      el("td", {}, game.board),
      el("td", { class: "wide" }, game.detail),
      el("td", {}, el("a", { href: linkTo(game.key), "aria-label": `See ${game.key}` }, "see it")),
    ),
  );
}

// --- the list ---

function optionsFor(select, texts, all) {
  select.append(el("option", { value: "" }, all), ...texts.map((text) => el("option", { value: text }, text)));
}

function makeGameList(games) {
  const order = data.standings.map((standing) => standing.player);
  const heads = ["Game", "Board", "First", "Second", "Result", "Moves"];
  const classes = ["text", "text", "name", "name", "text", "number"];
  const table = tableOf([rowOf(...heads.map((text, i) => columnHead(text, { class: classes[i] })))], []);
  const body = table.tBodies[0];
  byId("game-list").append(table);
  optionsFor(byId("filter-player"), order, "any");
  optionsFor(byId("filter-opponent"), order, "any");
  optionsFor(byId("filter-board"), boards, "any");
  byId("filter-result").append(...RESULTS.map(([value, text]) => el("option", { value }, text)));

  function update() {
    const [player, opponent, board, result] = ["player", "opponent", "board", "result"].map(
      (name) => byId(`filter-${name}`).value,
    );
    for (const option of byId("filter-result").options) {
      option.disabled = !player && RESULTS_OF_PLAYER.includes(option.value);
    }
    const words = byId("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitsResult = RESULTS.find(([value]) => value === result)[2];
    const hasPlayed = (game, name) => !name || game.first === name || game.second === name;
    const chosen = games.filter(
      (game) =>
        hasPlayed(game, player) &&
        hasPlayed(game, opponent) &&
        (!board || game.board === board) &&
        fitsResult(game, player) &&
        hasWords(game, words),
    );
    byId("filter-count").textContent = `${chosen.length.toLocaleString("en")} of ${countText(games.length, "game")}`;
    fillLazily(body, chosen, gameRow);
    byId("game-list").scrollTop = 0;
    markGame(current);
  }

  let current = null;
  /** Marks a game's row; the list may not have got there yet. */
  function markGame(key) {
    current = key;
    for (const row of body.rows) row.classList.toggle("current", row.dataset.key === key);
  }

  function gameRow(game) {
    const { short, words } = ENDS[game.end];
    const name = (player) =>
      el("td", { class: winnerOf(game) === player ? "name winner" : "name", title: player }, player);
    const row = rowOf(
      el(
        "th",
        { scope: "row" },
        el("a", { href: linkTo(game.key), "aria-label": `See ${game.key}` }, String(game.number)),
      ),
      el("td", {}, game.board),
      name(game.first),
      name(game.second),
      el("td", { title: game.detail || words, "aria-label": words }, short),
      numberCell(String(game.plies)),
    );
    row.dataset.key = game.key;
    row.classList.toggle("current", game.key === current);
    row.addEventListener("click", () => (location.hash = linkTo(game.key)));
    return row;
  }

  /** Shows the games of a player, against an opponent, on a board: whatever is given. */
  function showGames({ player = "", opponent = "", board = "" }) {
    byId("filters").reset();
    byId("filter-player").value = player;
    byId("filter-opponent").value = opponent;
    byId("filter-board").value = board;
    update();
    byId("games").scrollIntoView();
    byId("game-list").focus({ preventScroll: true });
  }

  byId("filters").addEventListener("input", update);
  byId("filters").addEventListener("reset", () => setTimeout(update));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  update();
  return { showGames, markGame };
}

function hasWords(game, words) {
  if (!words.length) return true;
  const text = `${game.key} ${ENDS[game.end].words} ${game.detail}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
