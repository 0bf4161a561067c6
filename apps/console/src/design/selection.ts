/** The rows that a person has selected, as they were then, and the one that was selected last. */
export interface Selection<Row> {
  rows: ReadonlyMap<string, Row>;
  last: string | null;
}

interface Named {
  id: string;
}

export const NOTHING: Selection<never> = { rows: new Map<string, never>(), last: null };

/** With the row selected or not, whatever it was not; as a range, all from the last one up to it become as it does. */
export function toggled<Row extends Named>(
  { rows, last }: Selection<Row>,
  row: Row,
  shown: readonly Row[],
  isRange: boolean,
): Selection<Row> {
  const at = shown.findIndex(({ id }) => id === row.id);
  const from = isRange ? shown.findIndex(({ id }) => id === last) : -1;
  const range = from < 0 || at < 0 ? [row] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
  const next = new Map(rows);
  const isSelected = !rows.has(row.id);
  for (const one of range) {
    if (isSelected) next.set(one.id, one);
    else next.delete(one.id);
  }
  return { rows: next, last: row.id };
}

/** With all that are shown; without them where all of them are selected already. What is not shown stays as it is. */
export function allToggled<Row extends Named>(
  { rows }: Selection<Row>,
  shown: readonly Row[],
): Selection<Row> {
  const next = new Map(rows);
  const isAll = shown.every(({ id }) => rows.has(id));
  for (const row of shown) {
    if (isAll) next.delete(row.id);
    else next.set(row.id, row);
  }
  return { rows: next, last: null };
}

/** Only those of them that stay. */
export const keeping = <Row>({ rows }: Selection<Row>, stays: (id: string) => boolean): Selection<Row> => ({
  rows: new Map([...rows].filter(([id]) => stays(id))),
  last: null,
});

/** The selected rows that the list shows, as they are by now, and those that it does not, as they were. */
export function parted<Row extends Named>(
  { rows }: Selection<Row>,
  shown: readonly Row[],
): { seen: Row[]; unseen: Row[] } {
  const seen = shown.filter(({ id }) => rows.has(id));
  const ids = new Set(seen.map(({ id }) => id));
  return { seen, unseen: [...rows.values()].filter(({ id }) => !ids.has(id)) };
}
