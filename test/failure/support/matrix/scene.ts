import { randomBytes } from "node:crypto";
import type { History } from "../history/history.ts";
import { Caller } from "../load/caller.ts";
import type { Target } from "../load/requests.ts";
import { LOAD_TOOLS, toolBody } from "../load/tools.ts";
import type { Ground } from "../rig/ground.ts";
import type { Scene, StoredRow } from "./row.ts";

export interface OpenedScene<R> {
  scene: Scene<R>;
  history: History;
  checks: (() => Promise<string[]>)[];
}

/** The evidence is asked for as fast as it comes. */
const LIMITS = { requestsPerSecond: 5_000 };

const BURST_NAP_MS = 200;

const ROW = `select status, attempt, result::text, error::text, end_event_id, finished_at::text
from executions where id = $1`;

/** A tenant of the row's own, with the tools of the load. */
export async function openScene<R extends Ground>(
  rig: R,
  history: History,
  name: string,
): Promise<OpenedScene<R>> {
  const admin = new Caller(targetOf(rig, rig.product.adminKey), history);
  const slug = `fault-${randomBytes(4).toString("hex")}`;
  const tenantId = textAt(
    await admin.ask("POST", "/api/v1/tenants", { slug, name: slug, limits: LIMITS }),
    "id",
  );
  const owner = await admin.ask("POST", `/api/v1/tenants/${tenantId}/api-keys`, {
    name: "owner",
    role: "owner",
  });
  const caller = new Caller(targetOf(rig, textAt(owner, "key")), history);
  for (const tool of Object.values(LOAD_TOOLS)) {
    textAt(await caller.ask("POST", "/api/v1/custom-tools", toolBody(tool)), "id");
  }
  const checks: OpenedScene<R>["checks"] = [];
  let started = 0;
  const scene: Scene<R> = {
    rig,
    caller,
    tenantId,
    name,
    start: async (tool, times = {}) => {
      const marker = `${name}-own-${(started += 1)}`;
      const args = { marker, url: rig.effects.url, ms: 200, ...times };
      const id = await caller.submit({ tool, marker, arguments: args }, "async");
      if (id === null) throw new Error(`${tool} was not accepted: ${JSON.stringify(history.calls.at(-1))}`);
      return id;
    },
    burst: async (count) => {
      const markers = Array.from({ length: count }, () => `${name}-burst-${(started += 1)}`);
      await caller.submitBatch(
        markers.map((marker) => ({ tool: "nap", marker, arguments: { marker, ms: BURST_NAP_MS } })),
      );
    },
    row: async (executionId) => {
      const [row] = await rig.sql(ROW, [executionId]);
      if (!row) throw new Error(`${executionId} has no row`);
      return row as unknown as StoredRow;
    },
    afterwards: (check) => void checks.push(check),
  };
  return { scene, history, checks };
}

/** Each call asks for the URL anew: there may be several APIs. */
const targetOf = ({ product }: Ground, key: string): Target => ({
  get url() {
    return product.url;
  },
  key,
});

function textAt(answer: unknown, name: string): string {
  const { body } = answer as { body?: { data?: Record<string, unknown> } };
  const value = body?.data?.[name];
  if (typeof value !== "string") throw new Error(`no ${name}: ${JSON.stringify(answer)}`);
  return value;
}
