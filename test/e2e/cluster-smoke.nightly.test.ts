import { randomBytes } from "node:crypto";
import {
  startProduct,
  startRedisCluster,
  until,
  type Product,
  type TestRedisCluster,
} from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const CALLS = 50;
const EMITS = 30;

let redis: TestRedisCluster;
/** Each an API and a worker, on the same stores. */
let products: Product[] = [];
/** The same key at one API and at the other. */
let [here, there]: Client[] = [];

beforeAll(async () => {
  redis = await startRedisCluster();
  const env = {
    DISPATCH_SHARDS: "4",
    BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
    BULKHEAD_ADMIN_KEY: `bh_${randomBytes(24).toString("hex")}`,
    BULKHEAD_DEMO_KEY: `bh_${randomBytes(24).toString("hex")}`,
  };
  const first = await startProduct({ redisUrl: redis.url, env });
  products = [first];
  products.push(await startProduct({ redisUrl: redis.url, databaseUrl: first.databaseUrl, env }));
  const { owner } = await newTenant(first);
  [here, there] = products.map(({ url }) => new Client(url, owner.key));
  await createTool(owner, "echo", "return args.n;", {
    parameters: { type: "object", properties: { n: { type: "integer" } } },
  });
  await createTool(
    owner,
    "ticker",
    `for (let n = 0; n < ${EMITS}; n++) { emit(n); await new Promise((done) => setTimeout(done, 20)); }`,
  );
  await createTool(owner, "endless", "emit(1); await new Promise((done) => setTimeout(done, 100_000));", {
    limits: { wallMs: 120_000 },
  });
});

afterAll(async () => {
  for (const product of products.toReversed()) await product.stop();
  await redis?.close();
});

const start = async (client: Client, tool: string): Promise<string> => {
  const { status, body } = await client.post(`/api/v1/custom-tools/${tool}/execute`, { mode: "async" });
  expect(status, JSON.stringify(body)).toBe(202);
  return body.data.executionId;
};
const read = async (client: Client, executionId: string) =>
  (await client.get(`/api/v1/executions/${executionId}`)).body.data;
const ended = (client: Client, executionId: string) =>
  until(
    async () => {
      const execution = await read(client, executionId);
      return execution.finishedAt === undefined ? null : execution;
    },
    { what: `the end of ${executionId}`, timeoutMs: 120_000 },
  );

test("what one API accepts in a batch succeeds, and the other tells of it", async () => {
  const executions = Array.from({ length: CALLS }, (_, n) => ({ tool: "echo", arguments: { n } }));
  const { body } = await here!.post("/api/v1/executions/batch", { executions });
  const ids: string[] = body.data.executions.map(({ executionId }: { executionId: string }) => executionId);
  const ends = await Promise.all(ids.map((id) => ended(there!, id)));
  expect(ends.map(({ status, result }) => [status, result])).toEqual(
    executions.map(({ arguments: { n } }) => ["succeeded", n]),
  );
});

test("[L10] a stream that began at one API is resumed at the other, with nothing lost or repeated", async () => {
  const id = await start(here!, "ticker");
  const began = await here!.follow(id);
  const seen = [await began.next(), await began.next(), await began.next(), await began.next()];
  await began.close();
  const resumed = await there!.follow(id, seen.at(-1)?.id ?? undefined);
  const told = [...seen, ...(await resumed.rest())];
  const progress = told.filter((event) => event?.event === "execution.progress");
  expect(progress.map((event) => event?.data["value"])).toEqual(Array.from({ length: EMITS }, (_, n) => n));
  expect(told.at(-1)?.event).toBe("execution.succeeded");
  expect(new Set(told.map((event) => event?.id)).size).toBe(told.length);
});

test("what one API accepted is cancelled by the other", async () => {
  const id = await start(here!, "endless");
  await until(async () => (await read(there!, id)).status === "running", { what: "it runs" });
  expect((await there!.post(`/api/v1/executions/${id}/cancel`)).status).toBe(200);
  expect((await ended(here!, id)).status).toBe("cancelled");
});

test("what a killed worker ran ends all the same, by the worker that is left", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => start(here!, "ticker")));
  await until(
    async () =>
      (await Promise.all(ids.map((id) => read(there!, id)))).some(({ status }) => status === "running"),
    {
      what: "one of them runs",
    },
  );
  await products[0]?.workers[0]?.kill();
  const ends = await Promise.all(ids.map((id) => ended(there!, id)));
  expect(ends.map(({ status }) => status)).toEqual(ids.map(() => "succeeded"));
});
