// What the other scripts share: the report's data, elements, numbers as texts, long lists.
// All scripts are joined into one module, so they see each other's names and nobody else does.

const data = JSON.parse(document.getElementById("data").textContent);
const players = data.tournament.players;
const boards = data.tournament.boards;
const PAGE_OF_ROWS = 100;

const byId = (id) => document.getElementById(id);
/** Where the table of a section goes. */
const boxOf = (sectionId) => document.querySelector(`#${sectionId} .scroll`);

/** An element. Texts among the children become text nodes: nothing in a name is ever read as HTML. */
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// --- numbers and names as texts ---

const scoreText = (score) => String(score); // whole or a half: 3 or 3.5
const percentText = (share) => `${Math.round(100 * share)} %`;
const secondsText = (seconds) => seconds.toFixed(3);
const signedText = (value) => {
  const rounded = Math.round(value);
  return rounded === 0 ? "0" : `${rounded < 0 ? "−" : "+"}${Math.abs(rounded)}`;
};
const countText = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

/** The parts of a board's name such as 6x7x4g. */
function boardShape(board) {
  const [rows, columns, k] = board.match(/\d+/g).map(Number);
  return { rows, columns, k, gravity: board.endsWith("g") };
}

function boardTitle(board) {
  const { rows, columns, k, gravity } = boardShape(board);
  return `${countText(rows, "row")}, ${countText(columns, "column")}, ${k} in a row${gravity ? ", with gravity" : ""}`;
}

// --- tables ---

const nameCell = (player, tag = "th") =>
  el(tag, { class: "name", scope: tag === "th" ? "row" : null, title: player }, player);
const columnHead = (text, attributes = {}) => el("th", { scope: "col", ...attributes }, text);
const numberCell = (text, attributes = {}) => el("td", { class: "number", ...attributes }, text);

const rowOf = (...cells) => el("tr", {}, ...cells);

/** A table of rows, those of its head first. */
function tableOf(headRows, rows, className = null) {
  return el("table", { class: className }, el("thead", {}, ...headRows), el("tbody", {}, ...rows));
}

/**
 * A cell coloured by the share of its games' points that were won, which shows those games when it is chosen.
 * The colours themselves are the style's: they depend on the light or dark mode.
 */
function heatCell(text, { score, games }, title, choose) {
  const share = score / games;
  const button = el("button", { title: `${title}: ${scoreText(score)} of ${games}`, click: choose }, text);
  const cell = el("td", { class: share < 0.5 ? "heat below" : "heat above" }, button);
  cell.style.setProperty("--distance", `${Math.round(200 * Math.abs(share - 0.5))}%`);
  return cell;
}

/** Fills the body of a table row by row as far as it is looked at: `makeRow(item)` is asked for a page at a time. */
function fillLazily(body, items, makeRow) {
  let shown = 0;
  const more = el("tr", { class: "more" }, el("td", { colspan: 20 }, el("button", { click: showPage }, "Show more")));
  const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && showPage());
  function showPage() {
    watcher.unobserve(more);
    const page = items.slice(shown, shown + PAGE_OF_ROWS);
    shown += page.length;
    more.remove();
    body.append(...page.map(makeRow));
    if (shown < items.length) {
      body.append(more);
      watcher.observe(more);
    }
  }
  body.replaceChildren();
  showPage();
}
