import { RUN_LIMITS_DEFAULT, type RunLimits } from "@bulkhead/core";
import type { AbuseRow } from "./abuse-row.ts";

/** Rows that attack one thing, by the name of that thing. */
export type Families = Record<string, AbuseRow[]>;

/** What lies between two rows that are tried because it is their turn. */
const NTH = 40;
/** Limits of time that no run meets, also beside others that keep every processor busy; in milliseconds. */
const OUT_OF_REACH = { cpuMs: 20_000, wallMs: 60_000 };

const endsOf = ([, , ends, details]: AbuseRow): string[] => [...[ends].flat(), ...(details?.by ?? [])];

/**
 * The rows of a quick run, in the order of the table: the first of each family, for each outcome and each layer that any row
 * names the row with the fewest others beside it, and every fortieth.
 */
export function chosenRows(families: Families): AbuseRow[] {
  const rows = Object.values(families).flat();
  const firsts = Object.values(families).flatMap(([first]) => (first === undefined ? [] : [first]));
  const surest = [...new Set(rows.flatMap(endsOf))].flatMap((end) =>
    rows
      .filter((row) => endsOf(row).includes(end))
      .toSorted((one, other) => endsOf(one).length - endsOf(other).length)
      .slice(0, 1),
  );
  const chosen = new Set([...firsts, ...surest, ...rows.filter((_, index) => index % NTH === 0)]);
  return rows.filter((row) => chosen.has(row));
}

/** The limits of a row's run: a limit of time that is none of its ends must not be what ends it on a slow machine. */
export function limitsOf([, , ends, details = {}]: AbuseRow, suite: Partial<RunLimits>): RunLimits {
  const limits = { ...RUN_LIMITS_DEFAULT, ...suite, ...details.limits };
  const outcomes = [ends].flat();
  return {
    ...limits,
    cpuMs: outcomes.includes("cpu") ? limits.cpuMs : OUT_OF_REACH.cpuMs,
    wallMs: outcomes.includes("wall") ? limits.wallMs : OUT_OF_REACH.wallMs,
  };
}
