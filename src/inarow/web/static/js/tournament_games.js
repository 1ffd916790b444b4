// The games of a tournament, the newest first, of all players or of one.

import { ask } from "./api.js";
import { element, toast } from "./dom.js";

/** @typedef {{number: number, game: string, players: [string, string], winner: "first" | "second" | null, reason: string, detail: string,
 *   plies: number}} GameInfo */

const ON_PAGE = 50;
const RESULTS = { first: "1–0", second: "0–1", draw: "½–½" };

export class GameList {
  /** @param {{onOpen: (number: number) => void}} listener */
  constructor({ onOpen }) {
    this.onOpen = onOpen;
    this.name = "";
    this.page = 0; // 0 has the newest games
    this.total = 0;
    this.current = 0; // the number of the game on the board
    this.hasBoards = false;
    /** @type {GameInfo[]} */
    this.games = [];
    /** @type {Map<number, HTMLElement>} by the games' numbers */
    this.buttons = new Map();
    this.player = element("select", { id: "player-filter", onchange: () => void this.#turnTo(0) });
    this.list = element("ol", { class: "games", "aria-label": "Games" });
    this.older = element("button", { type: "button", onclick: () => void this.#turnTo(this.page + 1) }, "Older");
    this.newer = element("button", { type: "button", onclick: () => void this.#turnTo(this.page - 1) }, "Newer");
    this.count = element("span", { class: "quiet" });
    this.pages = element("div", { class: "row" }, this.newer, this.older, this.count);
    const filter = element("label", { class: "games-filter" }, "Games of ", this.player);
    this.place = element("div", { class: "games-place" }, filter, this.list, this.pages);
    this.#fillPlayers([]);
  }

  /** Forgets the games of the tournament before.
   * @param {string} name */
  open(name) {
    this.name = name;
    this.page = 0;
    this.current = 0;
    this.list.replaceChildren();
    this.#fillPlayers([]);
  }

  /** There are other games than before.
   * @param {string[]} players @param {boolean} hasBoards whether the tournament is played on several boards */
  async refresh(players, hasBoards) {
    this.hasBoards = hasBoards;
    this.#fillPlayers(players);
    await this.#load();
  }

  /** @param {number} number of the game that is on the board */
  mark(number) {
    this.current = number;
    for (const [each, button] of this.buttons) button.setAttribute("aria-current", String(each === number));
  }

  /** @returns {Promise<number | null>} the number of the last game of the tournament; null when there is none yet */
  async newest() {
    if (!this.name) return null;
    const { total } = await this.#ask(0, 1, "");
    if (!total) return null;
    const { games } = await this.#ask(total - 1, 1, "");
    return games[0]?.number ?? null;
  }

  /** @param {string[]} players */
  #fillPlayers(players) {
    const chosen = this.player.value;
    const names = [...players].sort((one, other) => one.localeCompare(other));
    this.player.replaceChildren(element("option", { value: "" }, "everybody"), ...names.map((name) => element("option", { value: name }, name)));
    this.player.value = names.includes(chosen) ? chosen : "";
  }

  /** @param {number} page */
  async #turnTo(page) {
    this.page = Math.max(0, page);
    await this.#load();
    this.list.scrollTop = 0;
  }

  /** @param {number} offset @param {number} limit @param {string} player @returns {Promise<{total: number, games: GameInfo[]}>} */
  #ask(offset, limit, player) {
    const query = new URLSearchParams({ offset: String(offset), limit: String(limit), ...(player ? { player } : {}) });
    return ask(`tournaments/${encodeURIComponent(this.name)}/games?${query}`);
  }

  async #load() {
    const { name, player } = this;
    try {
      const { total } = await this.#ask(0, 1, player.value);
      const end = Math.max(0, total - this.page * ON_PAGE);
      const start = Math.max(0, end - ON_PAGE);
      const { games } = end ? await this.#ask(start, end - start, player.value) : { games: [] };
      if (name !== this.name) return;
      this.total = total;
      this.games = games.reverse();
      this.#draw();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  #draw() {
    this.buttons = new Map(this.games.map((game) => [game.number, this.#button(game)]));
    this.list.replaceChildren(...[...this.buttons.values()].map((button) => element("li", {}, button)));
    this.newer.disabled = this.page === 0;
    this.older.disabled = (this.page + 1) * ON_PAGE >= this.total;
    this.pages.hidden = this.total <= ON_PAGE;
    this.count.textContent = `${this.total} games`;
  }

  /** @param {GameInfo} game */
  #button(game) {
    const { number, players, winner, reason, detail, plies } = game;
    const result = RESULTS[winner ?? "draw"];
    const names = players.map((name, seat) => element(winner === ["first", "second"][seat] ? "strong" : "span", { class: "name" }, name));
    const isForfeit = reason === "forfeit";
    const end = winner === null ? "drawn" : `${players[winner === "first" ? 0 : 1]} won${isForfeit ? ` by forfeit, ${detail}` : ""}`;
    const words = `Game ${number}: ${players.join(" against ")}, ${end}, ${plies} moves`;
    const about = `${this.hasBoards ? `${game.game} · ` : ""}${plies}${isForfeit ? " !" : ""}`;
    return element(
      "button",
      { type: "button", class: "game", title: words, "aria-label": words, "aria-current": String(number === this.current), onclick: () => this.onOpen(number) },
      element("span", { class: "quiet" }, String(number)), element("span", { class: "names" }, names[0], " – ", names[1]),
      element("span", { class: "score" }, result), element("span", { class: "quiet" }, about),
    );
  }
}
