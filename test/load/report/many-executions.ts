import { setTimeout } from "node:timers/promises";
import { Client } from "pg";

/** How many executions there are, and over how long they were accepted. */
interface Made {
  tenantId: string;
  count: number;
  days: number;
}

/**
 * Ended executions of a tenant, evenly over the last days, as plain SQL makes them: of 50 tools (the first has a fifth), 10
 * keys, 20 agents and a conversation for every ten; one in twenty has not succeeded. What is rare has few rows: one key, one
 * source, one agent and one error code.
 */
const FILL = `INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, status, attempt, idempotent, arguments,
    arguments_bytes, context, result, result_bytes, error, usage, timings, source, client, requested_by, by_agent, parent_id,
    depth, trace_id, end_event_id, ended_by, priority, approval, created_at, accepted_at, queued_at, started_at, finished_at,
    deadline_at)
  SELECT execution_id_floor(r.at) || '7' || substr(md5(r.n || $1), 1, 19), $1,
    'tool_' || lpad(to_hex(r.tool), 16, '0'), 'tool_number_' || r.tool, 1 + r.n % 3, r.status, 1, false,
    json_build_object('text', repeat('a', 80)), 92, json_strip_nulls(json_build_object(
      'agentId', CASE WHEN r.n % 5 > 1 THEN 'agent_' || r.n % 20 WHEN r.n % 100000 = 7 THEN 'agent_rare' END,
      'conversationId', CASE WHEN r.n % 2 = 0 THEN 'conversation_' || r.n / 20 END)),
    CASE WHEN r.status = 'succeeded' THEN json_build_object('text', repeat('b', 120)) END,
    CASE WHEN r.status = 'succeeded' THEN 132 END,
    CASE WHEN r.status <> 'succeeded' THEN json_build_object('code', CASE WHEN r.n % 20000 = 0 THEN 'sandbox.crashed'
      WHEN r.status = 'timed_out' THEN 'tool.wall_limit' ELSE 'tool.threw' END, 'message', 'It did not work.') END,
    '{"cpuMs":1.5,"wallMs":20,"memoryPeakMib":9,"networkRequests":0}', '{"dwell":1,"queue":1,"run":20}',
    CASE WHEN r.n % 50000 = 3 THEN 'replay' WHEN r.n % 10 = 0 THEN 'batch' WHEN r.n % 10 = 1 THEN 'mcp'
      WHEN r.n % 10 = 2 THEN 'tool' ELSE 'rest' END, 'bench/1.0',
    CASE WHEN r.n % 10000 = 9 THEN 'key_rare' ELSE 'key_000000000000000' || r.n % 10 END, r.n % 5 > 1,
    CASE WHEN r.n % 10 = 2 THEN 'exe_parent_' || r.n / 100 END, CASE WHEN r.n % 10 = 2 THEN 2 ELSE 1 END,
    md5(r.n::text), '1-4', 'guest', 4, CASE WHEN r.status = 'denied' THEN '{"timeoutMs":1}'::jsonb END,
    r.at, r.at, r.at, r.at, r.at + interval '1 ms' * (5 - 200 * ln(1 - (r.n::bigint * 7919 % 1000000) / 1000000.0)), r.at + interval '1 min'
  FROM (SELECT n, now() - make_interval(secs => $4::float8 * 86400 * (1 - n / $5::float8)) AS at,
      CASE WHEN n % 5 = 0 THEN 0 ELSE n * 31 % 49 + 1 END AS tool,
      CASE WHEN n % 20 > 0 THEN 'succeeded' WHEN n % 1000 = 0 THEN 'lost' WHEN n % 500 = 20 THEN 'denied'
        WHEN n % 100 = 40 THEN 'cancelled' WHEN n % 60 = 0 THEN 'timed_out' ELSE 'failed' END AS status
    FROM generate_series($2::int, $3::int) AS n) AS r`;

/** In statements of so many rows, so that none takes longer than a connection may. */
const ROWS_MAX = 50_000;

/** Fills the table past the product: by its routes a million would take the better part of an hour. */
export async function fillExecutions(
  url: string,
  made: readonly Made[],
  note: (line: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const { tenantId, count, days } of made)
      for (let from = 1; from <= count; from += ROWS_MAX) {
        const to = Math.min(count, from + ROWS_MAX - 1);
        await client.query(FILL, [tenantId, from, to, days, count]);
        note(`${to} of ${count} executions of ${tenantId}`);
      }
    await vacuum(client);
  } finally {
    await client.end();
  }
}

const VACUUMS_MAX = 20;
const UNSEEN = `SELECT coalesce(sum(c.relpages - c.relallvisible), 0)::int AS pages
  FROM pg_partition_tree('executions') AS p JOIN pg_class AS c ON c.oid = p.relid WHERE p.isleaf`;

/**
 * As autovacuum does after so many; it can't be waited for. While another session has an older snapshot, rows are not yet
 * known to be seen by all, and what could be read from an index alone is not.
 */
async function vacuum(client: Client): Promise<void> {
  for (let n = 0; n < VACUUMS_MAX; n += 1) {
    await client.query("VACUUM (ANALYZE) executions");
    const { rows } = await client.query<{ pages: number }>(UNSEEN);
    if (rows[0]?.pages === 0) return;
    await setTimeout(1_000);
  }
  throw new Error(`Rows of the bench are not visible to all after ${VACUUMS_MAX} vacuums.`);
}
