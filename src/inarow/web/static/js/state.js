// What the page is about: one game tree, who sits where, and the settings. Modules subscribe to what they show.

import { GameTree } from "./tree.js";

/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {import("./rules.js").Board} Board */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {{name: string, options: Record<string, string>}} Occupant name "" is a person; otherwise a player's */
/** @typedef {{name: string, kind: "flag" | "whole" | "number" | "choice" | "text", default: unknown,
 *   choices: string[] | null, help: string}} OptionInfo */
/** @typedef {{name: string, summary: string, options: OptionInfo[]}} PlayerInfo */
/** @typedef {{name: string, game: string, group: string}} Preset */
/** @typedef {{version: string, limits: Record<string, number>, presets: Preset[], players: PlayerInfo[],
 *   tournaments: string[]}} Info what GET /api/info says */
/** @typedef {{seconds: number, numbers: boolean, flipped: boolean, theme: "auto" | "light" | "dark"}} Settings */

/** What can change.
 * - game: another tree is shown, with other moves and perhaps another board
 * - position: another node of the tree is current
 * - tree: nodes or comments of the tree have changed (a new move is a change of tree, then of position)
 * - seats: who sits where, or whether a player thinks
 * - settings
 * @typedef {"game" | "tree" | "position" | "seats" | "settings"} Topic */

/** @type {Settings} */
const FIRST_SETTINGS = { seconds: 1, numbers: false, flipped: false, theme: "auto" };
const STORED = "inarow-settings";

export class State {
  constructor() {
    /** @type {Info} */
    this.info = { version: "", limits: {}, presets: [], players: [], tournaments: [] };
    this.tree = GameTree.fromPosition("15x15x5");
    /** @type {[Occupant, Occupant]} */
    this.seats = [person(), person()];
    /** The seat whose player is thinking, if any.
     * @type {Seat | null} */
    this.thinking = null;
    this.settings = { ...FIRST_SETTINGS, ...readStored() };
    /** @type {Map<Topic, Set<() => void>>} */
    this.listeners = new Map();
    /** @type {Board | null} */
    this.cachedBoard = null;
  }

  /** @param {Topic | Topic[]} topics @param {() => void} listener called after each change of any of the topics */
  subscribe(topics, listener) {
    for (const topic of [topics].flat()) {
      const listeners = this.listeners.get(topic) ?? new Set();
      this.listeners.set(topic, listeners.add(listener));
    }
  }

  /** Tells everyone who listens to any of the topics, once.
   * @param {...Topic} topics */
  changed(...topics) {
    if (topics.includes("game") || topics.includes("position")) this.cachedBoard = null;
    const called = new Set(topics.flatMap((topic) => [...(this.listeners.get(topic) ?? [])]));
    for (const listener of called) listener();
  }

  /** The board at the current node; not to be changed.
   * @returns {Board} */
  get board() {
    this.cachedBoard ??= this.tree.board;
    return this.cachedBoard;
  }

  /** How the game stands at the current node; null while it goes on.
   * @returns {{winner: Seat | null, line: number[] | null, words: string} | null} */
  get outcome() {
    const { outcome } = this.board;
    const { result } = this.tree.current;
    if (outcome) return { ...outcome, words: outcome.line ? `${this.tree.game.k} in a row` : "the board is full" };
    return result ? { ...result, line: null } : null;
  }

  /** @param {Seat} seat */
  isPerson(seat) {
    return this.seats[seat].name === "";
  }

  /** Shows another game.
   * @param {GameTree} tree */
  open(tree) {
    this.tree = tree;
    this.changed("game", "tree", "position");
  }

  /** Goes to a node of the tree.
   * @param {Node} node */
  goTo(node) {
    if (node === this.tree.current) return;
    this.tree.current = node;
    this.changed("position");
  }

  /** Plays a legal move at the current node.
   * @param {string} move @returns {Node} */
  play(move) {
    const node = this.tree.play(move);
    this.changed("tree", "position");
    return node;
  }

  /** @param {Partial<Settings>} settings */
  set(settings) {
    Object.assign(this.settings, settings);
    const { seconds, numbers, theme } = this.settings;
    try {
      localStorage.setItem(STORED, JSON.stringify({ seconds, numbers, theme }));
    } catch {
      // A browser that stores nothing still plays; the settings last as long as the page.
    }
    this.changed("settings");
  }
}

/** @returns {Occupant} */
export const person = () => ({ name: "", options: {} });

/** A player with its options, as the server reads it: telos:memory=on.
 * @param {Occupant} occupant */
export function playerSpec({ name, options }) {
  const given = Object.entries(options).map(([option, value]) => `${option}=${value}`);
  return given.length ? `${name}:${given.join(",")}` : name;
}

/** @returns {Partial<Settings>} those of the last visit */
function readStored() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    /** @type {Partial<Settings>} */
    const settings = {};
    if (stored.seconds > 0 && stored.seconds <= 60) settings.seconds = stored.seconds;
    if (typeof stored.numbers === "boolean") settings.numbers = stored.numbers;
    if (["auto", "light", "dark"].includes(stored.theme)) settings.theme = stored.theme;
    return settings;
  } catch {
    return {};
  }
}
