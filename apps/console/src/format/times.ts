const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** Less than so many seconds are told as "now": what is newer is as new as the page. */
const NOW_SECONDS = 5;

/** How long ago or ahead, in the viewer's language: "3 minutes ago", "in 2 days". */
export function relativeTime(at: Date, now: Date, locale?: string): string {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) < NOW_SECONDS) return words.format(0, "second");
  const [unit, size] = STEPS.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  return words.format(Math.trunc(seconds / size), unit);
}

/** The moment itself, in the viewer's zone, which it names. */
export const exactTime = (at: Date, locale?: string): string =>
  at.toLocaleString(locale, {
    dateStyle: "medium",
    timeStyle: "long",
  });

const MINUTE = 60;
const pad = (value: number): string => String(value).padStart(2, "0");

/** What is left, as a clock shows it: "1:42", "2:03:11"; never less than "0:00". */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const minutes = Math.floor(seconds / MINUTE);
  const hours = Math.floor(minutes / MINUTE);
  const rest = pad(seconds % MINUTE);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${pad(minutes % MINUTE)}:${rest}`;
}
