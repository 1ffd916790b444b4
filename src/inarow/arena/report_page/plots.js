// The plots: ratings and times. Each row of a table has a small picture, all on one scale, drawn in the table's head.

/** A scale from values to percents of a picture's width, with round numbers as its ticks. */
function scaleOf(low, high) {
  const span = Math.max(high - low, 1e-9);
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const at = (value) => `${(3 + (94 * (value - low)) / span).toFixed(2)}%`;
  const first = Math.ceil(low / step - 1e-9);
  const ticks = Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
  return { at, ticks };
}

function axis(scale, tickText) {
  const labels = scale.ticks.map((tick) =>
    svg("text", { x: scale.at(tick), y: 14, "text-anchor": "middle" }, tickText(tick)),
  );
  return el(
    "th",
    { scope: "col", class: "plot" },
    svg("svg", { height: 20, width: "100%", "aria-hidden": "true" }, ...labels),
  );
}

function plotCell(scale, label, marks) {
  const grid = scale.ticks.map((tick) =>
    svg("line", { class: "tick", x1: scale.at(tick), x2: scale.at(tick), y1: 0, y2: "100%" }),
  );
  return el(
    "td",
    { class: "plot" },
    svg("svg", { height: 26, width: "100%", role: "img", "aria-label": label }, ...grid, ...marks),
  );
}

const bar = (scale, from, to, className) =>
  svg("line", { class: className, x1: scale.at(from), x2: scale.at(to), y1: "50%", y2: "50%" });
const dot = (scale, value, className) => svg("circle", { class: className, cx: scale.at(value), cy: "50%", r: 4.5 });

// --- ratings ---

function showRatings() {
  const choice = byId("ratings-board");
  choice.append(...data.ratings.map((ratings, i) => el("option", { value: i }, ratings.board ?? "all boards")));
  byId("ratings-choice").hidden = data.ratings.length === 1;
  choice.addEventListener("change", () => showRatingsOf(data.ratings[choice.value]));
  showRatingsOf(data.ratings[0]);
}

function showRatingsOf({ players: rated, first_move: move, draw_rate_even: draws, warning }) {
  const interval = ({ low, high }) => `${signedText(low)} to ${signedText(high)}`;
  byId("ratings-note").replaceChildren(
    "Elo, with the mean of all players at 0, and its 95 % interval. ",
    `Moving first is worth ${signedText(move.value)} Elo (${interval(move)}); `,
    `equal players draw ${percentText(draws.value)} of their games.`,
    warning ? el("span", { class: "warning" }, `Mind: ${warning}.`) : "",
  );
  const scale = scaleOf(
    Math.min(...rated.map((rating) => rating.low)),
    Math.max(...rated.map((rating) => rating.high)),
  );
  const rows = rated.map((rating) => {
    const marks = [bar(scale, rating.low, rating.high, "whisker"), dot(scale, rating.elo, "dot")];
    return rowOf(
      nameCell(rating.name),
      plotCell(scale, `Elo ${signedText(rating.elo)}, ${interval(rating)}`, marks),
      numberCell(signedText(rating.elo)),
      numberCell(interval(rating), { class: "number quiet" }),
      numberCell(String(rating.games)),
    );
  });
  const names = ["Elo", "95 % interval", "Games"].map((name) => columnHead(name));
  const head = rowOf(columnHead("Player", { class: "name" }), axis(scale, signedText), ...names);
  boxOf("ratings").replaceChildren(tableOf([head], rows, "plots"));
}

// --- time ---

function showTimes() {
  const limit = data.tournament.limit.seconds;
  const timed = data.standings.filter((standing) => standing.time);
  const note = byId("time-note");
  if (!timed.length) {
    note.textContent = "The times of the moves are not known.";
    return;
  }
  note.textContent =
    "The bar goes from the median to what 95 % of a player’s moves kept to, the dot is the worst move" +
    (limit ? "; all as a share of the limit." : ".");
  const unit = limit ?? 1;
  const worst = Math.max(...timed.map(({ time }) => time.worst / unit));
  const scale = scaleOf(0, limit ? Math.max(1, worst) : worst);
  const rows = timed.map(({ player, time }) => {
    const marks = [
      bar(scale, 0, time.worst / unit, "whisker"),
      bar(scale, time.median / unit, time.most / unit, "box"),
      dot(scale, time.worst / unit, limit && time.worst > limit ? "dot late" : "dot"),
    ];
    if (limit) marks.unshift(svg("line", { class: "limit", x1: scale.at(1), x2: scale.at(1), y1: 0, y2: "100%" }));
    return rowOf(
      nameCell(player),
      plotCell(scale, `worst move ${secondsText(time.worst)} seconds`, marks),
      ...[time.median, time.most, time.worst].map((seconds) => numberCell(secondsText(seconds))),
      limit ? numberCell(percentText(time.worst_share)) : null,
      numberCell(time.moves.toLocaleString("en")),
    );
  });
  const names = ["Median, s", "95 %, s", "Worst, s", ...(limit ? ["of limit"] : []), "Moves"];
  const tickText = limit ? percentText : (tick) => `${+tick.toPrecision(3)} s`;
  const heads = [
    columnHead("Player", { class: "name" }),
    axis(scale, tickText),
    ...names.map((name) => columnHead(name)),
  ];
  boxOf("time").append(tableOf([rowOf(...heads)], rows, "plots"));
}
