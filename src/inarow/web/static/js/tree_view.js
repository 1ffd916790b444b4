// The moves as a list with variations and comments; each move is a button that leads to its position.

import { announce, byId, element, onClick } from "./dom.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tree.js").Node} Node */

/** @param {State} state */
export function startTreeView(state) {
  const view = new TreeView(state);
  state.subscribe(["game", "tree"], () => view.draw());
  state.subscribe(["game", "tree", "position"], () => view.showCurrent());
  onClick("step-first", () => step(state, "first"));
  onClick("step-back", () => step(state, "back"));
  onClick("step-forward", () => step(state, "forward"));
  onClick("step-last", () => step(state, "last"));
  onClick("promote", () => {
    state.tree.promote(state.tree.current);
    state.changed("tree");
  });
  onClick("remove", () => {
    state.tree.remove(state.tree.current);
    state.changed("tree", "position");
  });
  const comment = byId("comment", HTMLTextAreaElement);
  comment.addEventListener("input", () => {
    state.tree.current.comment = comment.value;
    state.changed("tree");
  });
}

/** Steps through the game. up and down go to the variation before and after.
 * @param {State} state
 * @param {"first" | "back" | "forward" | "last" | "up" | "down"} way */
export function step(state, way) {
  const { root, current } = state.tree;
  const siblings = current.parent?.children ?? [current];
  const beside = siblings.indexOf(current) + (way === "up" ? -1 : 1);
  const targets = {
    first: root, last: current.end, back: current.parent, forward: current.children[0], up: siblings[beside], down: siblings[beside],
  };
  const target = targets[way];
  if (!target || target === current) return;
  state.goTo(target);
  announce(target.ply ? `Move ${target.ply}: ${target.move}` : "Start of the game");
}

class TreeView {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    this.place = byId("tree", HTMLElement);
    this.list = element("div");
    /** The root of what is drawn.
     * @type {Node | null} */
    this.root = null;
    /** @type {Map<Node, HTMLElement>} */
    this.buttons = new Map();
    new ResizeObserver(() => this.showCurrent()).observe(this.place);
  }

  draw() {
    if (this.#append()) return;
    this.buttons.clear();
    const { root, game } = this.state.tree;
    this.root = root;
    this.place.classList.toggle("long-names", game.columns > 26 && !game.gravity);
    const parts = root.comment ? [element("p", { class: "comment" }, root.comment)] : [];
    this.list = element("div", { class: "line" });
    this.#drawLine(root, this.list, false);
    this.place.replaceChildren(...parts, this.list);
    if (!root.children.length) this.place.append(element("p", { class: "quiet" }, "No moves yet."));
  }

  /** Adds the move that was just played at the end of the main line, so that a long list is not made anew for each move.
   * @returns {boolean} false when something else has changed */
  #append() {
    const { current, root } = this.state.tree;
    const { parent } = current;
    const isNext = parent?.children.length === 1 && !current.children.length && parent.isMain;
    if (!parent || !isNext || root !== this.root || this.buttons.has(current) || !this.buttons.has(parent)) return false;
    this.#drawMove(current, this.list, true, false);
    return true;
  }

  /** The main line after a node, and each variation where it leaves.
   * @param {Node} start @param {HTMLElement} list @param {boolean} isNested */
  #drawLine(start, list, isNested) {
    let isBroken = true; // a number is written at the start, after a comment and after a variation
    for (let node = start.children[0]; node; node = node.children[0]) {
      isBroken = this.#drawMove(node, list, isBroken, isNested);
      const others = (node.parent?.children ?? []).slice(1);
      if (node.parent?.children[0] !== node) continue;
      for (const other of others) {
        const variation = element("div", { class: "variation", role: "group", "aria-label": `Variation ${other.move}` });
        this.#drawMove(other, variation, true, true);
        this.#drawLine(other, variation, true);
        list.append(variation);
        isBroken = true;
      }
    }
  }

  /** @param {Node} node @param {HTMLElement} list @param {boolean} isBroken @param {boolean} isNested
   * @returns {boolean} whether the next move starts anew */
  #drawMove(node, list, isBroken, isNested) {
    const seat = node.ply % 2 ? "first" : "second";
    const isNumbered = isBroken || seat === "first" || !isNested;
    const number = isNumbered ? [element("span", { class: "ply" }, `${node.ply}.`)] : [];
    const mark = node.mark ? [element("span", { class: "glyph", title: node.mark.words }, node.mark.glyph)] : [];
    const label = `Move ${node.ply}, ${node.move}${node.mark ? `: ${node.mark.words}` : ""}`;
    const button = element(
      "button",
      { type: "button", class: `move ${seat}`, "aria-label": label, tabindex: -1, onclick: () => this.state.goTo(node) },
      ...number,
      node.move,
      ...mark,
    );
    this.buttons.set(node, button);
    list.append(button);
    if (!node.comment) return false;
    list.append(element("p", { class: "comment" }, node.comment));
    return true;
  }

  showCurrent() {
    const { current } = this.state.tree;
    this.place.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = this.buttons.get(current);
    button?.setAttribute("aria-current", "true");
    if (button) this.#reveal(button);
    else this.place.scrollTop = 0;
    const comment = byId("comment", HTMLTextAreaElement);
    if (comment.value !== current.comment) comment.value = current.comment;
    byId("promote", HTMLButtonElement).disabled = current.isMain;
    byId("remove", HTMLButtonElement).disabled = !current.parent;
    for (const id of ["step-first", "step-back"]) byId(id, HTMLButtonElement).disabled = !current.parent;
    for (const id of ["step-forward", "step-last"]) byId(id, HTMLButtonElement).disabled = !current.children.length;
  }

  /** Scrolls the list, and nothing else, until a move is in sight.
   * @param {HTMLElement} button */
  #reveal(button) {
    const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
    const place = this.place;
    if (top < place.scrollTop) place.scrollTop = top - 8;
    else if (bottom > place.scrollTop + place.clientHeight) place.scrollTop = bottom - place.clientHeight + 8;
  }
}
