import { kept } from "../data/kept.ts";

/** What a person chose; `system` follows the machine. */
export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];
const KEPT_AS = "theme";
const isDark = matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const chosen = kept.read(KEPT_AS);
  return THEMES.find((theme) => theme === chosen) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  kept.keep(KEPT_AS, theme);
  show();
}

function show(): void {
  const theme = chosenTheme();
  const shown = theme === "system" ? (isDark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
}

/** Before the first picture, so that nothing flashes. */
export function followTheme(): void {
  show();
  isDark.addEventListener("change", show);
}
