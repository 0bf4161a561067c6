import type { MessageCounts } from "@bulkhead/core";
import type { Pool } from "pg";
import { askPool, type Ask } from "../files/file-transaction.ts";
import { faulting } from "../sql-trouble.ts";

const HOUR_MS = 3_600_000;
/** With the present hour and so many before it no part of 24 hours is left out. */
const HOURS_BEFORE = 24;

/** Counts by hours, one row a tenant, which whoever counts holds. What it throws is a Fault. */
export function openMessageCounts(pool: Pool): MessageCounts {
  const ask = askPool(pool);
  return {
    take: (tenantId, count, max, at) =>
      faulting(async () => {
        if (count > max) return { counted: false, retryAfterMs: null };
        const hour = Math.floor(at.getTime() / HOUR_MS);
        const taken = await ask(TAKE, [tenantId, hour - HOURS_BEFORE, String(hour), count, max]);
        if (taken.length > 0) return { counted: true };
        const freeAtHour = await freeFrom(ask, tenantId, hour, max - count);
        return { counted: false, retryAfterMs: Math.max(1, freeAtHour * HOUR_MS - at.getTime()) };
      }),
  };
}

const LATELY = "jsonb_each_text(m.hours) AS sent (hour, count) WHERE sent.hour::int >= $2::int";

/** The row is locked before its counts are looked at, so that nobody counts beside it. */
const TAKE = `/* message_counts.take */
  INSERT INTO message_counts AS m (tenant_id, hours) VALUES ($1, jsonb_build_object($3::text, $4::int))
  ON CONFLICT (tenant_id) DO UPDATE SET hours =
    (SELECT coalesce(jsonb_object_agg(sent.hour, sent.count::int), '{}') FROM ${LATELY})
    || jsonb_build_object($3::text, coalesce((m.hours->>$3::text)::int, 0) + $4::int)
  WHERE (SELECT coalesce(sum(sent.count::int), 0) FROM ${LATELY}) + $4::int <= $5::int
  RETURNING true`;

/** The hour from which on so many of the oldest are a day old that `left` remain at most. */
async function freeFrom(ask: Ask, tenantId: string, hour: number, left: number): Promise<number> {
  const sent = await ask<{ hour: number; count: number }>(
    `/* message_counts.lately */ SELECT sent.hour::int AS hour, sent.count::int AS count FROM message_counts AS m, ${LATELY}
    AND m.tenant_id = $1 ORDER BY sent.hour::int`,
    [tenantId, hour - HOURS_BEFORE],
  );
  let remain = sent.reduce((sum, { count }) => sum + count, 0);
  // Where others have moved on meanwhile it may be free by now.
  let from = hour;
  for (const one of sent) {
    if (remain <= left) break;
    remain -= one.count;
    from = one.hour + HOURS_BEFORE + 1;
  }
  return from;
}
