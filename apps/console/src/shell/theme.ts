/** What a person chose; `system` follows the machine. */
export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];
const KEPT_AS = "bulkhead.theme";
const isDark = matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS);
  return THEMES.find((theme) => theme === kept) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEPT_AS, theme);
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
