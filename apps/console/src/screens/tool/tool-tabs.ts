export const TABS = [
  { name: "details", title: "Details" },
  { name: "code", title: "Code" },
  { name: "test", title: "Test" },
] as const;

export interface ToolPageSearch {
  tab?: (typeof TABS)[number]["name"];
}

/** The tab that an address names; another one is the first. */
export function readToolPageSearch(raw: Record<string, unknown>): ToolPageSearch {
  const tab = TABS.find(({ name }) => name === raw["tab"])?.name;
  return tab === undefined || tab === "details" ? {} : { tab };
}
