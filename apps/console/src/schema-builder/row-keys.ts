export interface RowKey {
  name: string;
  key: number;
}

/**
 * A key for each row that stays with it when it moves, and when it alone gets another name: else whoever edits it would
 * lose the place.
 */
export function rowKeys(before: readonly RowKey[], names: readonly string[]): readonly RowKey[] {
  if (before.length === names.length && before.every(({ name }, index) => name === names[index]))
    return before;
  const keys = new Map(before.map(({ name, key }) => [name, key]));
  const now = new Set(names);
  const gone = before.filter(({ name }) => !now.has(name));
  const fresh = names.filter((name) => !keys.has(name));
  const renamed = gone.length === 1 && fresh.length === 1 ? gone[0]?.key : undefined;
  let next = before.reduce((most, { key }) => Math.max(most, key), 0);
  return names.map((name) => ({ name, key: keys.get(name) ?? renamed ?? (next += 1) }));
}
