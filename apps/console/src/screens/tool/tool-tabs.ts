import { chosen, oneOf, wordsIn } from "../../format/address.ts";

export const TABS = [
  { name: "details", title: "Details" },
  { name: "code", title: "Code" },
  { name: "test", title: "Test" },
  { name: "executions", title: "Executions" },
  { name: "versions", title: "Versions" },
  { name: "access", title: "Access" },
] as const;

const TAB_NAMES = TABS.map(({ name }) => name);

/** Ends and states by which a tool's executions are narrowed. */
export const RUN_STATUSES = [
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "denied",
  "lost",
  "awaiting_approval",
  "queued",
  "running",
] as const;

const PROVIDER_CHARS_MAX = 200;

export interface ToolPageSearch {
  tab?: (typeof TABS)[number]["name"];
  /** Of the executions. */
  status?: (typeof RUN_STATUSES)[number];
  /** The version that is looked at, and the one that it is held against. */
  v?: number;
  against?: number;
  /** Of the model that asks, on the tab of access. */
  provider?: string;
}

const versionIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;

/** What an address says, as far as it is any of the page's; the first tab stands there as nothing. */
export function readToolPageSearch(raw: Record<string, unknown>): ToolPageSearch {
  const tab = oneOf(TAB_NAMES, raw["tab"]);
  return chosen<ToolPageSearch>({
    tab: tab === "details" ? undefined : tab,
    status: oneOf(RUN_STATUSES, raw["status"]),
    v: versionIn(raw["v"]),
    against: versionIn(raw["against"]),
    provider: wordsIn(raw["provider"], PROVIDER_CHARS_MAX),
  });
}
