import { chosen, oneOf, wordsIn } from "../../format/address.ts";

export const TABS = [
  { name: "overview", title: "Overview" },
  { name: "events", title: "Events" },
  { name: "attempts", title: "Tries" },
  { name: "deliveries", title: "Deliveries" },
] as const;

export interface ExecutionPageSearch {
  tab?: (typeof TABS)[number]["name"];
}

/** The tab that an address names; another one is the first. */
export const readExecutionPageSearch = (raw: Record<string, unknown>): ExecutionPageSearch =>
  chosen<ExecutionPageSearch>({ tab: oneOf(["events", "attempts", "deliveries"], raw["tab"]) });

export interface CompareSearch {
  a?: string;
  b?: string;
}

const ID_CHARS_MAX = 64;

/** The two executions that an address compares, as far as it names them. */
export const readCompareSearch = (raw: Record<string, unknown>): CompareSearch =>
  chosen<CompareSearch>({ a: wordsIn(raw["a"], ID_CHARS_MAX), b: wordsIn(raw["b"], ID_CHARS_MAX) });
