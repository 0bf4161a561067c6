import { acknowledged, type History, type Reading } from "../history/history.ts";
import type { Caller } from "../load/caller.ts";
import { mustEnd } from "../load/tools.ts";
import type { Ground } from "../rig/ground.ts";

/** How many are asked about at once. */
const AT_ONCE = 6;

const ROWS = `select id, status, tool_name, attempt, idempotent, arguments->>'marker' as marker
from executions where tenant_id = $1`;

/** Adds to a history what is found at rest: rows, what tools did, and each acknowledged execution as the API tells it. */
export async function gatherEvidence({
  rig,
  caller,
  tenantId,
  history,
}: {
  rig: Pick<Ground, "sql" | "effects">;
  caller: Caller;
  tenantId: string;
  history: History;
}): Promise<void> {
  const rows = await rig.sql(ROWS, [tenantId]);
  history.rows = rows.map(({ id, status, attempt, idempotent, marker, tool_name: tool }) => ({
    id: String(id),
    status: String(status),
    attempt: Number(attempt),
    idempotent: idempotent === true,
    mustEnd: mustEnd(String(tool)),
    marker: typeof marker === "string" ? marker : null,
  }));
  const ids = new Set(history.rows.map(({ id }) => id));
  history.effects = rig.effects.seen.filter(({ executionId }) => ids.has(executionId));
  const waiting = [...acknowledged(history)];
  const one = async (): Promise<void> => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      await caller.read(id, "final read");
      history.whole.push(await wholeStream(caller, id));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const wholeStream = async (caller: Caller, executionId: string): Promise<Reading> =>
  (await caller.follow(executionId, null, () => "go on")) ?? {
    executionId,
    after: null,
    events: [],
    ended: "broken",
  };
