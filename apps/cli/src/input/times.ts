import { usageFault } from "../faults/cli-fault.ts";

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const DURATION = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/;

/** Milliseconds of `500ms`, `30s`, `5m`, `2h` or `7d`; `where` names the option in a fault. */
export function durationMs(text: string, where: string): number {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  const ms = Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
  if (Number.isSafeInteger(ms)) return ms;
  throw usageFault(`${where}: "${text}" is no duration.`, "Write it like 500ms, 30s, 5m, 2h or 7d.");
}

/** A moment as ISO 8601: one that is written out, or so long ago (`direction` -1) or from now (1). */
export function momentOf(text: string, where: string, now: Date, direction: -1 | 1): string {
  if (DURATION.test(text)) return new Date(now.getTime() + direction * durationMs(text, where)).toISOString();
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  throw usageFault(
    `${where}: "${text}" is no moment.`,
    "Write it like 2026-05-01, 2026-05-01T12:00:00Z or 2h.",
  );
}

const ROUND: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** A duration for people: two figures at most, such as `850 ms`, `1.2 s`, `12 s`, `3 m`. */
export function shownDuration(ms: number | undefined): string {
  if (ms === undefined) return "";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const [unit, size] = ROUND.find(([, least]) => ms >= least) ?? ["s", 1_000];
  const count = ms / size;
  return `${count < 10 ? Math.round(count * 10) / 10 : Math.round(count)} ${unit}`;
}

/** How far a moment is from now, such as `3 m ago` or `in 2 h`. */
export function shownAgo(at: string | undefined, now: Date): string {
  if (at === undefined) return "";
  const ms = now.getTime() - Date.parse(at);
  return ms >= 0 ? `${shownDuration(ms)} ago` : `in ${shownDuration(-ms)}`;
}
