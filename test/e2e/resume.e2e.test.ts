import { openSse, sharedProduct, type SseEvent } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { TICKER } from "./tools.ts";

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await createTool(owner, "ticker", TICKER.code);
  await createTool(owner, "quick", "console.log('one'); console.log('two'); return 3;");
});

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

test("who resumes before the first event is told everything, and of nothing missing", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const { executionId } = body.data;
  const whole = await (await owner.follow(executionId)).rest();
  expect(whole.map(({ event }) => event)).not.toContain("execution.gap");
  for (const before of ["0-0", "0-7", "1-0"])
    expect(await (await owner.follow(executionId, before)).rest()).toEqual(whole);
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

test("a Last-Event-ID that is none of ours is refused by name", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/quick/execute");
  const path = `/api/v1/executions/${body.data.executionId}/events`;
  const answer = await owner.get(path, { "last-event-id": "yesterday" });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].path).toBe("last-event-id");
});
