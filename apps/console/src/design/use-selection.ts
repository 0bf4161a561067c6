import { useState } from "react";
import { allToggled, keeping, NOTHING, parted, type Selection, toggled } from "./selection.ts";

/** What is selected of a list, and how that is changed. */
export interface Selected<Row> {
  has: (id: string) => boolean;
  /** Those that the list shows, as they are by now. */
  seen: readonly Row[];
  /** Those that it does not, as where a filter has changed. */
  unseen: readonly Row[];
  isAll: boolean;
  toggle: (row: Row, isRange?: boolean) => void;
  toggleAll: () => void;
  /** Only these stay selected. */
  keep: (ids: ReadonlySet<string>) => void;
  clear: () => void;
}

/** Selects among the rows that a list shows. */
export function useSelection<Row extends { id: string }>(shown: readonly Row[]): Selected<Row> {
  const [selection, setSelection] = useState<Selection<Row>>(NOTHING);
  return {
    ...parted(selection, shown),
    has: (id) => selection.rows.has(id),
    isAll: shown.length > 0 && shown.every(({ id }) => selection.rows.has(id)),
    toggle: (row, isRange = false) => setSelection((before) => toggled(before, row, shown, isRange)),
    toggleAll: () => setSelection((before) => allToggled(before, shown)),
    keep: (ids) => setSelection((before) => keeping(before, (id) => ids.has(id))),
    clear: () => setSelection(NOTHING),
  };
}
