import { randomUUID } from "node:crypto";
import {
  isNightly,
  leakCheck,
  queryRows,
  startProduct,
  until,
  type Product,
  type ProductWorker,
} from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { scrapeMetrics, totalOf } from "../support/exposition.ts";
import { shutGate } from "../support/gate.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import { openScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { assistSuite } from "./assist-suite.ts";
import { lostRedisSuite } from "./lost-redis-suite.ts";
import { metricsSuite } from "./metrics-suite.ts";
import { SLOTS, systemSuite } from "./system-suite.ts";

leakCheck();

// What takes processes that no other file uses: a model, metrics of processes without other traffic, the list of workers, a
// Redis to lose, an API and a worker to kill, a locked table.
let product: Product;
let receiver: Receiver;
let model: ScriptedModel;
let owner: Client;
/** The worker that is killed. */
const victimId = `wrk_${randomUUID()}`;
let victim: ProductWorker;

beforeAll(async () => {
  receiver = await openReceiver(() => 204);
  model = await openScriptedModel();
  const env = {
    EGRESS_ALLOW: "127.0.0.0/8",
    MODEL_BASE_URL: model.url,
    MODEL_NAME: "small",
    WORKER_CONCURRENCY: String(SLOTS),
  };
  product = await startProduct({ env, workers: 0 });
});
afterAll(async () => {
  await product?.stop();
  await receiver?.close();
  await model?.close();
});

// Its worker stays for the next.
describe("the metrics of a product", () => metricsSuite(() => product));
describe("a tool that a model drafts", () => assistSuite(() => ({ product, model })));
// Its worker stays for the others. The second one takes Redis away.
describe("the system", () => systemSuite(() => product, victimId));
describe("a product without its Redis", () => lostRedisSuite(() => product));

const read = async (client: Client, executionId: string) =>
  (await client.get(`/api/v1/executions/${executionId}`)).body.data;
const start = async (client: Client, tool: string, body: object = {}): Promise<string> => {
  const call = { mode: "async", timeoutMs: 600_000, ...body };
  const answer = await client.post(`/api/v1/custom-tools/${tool}/execute`, call);
  if (answer.status !== 202) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.executionId;
};

describe("of a worker and an API", () => {
  beforeAll(async () => {
    victim = product.workers.at(-1) ?? (await product.startWorker({ BULKHEAD_WORKER_ID: victimId }));
    ({ owner } = await newTenant(product));
    await createTool(owner, "tick", "return args.n;", {
      parameters: { type: "object", properties: { n: { type: "number" } }, additionalProperties: false },
    });
  });

  test("a client that goes away stops waiting, not the execution", async () => {
    const gate = await shutGate();
    await createTool(owner, "slow", "await fetch(args.url); return 'done';", { permissions: ["network"] });
    const away = new AbortController();
    const call = fetch(`${product.url}/api/v1/custom-tools/slow/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify({ arguments: { url: gate.url } }),
      signal: away.signal,
    });
    const left = expect(call).rejects.toThrow("aborted");
    const execution = async () => (await owner.get("/api/v1/executions?tool=slow")).body.data.executions[0];
    await until(async () => (await execution())?.status === "running", { what: "the execution runs" });
    away.abort();
    await left;
    const gone = { status: "gone" };
    await until(
      async () =>
        totalOf(await scrapeMetrics(product.api.metricsUrl), "bulkhead_http_requests_total", gone) === 1,
      { what: "the API has noticed" },
    );
    expect((await execution()).status).toBe("running");
    gate.open();
    await expect
      .poll(execution, { timeout: 20_000 })
      .toMatchObject({ status: "succeeded", resultBytes: '"done"'.length });
  });

  test("[R35, R39] of a tenant one question about usage is answered and two wait, more are refused; another tenant's has room", async () => {
    const usage = "/api/v1/usage";
    const another = await newTenant(product);
    const letGo = await holdExecutions();
    const asked = Array.from({ length: 4 }, () => owner.get(usage));
    // The others can't be answered yet.
    const refused = await Promise.race(asked);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([
      429,
      expect.stringMatching(/^application\/problem\+json/),
    ]);
    expect(refused.body).toMatchObject({ code: "usage.busy", retryable: true });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const others = another.owner.get(usage);
    const begun = "wait_event_type = 'Lock' AND query LIKE 'WITH x AS%'";
    await until(async () => (await countSessions(begun)) === 2, { what: "each tenant's first is begun" });
    await letGo();
    expect((await others).status).toBe(200);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429)).toEqual([200, 200, 200]);
  });

  const HOLD = "DO $$ BEGIN LOCK TABLE executions; PERFORM pg_sleep(60); END $$";

  /** Nobody reads executions until what it gives is called. */
  async function holdExecutions(): Promise<() => Promise<void>> {
    const held = queryRows(product.databaseUrl, HOLD).catch((error: unknown) => error);
    await until(async () => (await countSessions("wait_event = 'PgSleep'")) === 1, {
      what: "the table is held",
    });
    return async () => {
      await queryRows(
        product.databaseUrl,
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = $1",
        [HOLD],
      );
      expect(await held).toMatchObject({ code: "57014" });
    };
  }

  /** How many connections are in a state. */
  async function countSessions(which: string): Promise<number> {
    const [row] = await queryRows(
      product.databaseUrl,
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND ${which}`,
    );
    return row?.["count"] as number;
  }

  test.runIf(isNightly)("[R15] an Idempotency-Key is good after the API was killed", async () => {
    const key = { "idempotency-key": "order-4" };
    const ask = () =>
      owner.post("/api/v1/custom-tools/tick/execute", { arguments: { n: 1 }, mode: "async" }, key);
    const one = await ask();
    await product.api.kill();
    await product.api.restart();
    const again = await ask();
    expect(again.body.data.executionId).toBe(one.body.data.executionId);
  });

  test("[L5] what a worker ran whose end was seen is over at once, its slots are free whatever its leases say, and the ends it never told are told", async () => {
    product.showLogsIfTestFails();
    const nap = "await new Promise((done) => setTimeout(done, 25_000));";
    // One slot each.
    const tenants = await Promise.all([1, 2].map(() => newTenant(product, { maxConcurrentExecutions: 1 })));
    const [first, second] = tenants.map((tenant) => tenant.owner);
    if (!first || !second) throw new Error("no tenants");
    await createTool(first, "nap", nap);
    await createTool(second, "quick", "return 1;");
    // It is refused, and an effect that was asked for all the same.
    await createTool(second, "careless", `await fetch("https://10.0.0.1/").catch(() => 0); ${nap}`, {
      permissions: ["network"],
    });
    await createTool(owner, "nap", nap);

    const orphan = await start(owner, "nap", { callback: { url: `${receiver.url}/orphan` } });
    const again = await start(first, "nap");
    const lost = await start(second, "careless");
    const next = await start(second, "quick");
    const ids = [again, lost, orphan];
    const held = async () =>
      queryRows(
        product.databaseUrl,
        "SELECT id, effects FROM executions WHERE id = ANY($1) AND worker_id = $2",
        [ids, victimId],
      );
    await until(async () => (await held()).length === 3 && (await held()).some(({ effects }) => effects), {
      what: "all run, one with an effect",
    });
    await victim.kill();
    await owner.post(`/api/v1/executions/${orphan}/cancel`);
    const deliveries = async () =>
      (await owner.get(`/api/v1/executions/${orphan}/deliveries`)).body.data.deliveries;
    expect(await deliveries()).toMatchObject([{ status: "pending", attempts: [] }]);
    // By silence alone nobody would find out today.
    const longLease = "UPDATE executions SET lease_until = now() + interval '1 hour' WHERE id = ANY($1)";
    await queryRows(product.databaseUrl, longLease, [[again, lost]]);
    await product.startWorker({ BULKHEAD_DEAD_WORKERS: victimId });

    await until(async () => (await read(second, lost)).status === "lost", {
      what: "the careless one is lost",
    });
    await until(async () => (await read(second, next)).status === "succeeded", { what: "its slot is free" });
    const runs = async () => {
      const { status, attempts } = await read(first, again);
      return status === "running" && attempts === 2;
    };
    await until(runs, { what: "the other runs again" });
    const tried = (await first.get(`/api/v1/executions/${again}/attempts`)).body.data.attempts;
    expect(tried[0]).toMatchObject({ attempt: 1, outcome: "lost" });
    await first.post(`/api/v1/executions/${again}/cancel`);

    const told = await until(() => receiver.at("/orphan")[0], { what: "the end is told" });
    expect(told.body.type).toBe("execution.cancelled");
    await until(async () => (await deliveries())[0].status === "delivered", { what: "its delivery is over" });
  });
});
