import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct();
  ({ owner } = await newTenant(product));
  await createTool(owner, "quick", "console.log('one'); console.log('two'); return 3;");
  await createTool(owner, "forgotten", "console.log('one'); return 3;", { retention: { events: "none" } });
});

afterAll(() => product?.stop());

const run = async (tool: string): Promise<string> =>
  (await owner.post(`/api/v1/custom-tools/${tool}/execute`)).body.data.executionId;
const eventsOf = async (executionId: string, after?: string) =>
  (await owner.follow(executionId, after)).rest();

test("who resumes before the first event is told everything, and of nothing missing", async () => {
  const executionId = await run("quick");
  const whole = await eventsOf(executionId);
  expect(whole.map(({ event }) => event)).not.toContain("execution.gap");
  for (const before of ["0-0", "0-7", "1-0"]) expect(await eventsOf(executionId, before)).toEqual(whole);
});

test("when Redis has lost a log of which nothing is kept, who reads from the beginning is told what is missing", async () => {
  const executionId = await run("forgotten");
  const whole = await eventsOf(executionId);
  await product.redis?.restartEmpty();
  await until(async () => (await owner.get("/readyz")).status === 200, { what: "the API has Redis again" });
  for (const before of [undefined, "1-0"]) {
    const told = await eventsOf(executionId, before);
    expect(told.map(({ event }) => event)).toEqual([
      "execution.queued",
      "execution.gap",
      "execution.succeeded",
    ]);
    expect([told[0], told[2]]).toEqual([whole[0], whole.at(-1)]);
    expect(told[1]?.data).toMatchObject({ from: whole[0]?.id, to: whole.at(-1)?.id });
  }
});
