// A game as a tree of variations: the first child of a node is the main line, the current node is what the board shows.

import { boardAfter, gameText, parsePosition, positionText } from "./rules.js";

/** @typedef {import("./rules.js").Game} Game */
/** @typedef {import("./rules.js").Seat} Seat */
/** @typedef {{position: string, comment: string, nodes: {move: string, parent: number, comment: string}[]}} TreeData
 * what the server reads and writes; parent is a node's number: 0 the root, 1 the first of the list, … */
/** @typedef {{winner: Seat | null, words: string}} Result an end that the rules do not know, such as a resignation */

export class Node {
  /** @param {Node | null} parent @param {string} move "" for the root */
  constructor(parent, move) {
    this.parent = parent;
    this.move = move;
    this.comment = "";
    /** @type {Node[]} */
    this.children = [];
    /** Moves before and with this one.
     * @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    /** @type {Result | null} */
    this.result = null;
    /** Seconds that the move took, where it is known.
     * @type {number | null} */
    this.seconds = null;
    /** What a review says of the move: ? or ??, and why.
     * @type {{glyph: string, words: string} | null} */
    this.mark = null;
  }

  /** @returns {Node[]} the nodes from the first move to this one; without the root */
  get path() {
    const nodes = [];
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  /** @returns {string[]} */
  get moves() {
    return this.path.map((node) => node.move);
  }

  /** @returns {Node} the end of the main line through this node */
  get end() {
    let node = /** @type {Node} */ (this);
    while (node.children.length) node = node.children[0];
    return node;
  }

  /** @returns {boolean} whether the node is on the main line */
  get isMain() {
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) {
      if (node.parent.children[0] !== node) return false;
    }
    return true;
  }
}

export class GameTree {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.root = new Node(null, "");
    this.current = this.root;
    /** Who played a game that was opened; empty for one that is played here.
     * @type {[string, string]} */
    this.players = ["", ""];
  }

  /** @returns {import("./rules.js").Board} the board at the current node */
  get board() {
    return boardAfter(this.game, this.current.moves);
  }

  /** @returns {string} the current node as text: 15x15x5:h8.i9 */
  get position() {
    return positionText(this.game, this.current.moves);
  }

  /** Plays a move at the current node and goes there; a move that is there already is not added again.
   * @param {string} move legal; RangeError otherwise @returns {Node} */
  play(move) {
    const board = this.board;
    if (board.landing(move) === null) throw new RangeError(`${move} is not possible here`);
    this.current = child(this.current, move);
    return this.current;
  }

  /** Adds moves after the current node without going there.
   * @param {readonly string[]} moves @returns {Node} the last one */
  addLine(moves) {
    const board = this.board;
    let node = this.current;
    for (const move of moves) {
      board.push(move);
      node = child(node, move);
    }
    return node;
  }

  /** @param {Node} node @returns {boolean} whether the node is in this tree, and was not taken out */
  contains(node) {
    if (node === this.root) return true;
    return node.path[0]?.parent === this.root && node.path.every((each) => each.parent?.children.includes(each));
  }

  /** Makes the variation that a node is in the main line of its parent's.
   * @param {Node} node */
  promote(node) {
    const branch = node.path.reverse().find((each) => each.parent?.children[0] !== each);
    const siblings = branch?.parent?.children;
    if (!branch || !siblings) return;
    siblings.splice(siblings.indexOf(branch), 1);
    siblings.unshift(branch);
  }

  /** Takes a node and all after it out of the tree.
   * @param {Node} node not the root */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    if (this.current.path.includes(node)) this.current = parent;
    parent.children.splice(parent.children.indexOf(node), 1);
  }

  /** @returns {TreeData} each node behind its parent, a main line before its variations */
  toData() {
    /** @type {TreeData} */
    const data = { position: gameText(this.game), comment: this.root.comment, nodes: [] };
    /** @type {[Node, number][]} */
    const waiting = [[this.root, 0]];
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const node of next[0].children) {
        data.nodes.push({ move: node.move, parent: next[1], comment: node.comment });
        waiting.push([node, data.nodes.length]);
      }
    }
    return data;
  }

  /** @param {TreeData} data
   * @returns {GameTree} at the end of its main line; RangeError when a move in it is illegal */
  static fromData(data) {
    const { game, moves } = parsePosition(data.position);
    const tree = new GameTree(game);
    const start = tree.addLine(moves);
    start.comment = data.comment;
    const nodes = [start];
    for (const { move, parent, comment } of data.nodes) {
      const node = child(nodes[parent], move);
      node.comment = comment;
      nodes.push(node);
    }
    tree.#check();
    tree.current = tree.root.end;
    return tree;
  }

  /** @param {string} position such as 6x7x4g:d.d.e @returns {GameTree} at its last move */
  static fromPosition(position) {
    return GameTree.fromData({ position, comment: "", nodes: [] });
  }

  /** Plays through all variations on one board; RangeError when a move is illegal. */
  #check() {
    const board = boardAfter(this.game, []);
    let node = this.root;
    /** @type {number[]} for each node on the way, how many of its children were seen */
    const seen = [0];
    while (seen.length) {
      const next = node.children[seen[seen.length - 1]++];
      if (next) {
        board.push(next.move);
        node = next;
        seen.push(0);
      } else {
        seen.pop();
        if (node.parent) {
          board.pop();
          node = node.parent;
        }
      }
    }
  }
}

/** The child with this move, made where there is none.
 * @param {Node} node @param {string} move @returns {Node} */
function child(node, move) {
  const known = node.children.find((each) => each.move === move);
  if (known) return known;
  const added = new Node(node, move);
  node.children.push(added);
  return added;
}
