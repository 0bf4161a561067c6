const COMPACT_FROM = 100_000;

/** A count in the viewer's locale; a large one is rounded: "1,234", "1.2M". */
export const count = (value: number, locale?: string): string =>
  value < COMPACT_FROM
    ? value.toLocaleString(locale)
    : value.toLocaleString(locale, { notation: "compact", maximumFractionDigits: 1 });

const UNITS: readonly [unit: string, bytes: number][] = [
  ["GB", 1_000_000_000],
  ["MB", 1_000_000],
  ["kB", 1_000],
];

/** How much that is: "512 B", "1.4 MB". */
export function bytes(value: number, locale?: string): string {
  const [unit, size] = UNITS.find(([, one]) => value >= one) ?? ["B", 1];
  return `${(value / size).toLocaleString(locale, { maximumFractionDigits: size === 1 ? 0 : 1 })} ${unit}`;
}

const MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** How long that is: "8 ms", "1.24 s", "3 min 5 s", "2 h 10 min", "3 d 4 h". */
export function duration(ms: number, locale?: string): string {
  const fixed = (value: number, digits: number): string =>
    value.toLocaleString(locale, { maximumFractionDigits: digits });
  if (ms < 10) return `${fixed(ms, 1)} ms`;
  if (Math.round(ms) < MS.second) return `${fixed(ms, 0)} ms`;
  if (ms < MS.minute - 5) return `${fixed(ms / MS.second, 2)} s`;
  const seconds = Math.round(ms / MS.second);
  const pair = (one: number, unit: string, two: number, rest: string): string =>
    two === 0 ? `${one} ${unit}` : `${one} ${unit} ${two} ${rest}`;
  if (seconds < 3_600) return pair(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(ms / MS.minute);
  if (minutes < 1_440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(ms / MS.hour);
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

/** A share of one: "12.5 %". */
export const percent = (share: number, locale?: string): string =>
  share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 1 });
