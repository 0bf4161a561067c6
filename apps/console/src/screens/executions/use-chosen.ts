import type { ExecutionSummary } from "@bulkhead/client";
import { useState } from "react";

export interface Chosen {
  chosen: ReadonlyMap<string, ExecutionSummary>;
  toggle: (row: ExecutionSummary) => void;
  /** These, and no others. */
  choose: (rows: readonly ExecutionSummary[]) => void;
}

/** The rows that something is to be done to. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ExecutionSummary>>(new Map());
  return {
    chosen,
    toggle: (row) =>
      setChosen((before) => {
        const next = new Map(before);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      }),
    choose: (rows) => setChosen(new Map(rows.map((row) => [row.id, row]))),
  };
}
