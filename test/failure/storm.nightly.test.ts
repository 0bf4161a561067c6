import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let tenants: Client[];

beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: "error" }, workers: 2 });
  tenants = await Promise.all(
    [5, 20].map(async (maxConcurrentExecutions) => {
      const { owner } = await newTenant(product, { maxConcurrentExecutions });
      await createTool(owner, "brief", "await new Promise((r) => setTimeout(r, args.ms)); return args.n;", {
        parameters: { type: "object", properties: { ms: { type: "integer" }, n: { type: "integer" } } },
      });
      return owner;
    }),
  );
});

afterAll(() => product?.stop());

const CALLS_EACH = 300;
const TIMEOUT_MS = 300_000;
/** Who was not accepted tries the next one so much later: else one outage would use up all calls. Milliseconds. */
const REFUSED_PAUSE_MS = 200;

/** Submits until it is accepted: an answer that never came may have been an acceptance, which the list will show. */
async function submit(client: Client, n: number): Promise<string | null> {
  const body = { arguments: { ms: (n % 10) * 20, n }, mode: "async", timeoutMs: TIMEOUT_MS };
  try {
    const answer = await client.post("/api/v1/custom-tools/brief/execute", body);
    return answer.status === 202 ? answer.body.data.executionId : null;
  } catch {
    return null;
  }
}

/** Everything the tenant has, page by page. */
async function all(client: Client): Promise<{ id: string; status: string }[]> {
  const executions = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { data } = (await client.get(`/api/v1/executions?limit=200${page}`)).body;
    executions.push(...data.executions);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return executions;
}

test("whatever dies meanwhile, every accepted execution ends once and well", async () => {
  product.showLogsIfTestFails();
  const accepted = new Map<Client, string[]>();
  const submitting = tenants.map(async (client) => {
    const ids: string[] = [];
    for (let n = 0; n < CALLS_EACH; n += 1) {
      const id = await submit(client, n);
      if (id) ids.push(id);
      else await new Promise((resolve) => setTimeout(resolve, REFUSED_PAUSE_MS));
    }
    accepted.set(client, ids);
  });
  const storm = async (): Promise<void> => {
    for (const blow of ["worker", "redis", "worker", "api", "redis", "worker"] as const) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      if (blow === "redis") await product.redis?.restartEmpty();
      else if (blow === "api") await product.api.kill().then(() => product.api.restart());
      else {
        await product.workers.find((worker) => !worker.hasEnded())?.kill();
        await product.startWorker();
      }
    }
  };
  await Promise.all([storm(), ...submitting]);
  for (const client of tenants) {
    const ids = accepted.get(client) ?? [];
    expect(ids.length).toBeGreaterThan(CALLS_EACH / 2);
    const ended = await until(
      async () => {
        const executions = await all(client);
        const open = executions.some(({ status }) => status === "queued" || status === "running");
        return open ? null : executions;
      },
      { timeoutMs: 240_000, what: "everything has ended" },
    );
    expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(ended.filter(({ status }) => status !== "succeeded")).toEqual([]);
    for (const { id } of ended) {
      const { data } = (await client.get(`/api/v1/executions/${id}`)).body;
      expect([id, data.result]).toEqual([id, data.arguments.n]);
    }
    for (const id of ids.slice(-20)) {
      const events = await (await client.follow(id)).rest();
      expect(
        events.filter(({ event }) => /succeeded|failed|timed_out|cancelled|lost/.test(event)),
      ).toHaveLength(1);
    }
  }
});
