/** One row more than the page tells whether there is a next page. */
export const oneMore = (limit: number): number => limit + 1;

/** Cuts the page out of what was found with `oneMore`. The next page goes on from the cursor; the last page has null. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}
