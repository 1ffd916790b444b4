// Tournaments: standings that follow a running one, the list of its games, and their replay. Its place is #tournaments.

import { ask } from "./api.js";
import { announce, byId, element, toast } from "./dom.js";
import { GameList } from "./tournament_games.js";
import { Replay } from "./replay.js";
import { SingleRequest } from "./single_request.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{player: string, points: number, games: number, wins: number, draws: number, losses: number, elo: number | null,
 *   interval: [number, number] | null, forfeits: number}} Standing */
/** @typedef {{name: string, games_played: number, games_planned: number | null, is_running: boolean, standings: Standing[],
 *   boards: string[]}} Tournament */

/** @param {App} app */
export function startTournaments(app) {
  const view = new TournamentsView(app);
  const panel = byId("panel-games", HTMLElement);
  panel.addEventListener("shown", () => view.shown());
  panel.addEventListener("hidden", () => view.hidden());
}

class TournamentsView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.request = new SingleRequest(app.connection);
    this.replay = new Replay(app, { onEnd: () => void this.#watchNext(), onTaken: () => (this.watch.checked = false) });
    this.games = new GameList({
      onOpen: (number) => {
        this.watch.checked = false;
        void this.#open(number, false);
      },
    });
    this.name = "";
    this.isLoaded = false;
    this.watched = 0; // the number of the last game that was watched
    /** @type {Tournament | null} */
    this.tournament = null;
    /** @type {HTMLSelectElement} */
    this.choice = element("select", { id: "tournament", "aria-label": "Tournament", onchange: () => this.#follow(this.choice.value) });
    this.state = element("p", { class: "quiet", id: "tournament-state", role: "status" });
    this.progress = element("progress", { "aria-label": "Games played" });
    this.table = element("table", { class: "standings" });
    this.watch = element("input", { type: "checkbox", id: "watch-newest", onchange: () => this.#turnWatching() });
    const watch = element("label", { class: "check" }, this.watch, " Watch the newest game");
    this.title = element("h2", {}, "Tournaments");
    this.body = element("div", { class: "tournament", hidden: true }, this.state, this.progress, this.table, watch, this.games.place);
    byId("tournaments", HTMLElement).append(element("div", { class: "row" }, this.title, this.choice), this.body);
    this.choice.hidden = true;
  }

  /** The panel is open: what is there is shown, and followed. */
  async shown() {
    if (this.isLoaded) {
      if (this.name) this.#follow(this.name);
      return;
    }
    try {
      const names = /** @type {string[]} */ (await ask("tournaments"));
      this.isLoaded = true;
      this.choice.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
      this.choice.hidden = !names.length;
      this.body.hidden = !names.length;
      if (names.length) this.#follow(names[0]);
      else byId("tournaments", HTMLElement).append(element("p", { class: "quiet" }, "None here. Start the server with --store FILE to replay a tournament, or to follow one that is running."));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** Nobody looks; only somebody who watches the games still wants to hear of new ones. */
  hidden() {
    if (!this.watch.checked) this.request.stop();
  }

  /** @param {string} name */
  #follow(name) {
    if (name !== this.name) {
      this.tournament = null;
      this.watched = 0;
      this.games.open(name);
    }
    this.name = name;
    this.request.ask(
      { type: "follow", tournament: name },
      {
        onMessage: (message) => this.#show(/** @type {Tournament} */ (/** @type {unknown} */ (message))),
        onEnd: (_, error) => (this.state.textContent = error?.message ?? ""),
      },
    );
  }

  /** @param {Tournament} tournament */
  #show(tournament) {
    const before = this.tournament;
    this.tournament = tournament;
    const { games_played: played, games_planned: planned, is_running: isRunning } = tournament;
    const condition = isRunning ? "Running" : planned === null || played < planned ? "Paused" : "Finished";
    this.state.textContent = `${condition}: ${played}${planned === null ? "" : ` of ${planned}`} games on ${tournament.boards.join(", ")}`;
    this.progress.hidden = planned === null || played >= planned;
    this.progress.max = planned ?? 1;
    this.progress.value = played;
    this.#drawStandings(tournament.standings);
    if (before?.games_played !== played) {
      void this.games.refresh(tournament.standings.map(({ player }) => player), tournament.boards.length > 1);
      if (before) void this.#watchNext();
    }
    if (before?.is_running && !isRunning) announce(`The tournament ${tournament.name} has ended.`);
  }

  /** @param {Standing[]} standings the best first */
  #drawStandings(standings) {
    const heads = [["", "Place"], ["Player", ""], ["Points", ""], ["W", "Wins"], ["D", "Draws"], ["L", "Losses"], ["Elo", "Rating, with what it may be off by"]];
    const head = element("tr", {}, ...heads.map(([text, title]) => element("th", { scope: "col", title }, text || element("span", { class: "hidden-words" }, title))));
    const rows = standings.map((standing, index) => {
      const { player, points, wins, draws, losses, elo, interval, forfeits } = standing;
      const off = interval ? Math.round((interval[1] - interval[0]) / 2) : null;
      const rating = elo === null ? "–" : `${signed(elo)}${off === null ? "" : ` ± ${off}`}`;
      const lost = forfeits ? ` (${forfeits} by forfeit)` : "";
      return element(
        "tr", {},
        element("td", {}, String(index + 1)), element("th", { scope: "row", title: player }, player), element("td", {}, element("strong", {}, String(points))),
        element("td", {}, String(wins)), element("td", {}, String(draws)), element("td", { title: lost ? `${losses} losses${lost}` : "" }, String(losses) + (forfeits ? "!" : "")),
        element("td", { title: interval ? `${signed(interval[0])} to ${signed(interval[1])}` : "" }, rating),
      );
    });
    this.table.replaceChildren(element("caption", { class: "hidden-words" }, "Standings"), element("thead", {}, head), element("tbody", {}, ...rows));
  }

  /** Opens a game on the board.
   * @param {number} number @param {boolean} plays whether it is played through by itself */
  async #open(number, plays) {
    try {
      const record = await ask(`tournaments/${encodeURIComponent(this.name)}/games/${number}`);
      this.replay.open(record, plays);
      this.games.mark(number);
      announce(`Game ${number}: ${record.players.join(" against ")}`);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  #turnWatching() {
    if (this.watch.checked) void this.#watchNext();
    else this.replay.stop();
  }

  /** When somebody watches, and nothing is being played through: the newest game, if it is another one. */
  async #watchNext() {
    const newest = await this.games.newest();
    if (!this.watch.checked || this.replay.isPlaying || newest === null || newest === this.watched) return;
    this.watched = newest;
    await this.#open(newest, true);
  }
}

/** @param {number} elo */
const signed = (elo) => `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`;
