/** A moment as a field for date and time holds it, in the viewer's zone; to the minute. */
export function toField(moment: string | undefined): string {
  if (moment === undefined) return "";
  const at = new Date(moment);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The moment that such a field holds; none where it is empty. */
export function fromField(value: string): string | undefined {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** A moment as short as it is still told apart among its neighbours: the time of a day, else with the day, else the day alone. */
export function shortTime(at: number, spanMs: number, locale?: string): string {
  const day = 86_400_000;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const date = { month: "short", day: "numeric" } as const;
  const parts = spanMs <= day ? time : spanMs <= 8 * day ? { ...date, ...time } : date;
  return new Date(at).toLocaleString(locale, parts);
}
