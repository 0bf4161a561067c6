import { kept } from "../../data/kept.ts";

/** What a column of the list may show, in its order; status, tool and time always stand there. */
export const COLUMNS = {
  duration: "Duration",
  wait: "Wait",
  source: "Source",
  agent: "Agent",
  key: "API key",
  attempts: "Tries",
  code: "Error",
  argumentsBytes: "Arguments",
  resultBytes: "Result",
} as const;

export type ColumnName = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as ColumnName[];
const FIRST: readonly ColumnName[] = ["duration", "source", "code"];
const KEPT_AS = "executions.columns";

/** The columns that a kept text names, each once and in their order; those of the first time where it is none. */
export function readColumns(text: string | null): ColumnName[] {
  if (text === null) return [...FIRST];
  const named = text.split(",");
  return NAMES.filter((name) => named.includes(name));
}

/** With a column that was not there, or without one that was. */
export const toggleColumn = (columns: readonly ColumnName[], name: ColumnName): ColumnName[] =>
  NAMES.filter((one) => columns.includes(one) !== (one === name));

export const chosenColumns = (): ColumnName[] => readColumns(kept.read(KEPT_AS));

export const keepColumns = (columns: readonly ColumnName[]): void =>
  void kept.keep(KEPT_AS, columns.join(","));
