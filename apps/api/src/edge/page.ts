/** How many are asked for to know whether there is a next page, too. */
export const oneMore = (limit: number): number => limit + 1;

/** Of what was asked for with `oneMore` what the page shows, and from where the next one goes on; null behind the last. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
