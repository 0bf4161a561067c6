import { is } from "./by-id.ts";

/**
 * CTEs that count the uses of tools for what a CTE `ended` (tenant_id, tool_id, attempt, approval, finished_at) has just
 * ended: once for each execution that was ever started, beyond the attempt that asked a person; dry runs have no tool. The
 * tools' rows are locked in the order of their ids, so that two batches that end executions of the same tools can't wait for
 * each other in a circle.
 */
export const COUNT_USAGE = `
counted AS (
  SELECT tenant_id, tool_id, count(*) AS uses, max(finished_at) AS last_at
  FROM ended WHERE tool_id IS NOT NULL AND attempt > coalesce((approval->'asking'->>'attempt')::int, 0)
  GROUP BY tenant_id, tool_id
), held AS (
  SELECT t.id, c.uses, c.last_at
  FROM tools AS t JOIN counted AS c ON c.tool_id = t.id AND ${is("t.tenant_id", "c.tenant_id")}
  ORDER BY t.id FOR NO KEY UPDATE OF t
), used AS (
  UPDATE tools AS t SET usage_count = t.usage_count + h.uses, last_used_at = greatest(t.last_used_at, h.last_at)
  FROM held AS h WHERE t.id = h.id
)`;
