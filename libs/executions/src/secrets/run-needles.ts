import type { Needle, OpenedService, ToldNeedle } from "@bulkhead/core";

/** One of a run: whole it is covered always, in parts only where the run's code or a caller's was told it. */
export type RunNeedle = Needle | ToldNeedle;

/** What the services give a run: told is what its code is given itself, and no placeholder's value. */
export const needlesOf = ({ entries }: OpenedService): RunNeedle[] =>
  entries.flatMap(({ secrets }) =>
    secrets.map(({ value, wholeWordsOnly, revealed }) => ({
      value,
      wholeWordsOnly,
      ...(revealed && { isTold: true as const }),
    })),
  );

/** As those know it whose code never saw the value: the callers of what was given it, and scrub rules. */
export const untold = ({ value, wholeWordsOnly }: Needle): Needle => ({ value, wholeWordsOnly });

export const isTold = (needle: RunNeedle): needle is ToldNeedle => "isTold" in needle;

/** Those of `more` whose values are not among the needles yet. */
export function newsOf<N extends Needle>(needles: readonly Needle[], more: readonly N[]): N[] {
  const known = new Set(needles.map(({ value }) => value));
  return more.filter(({ value }) => !known.has(value));
}

/** What a run keeps in: its callers' needles and its own; a value that either was told is told, however else it is held. */
export function joinNeedles(callers: readonly RunNeedle[], own: readonly RunNeedle[]): RunNeedle[] {
  const told = new Set([...callers, ...own].filter(isTold).map(({ value }) => value));
  const all = [...callers, ...newsOf(callers, own)];
  return all.map((needle) => (told.has(needle.value) ? { ...needle, isTold: true } : needle));
}
