/** Steps that can be taken back. */
const STEPS_MAX = 100;

export interface Edit {
  /** What was edited: going on with the same is one step, as typing is. */
  about?: string;
  /** What happened, where it is more than shows at once. */
  note?: string;
}

interface Step extends Edit {
  schema: unknown;
}

export interface History {
  past: readonly Step[];
  now: Step;
  /** What was taken back, the next first. */
  future: readonly Step[];
}

export const beginHistory = (schema: unknown): History => ({ past: [], now: { schema }, future: [] });

export function afterEdit({ past, now, future }: History, schema: unknown, edit: Edit): History {
  const goesOn = edit.about !== undefined && edit.about === now.about && future.length === 0;
  return {
    past: goesOn ? past : [...past, now].slice(-STEPS_MAX),
    now: { schema, ...edit },
    future: [],
  };
}

/** One step back; itself where there is none. */
export function undone({ past, now, future }: History): History {
  const last = past.at(-1);
  if (last === undefined) return { past, now, future };
  return { past: past.slice(0, -1), now: { schema: last.schema }, future: [now, ...future] };
}

/** One step forward again; itself where none was taken back. */
export function redone({ past, now, future }: History): History {
  const [next, ...rest] = future;
  if (next === undefined) return { past, now, future };
  return { past: [...past, now], now: { schema: next.schema }, future: rest };
}
