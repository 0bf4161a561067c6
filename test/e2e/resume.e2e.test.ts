import { openSse, startProduct, until, type Product, type SseEvent } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { scrapeMetrics, totalOf } from "../support/exposition.ts";
import { shutGate } from "../support/gate.ts";
import { TICKER } from "./tools.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct({ env: { EGRESS_ALLOW: "127.0.0.0/8" } });
  ({ owner } = await newTenant(product));
  await createTool(owner, "ticker", TICKER.code);
  await createTool(owner, "silent", "return 3;");
  await createTool(owner, "forgotten", "console.log('one'); return 3;", { retention: { events: "none" } });
  await createTool(owner, "quick", "console.log('one'); console.log('two'); return 3;");
});

afterAll(() => product?.stop());

const ids = (events: SseEvent[]) => events.map(({ id }) => id);

test("[R18] a stream cut again and again and resumed with Last-Event-ID loses and repeats nothing", async () => {
  product.showLogsIfTestFails();
  const accepted = await owner.post("/api/v1/custom-tools/ticker/execute", { mode: "async" });
  const { executionId } = accepted.body.data;
  const received: SseEvent[] = [];
  let ended = false;
  for (let cuts = 0; !ended && cuts < 60; cuts += 1) {
    const reader = await owner.follow(executionId, received.at(-1)?.id ?? undefined);
    for (let taken = 0; taken < 3; taken += 1) {
      const event = await reader.next();
      if (event) received.push(event);
      ended = event === null || event.event === "execution.succeeded";
      if (ended) break;
    }
    await reader.close();
  }
  const whole = await (await owner.follow(executionId)).rest();
  expect(received).toEqual(whole);
  expect(new Set(ids(whole)).size).toBe(whole.length);
  expect(whole.filter(({ event }) => event === "execution.log").map(({ data }) => data["text"])).toEqual(
    Array.from({ length: 20 }, (_, index) => `tick ${index + 1}`),
  );
  expect(
    whole.filter(({ event }) => event === "execution.progress").map(({ data }) => data["value"]),
  ).toEqual(Array.from({ length: 20 }, (_, index) => ({ tick: index + 1, of: 20 })));
});

test("a reader that has seen the end is told that there is no more", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const { executionId } = body.data;
  const events = await (await owner.follow(executionId)).rest();
  const last = events.at(-1)?.id ?? "";
  const again = await owner.get(`/api/v1/executions/${executionId}/events`, { "last-event-id": last });
  expect(again.status).toBe(204);
});

test("an EventSource that can't set headers resumes by its query; the header stands above it", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const path = `/api/v1/executions/${body.data.executionId}/events`;
  const headers = { authorization: `Bearer ${owner.key}` };
  const whole = await (await owner.follow(body.data.executionId)).rest();
  const [first = "", second = ""] = ids(whole).map((id) => id ?? "");
  const reader = await openSse(`${product.url}${path}?lastEventId=${second}`, { headers });
  expect(await reader.rest()).toEqual(whole.slice(2));
  const again = await openSse(`${product.url}${path}?lastEventId=${second}`, {
    headers: { ...headers, "last-event-id": first },
  });
  expect(await again.rest()).toEqual(whole.slice(1));
  expect((await owner.get(`${path}?lastEventId=${ids(whole).at(-1)}`)).status).toBe(204);
  const wrong = await owner.get(`${path}?lastEventId=yesterday`);
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, "lastEventId"]);
});

test("a stream says when a reader that lost it should come back, not all at one moment", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const reader = await owner.follow(body.data.executionId);
  await reader.rest();
  expect(reader.comeBackMs()).toBeGreaterThanOrEqual(1_000);
  expect(reader.comeBackMs()).toBeLessThan(2_000);
});

test("[R18] when Redis has lost a log of which nothing is kept, the row still tells the end, after a gap", async () => {
  const run = async (tool: string) => {
    const { body } = await owner.post(`/api/v1/custom-tools/${tool}/execute`);
    const { executionId } = body.data;
    return { executionId, before: await (await owner.follow(executionId)).rest() };
  };
  const [{ executionId, before }, silent] = [await run("forgotten"), await run("silent")];
  await product.redis?.restartEmpty();
  // Of a run that said nothing, its row tells the start, too.
  const told = await (await owner.follow(silent.executionId)).rest();
  expect(ids(told)).toEqual(ids(silent.before));
  expect(told.at(-1)).toEqual(silent.before.at(-1));
  const resumed = await (await owner.follow(executionId, before[0]?.id ?? "")).rest();
  expect(resumed.map(({ event }) => event)).toEqual(["execution.gap", "execution.succeeded"]);
  expect(resumed[0]?.data).toMatchObject({ from: before[0]?.id, to: before.at(-1)?.id });
  expect(resumed[1]).toEqual(before.at(-1));
  // Each of the API's connections comes back in its own time: the calls that follow are what counts.
  await until(async () => (await owner.post("/api/v1/custom-tools/quick/execute")).status === 200, {
    what: "tools are run again",
  });
});

test("a Last-Event-ID that is none of ours is refused by name", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const path = `/api/v1/executions/${body.data.executionId}/events`;
  const answer = await owner.get(path, { "last-event-id": "yesterday" });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].path).toBe("last-event-id");
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
