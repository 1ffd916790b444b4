// Making and finding elements. Text always goes in as text, never as markup.

const SVG_SPACE = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 * on… is a listener; true is an attribute without a value; false, null and undefined are left out */

/** @param {Element} made @param {Attributes} attributes @param {(Node | string)[]} children */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
}

/** @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Node | string)} children @returns {HTMLElementTagNameMap[T]} */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

/** @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {...(Node | string)} children @returns {SVGElementTagNameMap[T]} */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG_SPACE, tag);
  fill(made, attributes, children);
  return made;
}

/** The element of the page with this id.
 * @template {Element} T
 * @param {string} id @param {new (...args: any) => T} kind @returns {T} */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** @param {string} id @param {(event: MouseEvent) => void} listener */
export function onClick(id, listener) {
  byId(id, HTMLElement).addEventListener("click", listener);
}

/** Says something to screen readers, once the words before have been heard.
 * @param {string} words */
export function announce(words) {
  byId("live", HTMLElement).append(element("p", {}, words));
  const said = byId("live", HTMLElement).children;
  if (said.length > 4) said[0].remove();
}

/** @type {number | undefined} */
let toastTimer;

/** Shows a short message at the foot of the page, over an open dialog too; screen readers hear it.
 * @param {string} words */
export function toast(words) {
  const place = /** @type {HTMLElement & {showPopover: () => void, hidePopover: () => void}} */ (byId("toast", HTMLElement));
  clearTimeout(toastTimer);
  place.hidePopover(); // what is shown last lies on top
  place.textContent = words;
  place.showPopover();
  toastTimer = setTimeout(() => place.hidePopover(), 4000);
}
