import { chosen, oneOf, wordsIn } from "../../format/address.ts";

/** What is written, and what stands beside it; on narrow pages they are tabs of one row. */
export const MAIN_TABS = [
  { name: "code", title: "Code" },
  { name: "parameters", title: "Parameters" },
  { name: "output", title: "Output" },
  { name: "details", title: "Details" },
] as const;
export const SIDE_TABS = [
  { name: "run", title: "Run" },
  { name: "permissions", title: "Permissions" },
] as const;

type MainTab = (typeof MAIN_TABS)[number]["name"];
type SideTab = (typeof SIDE_TABS)[number]["name"];
export type BenchTab = MainTab | SideTab;

const CHARS_MAX = 200;

export interface BenchSearch {
  tab?: MainTab;
  side?: SideTab;
  /** Which of the two is seen where there is room for one. */
  at?: "side";
  /** It was saved just now. */
  saved?: boolean;
}

export interface NewToolSearch extends BenchSearch {
  /** What it begins with; none: that is asked. */
  from?: "blank" | "command" | "template" | "tool";
  /** The template's name, or the tool's id. */
  of?: string;
}

const MAIN = MAIN_TABS.map(({ name }) => name);
const SIDE = SIDE_TABS.map(({ name }) => name);

/** What an address says of the parts that are seen; the first of each stand there as nothing. */
export function readBenchSearch(raw: Record<string, unknown>): BenchSearch {
  const tab = oneOf(MAIN, raw["tab"]);
  const side = oneOf(SIDE, raw["side"]);
  return chosen<BenchSearch>({
    tab: tab === "code" ? undefined : tab,
    side: side === "run" ? undefined : side,
    at: oneOf(["side"], raw["at"]),
    saved: raw["saved"] === true ? true : undefined,
  });
}

export function readNewToolSearch(raw: Record<string, unknown>): NewToolSearch {
  const from = oneOf(["blank", "command", "template", "tool"], raw["from"]);
  const of = wordsIn(raw["of"], CHARS_MAX);
  const isBlank = from === "blank" || from === "command";
  const begins = isBlank || (from !== undefined && of !== undefined);
  return chosen<NewToolSearch>({
    ...readBenchSearch(raw),
    from: begins ? from : undefined,
    of: begins && !isBlank ? of : undefined,
  });
}

/** The address's part that shows a tab. */
export function showing(tab: BenchTab): Pick<BenchSearch, "tab" | "side" | "at"> {
  const side = oneOf(SIDE, tab);
  if (side !== undefined) return { side: side === "run" ? undefined : side, at: "side" } as never;
  return { tab: tab === "code" ? undefined : tab, at: undefined } as never;
}
