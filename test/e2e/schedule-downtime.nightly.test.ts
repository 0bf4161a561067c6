import { asAdmin, startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct({ workers: 0 });
  ({ owner } = await newTenant(product));
  await createTool(owner, "tick", "return args.n;");
});

afterAll(() => product?.stop());

const PATH = "/api/v1/schedules";
const create = async (body: object) =>
  (await owner.post(PATH, { tool: "tick", everyMs: 3_600_000, ...body })).body.data.id as string;
const read = async (id: string) => (await owner.get(`${PATH}/${id}`)).body.data;
const runsOf = async (id: string): Promise<unknown[]> =>
  (await owner.get("/api/v1/executions?tool=tick&limit=200")).body.data.executions.filter(
    ({ scheduleId }: { scheduleId?: string }) => scheduleId === id,
  );

test("when no worker was there for hours, each schedule goes on by its policy, and two workers run a time once", async () => {
  product.showLogsIfTestFails();
  const skips = await create({ missedRuns: "skip" });
  const paused = await create({ missedRuns: "once" });
  await owner.post(`${PATH}/${paused}/pause`);
  const once: string[] = [];
  for (let n = 0; n < 20; n += 1) once.push(await create({ missedRuns: "once", arguments: { n } }));
  // As if everything had been planned ten and a half hours ago.
  const longAgo = "interval '10 hours 30 minutes'";
  await asAdmin(
    product.databaseUrl,
    `UPDATE schedules SET anchor_at = anchor_at - ${longAgo},
       next_runs = ARRAY(SELECT run - ${longAgo} FROM unnest(next_runs) AS run) WHERE status = 'active'`,
  );
  await Promise.all([product.startWorker(), product.startWorker()]);

  const wentOn = async (id: string) => Date.parse((await read(id)).nextRuns[0]) > Date.now();
  // What a store was too slow for is the next turn's, half a minute later.
  for (const id of [skips, ...once])
    await until(() => wentOn(id), { what: `${id} to go on`, timeoutMs: 60_000 });
  for (const id of once) {
    expect(await runsOf(id)).toHaveLength(1);
    const { lastExecutionId, nextRuns, lastError } = await read(id);
    expect(lastError).toBeUndefined();
    expect(await runsOf(id)).toMatchObject([{ id: lastExecutionId }]);
    expect(Date.parse(nextRuns[0]) - Date.now()).toBeLessThan(3_600_000);
  }
  expect(await runsOf(skips)).toEqual([]);
  expect(await read(skips)).not.toHaveProperty("lastRunAt");
  expect(await runsOf(paused)).toEqual([]);
  expect((await read(paused)).nextRuns).toEqual([]);
});
