import type { ExecutionSummary, ListExecutionsAnswer, TenantEvent } from "@bulkhead/client";

export type Pages = ListExecutionsAnswer[];
export type Ended = Extract<TenantEvent, { event: "execution.ended" }>;

/** More than so many rows on top of a list are not gathered: then it begins anew with the newest page. */
const TOP_MAX = 3_000;

/**
 * The pages of a list, and on top of them what has come since. Where more has come than one page tells, what lies between is
 * not known, so the list begins anew with that page.
 */
export function withNewest(pages: Pages, newest: ListExecutionsAnswer): Pages {
  const [top, ...others] = pages;
  if (top === undefined) return [newest];
  const now = new Map(newest.executions.map((one) => [one.id, one]));
  const known = new Set(pages.flatMap(({ executions }) => executions.map(({ id }) => id)));
  const came = newest.executions.filter(({ id }) => !known.has(id));
  const isApart = came.length === newest.executions.length && newest.nextCursor !== null;
  if (isApart || top.executions.length + came.length > TOP_MAX) return [newest];
  const updated = (page: ListExecutionsAnswer): ListExecutionsAnswer => ({
    ...page,
    executions: page.executions.map((one) => now.get(one.id) ?? one),
  });
  const first = updated(top);
  return [{ ...first, executions: [...came, ...first.executions] }, ...others.map(updated)];
}

/** The pages of a list, of which some executions have ended. */
export function withEnds(pages: Pages, ended: readonly Ended[]): Pages {
  const ends = new Map(ended.map(({ data }) => [data.executionId, data]));
  if (!pages.some(({ executions }) => executions.some(({ id }) => ends.has(id)))) return pages;
  return pages.map((page) => ({
    ...page,
    executions: page.executions.map((one) => {
      const end = ends.get(one.id);
      return end === undefined ? one : endedBy(one, end);
    }),
  }));
}

function endedBy(one: ExecutionSummary, { at, status, code, durationMs }: Ended["data"]): ExecutionSummary {
  const error =
    code === undefined
      ? {}
      : { error: { message: "", code: code as NonNullable<ExecutionSummary["error"]>["code"] } };
  return { ...one, ...error, status, finishedAt: at, durationMs, isError: status !== "succeeded" };
}
