// Light and dark: as the system says, until the switch says otherwise.

import { byId, onClick } from "./dom.js";

/** @param {import("./state.js").State} state */
export function startTheme(state) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (state.settings.theme === "auto" ? system.matches : state.settings.theme === "dark");
  const show = () => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    byId("theme", HTMLButtonElement).setAttribute("aria-pressed", String(isDark()));
  };
  onClick("theme", () => state.set({ theme: isDark() ? "light" : "dark" }));
  system.addEventListener("change", show);
  state.subscribe("settings", show);
  show();
}
