// The tabs of the side panel: one panel at a time; arrows walk from tab to tab.

/** @param {string} id of a tab, such as tab-games */
export function openTab(id) {
  for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[role=tab]"))) {
    const isOpen = tab.id === id;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (!panel || panel.hidden === !isOpen) continue;
    panel.hidden = !isOpen;
    panel.dispatchEvent(new Event(isOpen ? "shown" : "hidden"));
  }
}

export function startTabs() {
  const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => openTab(tab.id));
    tab.addEventListener("keydown", (event) => {
      const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 });
      const next = tabs[(index + (steps[event.key] ?? 0) + tabs.length) % tabs.length];
      if (next === tab) return;
      openTab(next.id);
      next.focus();
    });
  });
}
