import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { PLACES } from "./places.ts";

/** The second key of `g t` comes within so many milliseconds. */
const SECOND_KEY_MS = 1_200;

/** Whether what is typed belongs to a field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

/** From the focused row of a list to the one behind it or before it; from elsewhere to the first. */
function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[at < 0 ? 0 : at + by]?.focus();
}

/** Presses the box of the focused row; with Shift as a press with Shift does. */
function selectRow(shiftKey: boolean): void {
  const row = document.activeElement?.closest("[role=row], [role=listitem], li");
  const press = new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey });
  row?.querySelector("input[type=checkbox]")?.dispatchEvent(press);
}

/** What a page's own keys do while it is shown, by `KeyboardEvent.key`. */
const pageKeys = new Map<string, () => void>();

/** Keys of a page. None is heard while somebody types or is asked something, nor behind `g`, nor for a key that is held. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    for (const [key, act] of Object.entries(keys)) pageKeys.set(key, act);
    return () => {
      for (const key of Object.keys(keys)) pageKeys.delete(key);
    };
  });
}

/** What the keyboard does on every page, as the palette shows it. */
export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl K", "Find a tool, a page or an action"],
  ["/", "Search this page"],
  ["j", "Next row"],
  ["k", "Row before"],
  ["Enter", "Open the row"],
  ["x", "Select the row, where rows can be selected"],
  ...PLACES.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
];

/** Ctrl-K opens the palette, `/` goes to the page's search, `j` and `k` go to rows, `x` selects one, `g` and a letter go to another page. */
export function useShortcuts(openPalette: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let wentAt = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") {
        event.preventDefault();
        return openPalette();
      }
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open], :popover-open") !== null) return;
      const isSecond = event.timeStamp - wentAt < SECOND_KEY_MS;
      wentAt = -Infinity;
      const place = isSecond ? PLACES.find(({ key }) => key === event.key) : undefined;
      if (place !== undefined) void navigate({ to: place.to });
      else if (event.key === "g") wentAt = event.timeStamp;
      else if (event.key === "/") document.querySelector<HTMLElement>("[data-search]")?.focus();
      else if (event.key === "j") stepRow(1);
      else if (event.key === "k") stepRow(-1);
      else if (event.key.toLowerCase() === "x") selectRow(event.shiftKey);
      else if (!isSecond && !event.repeat && pageKeys.has(event.key)) pageKeys.get(event.key)?.();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate, openPalette]);
}
