/** The value as far as it is one of those that are known. */
export const oneOf = <T extends string>(all: readonly T[], value: unknown): T | undefined =>
  all.find((one) => one === value);

/** Words in an address, which reads numbers as such, of at most so many characters; empty ones are none. */
export function wordsIn(value: unknown, charsMax: number): string | undefined {
  const words = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return words.slice(0, charsMax) || undefined;
}

/** Without what is undefined, so that an address holds only what was chosen. */
export const chosen = <T extends object>(read: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as T;

/** A whole number of at least nothing in an address. */
export function countIn(value: unknown, max: number): number | undefined {
  const number =
    typeof value === "number" ? value : Number(typeof value === "string" && value !== "" ? value : NaN);
  return Number.isInteger(number) && number >= 0 && number <= max ? number : undefined;
}

/** A moment in an address, as the API writes it. */
export function momentIn(value: unknown): string | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** The cursor of the part that a `Link` header names as the next. */
export function nextCursor(link: string | null): string | undefined {
  const path = /^<([^>]*)>; rel="next"$/.exec(link ?? "")?.[1];
  if (path === undefined) return undefined;
  return new URL(path, "http://any").searchParams.get("cursor") ?? undefined;
}
