// The head of the page and the tables: standings, who against whom, who on which board.

const POINTS_FREE = "2 points for a win as first, 3 as second, 2 by forfeit";
const POINTS_GRAVITY = "3 points for a win";
const MANY_BOARDS = 10; // from which on their names are written upright

// --- the head ---

function showHead() {
  const { style, rounds, openings, limit_text: limit } = data.tournament;
  byId("headline").textContent =
    `${countText(players.length, "player")} on ${boards.length === 1 ? boards[0] : countText(boards.length, "board")}`;
  const { played, planned } = data.games;
  const facts = [
    played === planned ? countText(played, "game") : `${played.toLocaleString("en")} of ${countText(planned, "game")}`,
    limit,
    `${style}, ${countText(rounds, "round")}`,
    openingsText(openings),
    datesText(data.dates),
  ];
  byId("facts").textContent = facts.filter(Boolean).join(" · ");
  byId("boards").append(...boards.map((board) => el("li", { title: boardTitle(board) }, board)));
  byId("footer").textContent = `Made by inarow ${data.version}. Seed ${data.tournament.seed}.`;
}

function openingsText(openings) {
  if (!openings.length) return "from the empty board";
  if (typeof openings !== "string") return `from ${countText(openings.length, "given opening")}`;
  return `from ${openings.replace("random:", "")} random plies`;
}

function datesText(dates) {
  const days = [...new Set(dates.map((date) => date.slice(0, 10)))];
  const longDay = (day) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return days.map(longDay).join(" to ");
}

function showTiles(games) {
  const ended = games.filter((game) => game.end !== "");
  if (!ended.length) return;
  const share = (fits) => percentText(ended.filter(fits).length / ended.length);
  const best = data.standings.filter((standing) => standing.place === 1);
  const lengths = ended.map((game) => game.plies).sort((a, b) => a - b);
  const tiles = [
    [best.length === 1 ? "First place" : "First place, shared", best.map((standing) => standing.player).join(", ")],
    ["First seat wins", share((game) => ENDS[game.end].winner === "first")],
    ["Second seat wins", share((game) => ENDS[game.end].winner === "second")],
    ["Drawn", share((game) => !ENDS[game.end].winner)],
    ["Moves a game, median", String(lengths[Math.floor(lengths.length / 2)])],
    ["Forfeited", countText(ended.filter((game) => ENDS[game.end].forfeit).length, "game")],
  ];
  byId("tiles").append(
    ...tiles.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", { title: value }, value))),
  );
}

// --- standings ---

function showStandings() {
  const free = boards.some((board) => !boardShape(board).gravity);
  const gravity = boards.some((board) => boardShape(board).gravity);
  const parts = [
    free ? POINTS_FREE : "",
    gravity ? `${free ? "with gravity " : ""}${POINTS_GRAVITY}` : "",
    "1 for a draw",
  ];
  byId("points-note").textContent =
    `The course’s points: ${parts.filter(Boolean).join("; ")}. The score counts 1 for a win, ½ for a draw.`;
  const limit = data.tournament.limit.seconds;
  const most = Math.max(1, ...data.standings.map((standing) => standing.points));
  const rows = data.standings.map((standing) => standingRow(standing, most, limit));
  boxOf("standings").append(tableOf(standingHeads(limit), rows));
}

/** Two rows: some columns are the parts of a group. */
function standingHeads(limit) {
  const names = ["as first", "as second", "by forfeit", "in all", "forfeited", "mean", "worst"];
  if (limit) names.push("of limit");
  const group = (text, colspan) => el("th", { scope: "colgroup", colspan }, text);
  const single = (text, attributes = {}) => columnHead(text, { rowspan: 2, ...attributes });
  return [
    rowOf(
      ...[single("Place"), single("Player", { class: "name" }), single("Points"), group("Won", 3), single("Drawn")],
      ...[group("Lost", 2), single("Score"), single("Games"), group("Seconds a move", limit ? 3 : 2)],
    ),
    rowOf(...names.map((name) => columnHead(name))),
  ];
}

function standingRow(standing, most, limit) {
  const { time } = standing;
  const points = numberCell(String(standing.points), { class: "number points" });
  points.style.setProperty("--share", `${(100 * standing.points) / most}%`);
  const counts = ["wins_first", "wins_second", "wins_forfeit", "draws", "losses", "own_forfeits"];
  return el(
    "tr",
    { class: standing.place === 1 ? "best" : null },
    numberCell(String(standing.place)),
    nameCell(standing.player),
    points,
    ...counts.map((name) => countCell(standing[name])),
    numberCell(standing.score.toFixed(1)),
    numberCell(String(standing.games)),
    numberCell(time ? secondsText(time.mean) : "–"),
    numberCell(time ? secondsText(time.worst) : "–"),
    limit ? numberCell(time ? percentText(time.worst_share) : "–") : null,
  );
}

const countCell = (count) => numberCell(String(count), { class: count ? "number" : "number zero" });

// --- who against whom, who on which board ---

/** Scores by their two names. */
function scoresOf(entries, firstName, secondName) {
  const scores = new Map();
  for (const entry of entries) {
    if (!scores.has(entry[firstName])) scores.set(entry[firstName], new Map());
    scores.get(entry[firstName]).set(entry[secondName], entry);
  }
  return (first, second) => scores.get(first)?.get(second);
}

function showCrossTable(showGames) {
  const numbers = new Set(data.cross_table.map((entry) => entry.games));
  const equal = numbers.size === 1;
  const games = equal ? `, in ${countText([...numbers][0], "game")} each` : "";
  byId("cross-note").textContent =
    `What the player of a row scored against the player of a column${games}. Choose a cell to see its games.`;
  const order = data.standings.map((standing) => standing.player);
  const scoreOf = scoresOf(data.cross_table, "player", "opponent");
  const cellOf = (player, opponent) => {
    const entry = scoreOf(player, opponent);
    if (!entry) return el("td", { class: player === opponent ? "self" : null });
    const text = scoreText(entry.score) + (equal ? "" : `/${entry.games}`);
    return heatCell(text, entry, `${player} against ${opponent}`, () => showGames({ player, opponent }));
  };
  const heads = order.map((player, column) => columnHead(String(column + 1), { title: player, "aria-label": player }));
  const rows = order.map((player, row) =>
    rowOf(numberCell(String(row + 1)), nameCell(player), ...order.map((opponent) => cellOf(player, opponent))),
  );
  boxOf("cross-table").append(
    tableOf([rowOf(columnHead("No."), columnHead("Player", { class: "name" }), ...heads)], rows, "grid"),
  );
}

function showBoards(showGames) {
  const scoreOf = scoresOf(data.by_board, "player", "board");
  const cellOf = (entry, title, choice) => {
    if (!entry?.games) return el("td");
    return heatCell(String(Math.round((100 * entry.score) / entry.games)), entry, title, () => showGames(choice));
  };
  const heads = boards.map((board) => el("th", { scope: "col", title: boardTitle(board) }, el("span", {}, board)));
  const rows = data.standings.map((standing) => {
    const { player } = standing;
    const cells = boards.map((board) => cellOf(scoreOf(player, board), `${player} on ${board}`, { player, board }));
    return rowOf(nameCell(player), cellOf(standing, `${player} on all boards`, { player }), ...cells);
  });
  const head = rowOf(columnHead("Player", { class: "name" }), columnHead("all"), ...heads);
  boxOf("by-board").append(tableOf([head], rows, boards.length > MANY_BOARDS ? "grid upright" : "grid"));
}
