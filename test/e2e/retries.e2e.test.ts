import { sharedProduct, until } from "@bulkhead/testing";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let upstream: Server;
let asked = 0;

beforeAll(async () => {
  upstream = createServer((_request, response) => {
    asked += 1;
    response.end(String(asked));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  ({ owner } = await newTenant(product));
});
afterAll(async () => {
  await new Promise((resolve) => upstream.close(resolve));
});

const execute = (tool: string, body: object = {}) => owner.post(`/api/v1/custom-tools/${tool}/execute`, body);
const attemptsOf = async (id: string) =>
  (await owner.get(`/api/v1/executions/${id}/attempts`)).body.data.attempts;
const retry = { attempts: 3, backoffMs: 50 };
const THROW = "throw new Error('no luck');";
const FETCH_AND_THROW = "await fetch(args.url); throw new Error('after an effect');";

describe("a tool's retries", () => {
  test("[R21] are made, one by one on record, and the last one's end is the execution's", async () => {
    await createTool(owner, "unlucky", THROW, { retry });
    const { body } = await execute("unlucky");
    expect(body.data).toMatchObject({
      status: "failed",
      error: { code: "tool.threw" },
      metadata: { attempts: 3 },
    });
    expect(await attemptsOf(body.data.executionId)).toMatchObject([
      { attempt: 1, outcome: "failed", error: { code: "tool.threw" } },
      { attempt: 2, outcome: "failed" },
      { attempt: 3, outcome: "failed", error: { code: "tool.threw" } },
    ]);
    const { body: tool } = await owner.get("/api/v1/custom-tools/unlucky");
    expect(tool.data).toMatchObject({ usageCount: 1, retry: { attempts: 3, backoffMs: 50 }, version: 1 });
  });

  test("are told on the stream, with why and for how long it pauses", async () => {
    const reader = await owner.stream("/api/v1/custom-tools/unlucky/execute", { mode: "stream" });
    const events = await reader.rest();
    const types = events.map(({ event }) => event);
    expect(types.filter((type) => type === "execution.retrying")).toHaveLength(2);
    expect(types.at(-1)).toBe("execution.failed");
    const told = events.find(({ event }) => event === "execution.retrying");
    expect(told?.data).toMatchObject({ attempt: 2, error: { code: "tool.threw" } });
  });

  test("wait for as long as the upstream's Retry-After says, and not for the planned pause", async () => {
    const policy = { attempts: 2, backoffMs: 30_000, jitter: 0 };
    const code = "return api.rest({ url: args.url });";
    await createTool(owner, "patient", code, { retry: policy, idempotent: true, permissions: ["network"] });
    let turns = 0;
    const busy = createServer((_request, response) => {
      turns += 1;
      if (turns === 1) response.writeHead(429, { "retry-after": "1" });
      response.end(turns === 1 ? "slow down" : "served");
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}/`;
      const call = { mode: "stream", arguments: { url } };
      const events = await (await owner.stream("/api/v1/custom-tools/patient/execute", call)).rest();
      const told = events.find(({ event }) => event === "execution.retrying");
      expect(told?.data).toMatchObject({
        delayMs: 1_000,
        error: { code: "tool.threw", retryAfterMs: 1_000 },
      });
      expect(events.at(-1)).toMatchObject({
        event: "execution.succeeded",
        data: { execution: { result: "served" } },
      });
    } finally {
      await new Promise((resolve) => busy.close(resolve));
    }
  });

  test("are not made where the upstream asks for more time than is left", async () => {
    const code = "throw Object.assign(new Error('later'), { retryAfter: 3_600 });";
    await createTool(owner, "hopeless", code, { retry });
    const { body } = await execute("hopeless", { timeoutMs: 20_000 });
    expect(body.data).toMatchObject({
      error: { code: "tool.threw", retryAfterMs: 3_600_000 },
      metadata: { attempts: 1 },
    });
  });

  test("go by the policy that the tool shows", async () => {
    const policy = { attempts: 3, delaysMs: [7, 5], jitter: 0, on: ["tool.threw"] };
    const tool = await createTool(owner, "listed", THROW, { retry: policy });
    const { retry: shown } = (await owner.get(`/api/v1/custom-tools/${tool.id}`)).body.data;
    expect(shown).toMatchObject(policy);
    expect((await owner.patch(`/api/v1/custom-tools/${tool.id}`, { retry: shown })).status).toBe(200);
    const reader = await owner.stream("/api/v1/custom-tools/listed/execute", { mode: "stream" });
    const pauses = (await reader.rest()).filter(({ event }) => event === "execution.retrying");
    expect(pauses.map(({ data }) => data["delayMs"])).toEqual([7, 5]);
  });

  test("are not made for outcomes that the tool doesn't name", async () => {
    await createTool(owner, "picky", THROW, { retry: { ...retry, on: ["tool.wall_limit"] } });
    const { body } = await execute("picky");
    expect(body.data.metadata.attempts).toBe(1);
  });

  test("are not made after an effect, unless the tool is idempotent", async () => {
    const { port } = upstream.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const more = { retry, permissions: ["network"] };
    await createTool(owner, "careless", FETCH_AND_THROW, more);
    await createTool(owner, "careful", FETCH_AND_THROW, { ...more, idempotent: true });
    const before = asked;
    const careless = await execute("careless", { arguments: { url } });
    expect(careless.body.data.metadata.attempts).toBe(1);
    expect(asked - before).toBe(1);
    const careful = await execute("careful", { arguments: { url } });
    expect(careful.body.data.metadata.attempts).toBe(3);
    expect(asked - before).toBe(4);
  });

  test("end with the last try's own error when the next would come too late", async () => {
    await createTool(owner, "slow_again", THROW, { retry: { attempts: 5, backoffMs: 60_000 } });
    const { body } = await execute("slow_again", { timeoutMs: 30_000 });
    expect(body.data).toMatchObject({
      status: "failed",
      error: { code: "tool.threw" },
      metadata: { attempts: 1 },
    });
  });

  test("a cancelled execution is not tried again while it waits for its next try", async () => {
    await createTool(owner, "waits_again", THROW, { retry: { attempts: 5, backoffMs: 30_000 } });
    const { executionId } = (await execute("waits_again", { mode: "async" })).body.data;
    await until(async () => (await attemptsOf(executionId)).length === 1, { what: "its first try is over" });
    const cancelled = await owner.post(`/api/v1/executions/${executionId}/cancel`);
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", attempts: 1 });
  });

  test.each([
    [{ attempts: 0 }, "retry.attempts"],
    [{ attempts: 2, on: ["execution.cancelled"] }, "retry.on.0"],
    [{ attempts: 2, backoffMs: -1 }, "retry.backoffMs"],
    [{ attempts: 2, jitter: true }, "retry.jitter"],
    [{ attempts: 2, jitter: 1.5 }, "retry.jitter"],
    [{ attempts: 2, factor: 0.5 }, "retry.factor"],
    [{ attempts: 2, maxMs: -1 }, "retry.maxMs"],
    [{ attempts: 2, delaysMs: [] }, "retry.delaysMs"],
    [{ attempts: 2, delaysMs: [1, -1] }, "retry.delaysMs.1"],
    [{ attempts: 2, delaysMs: [1], factor: 2 }, "retry.factor"],
    [{ attempts: 2, delaysMs: [1], backoffMs: 5 }, "retry.backoffMs"],
    [{ attempts: 2, pauses: [1] }, "retry.pauses"],
  ])("a policy that breaks the rules is a 400 that names the field (%j)", async (bad, path) => {
    const refused = await owner.post("/api/v1/custom-tools", {
      name: "bad",
      description: "bad",
      parameters: { type: "object" },
      code: "return 1",
      retry: bad,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe(path);
  });
});

describe("replay", () => {
  test("[R20] makes the call of an ended execution again, as a new one that names it", async () => {
    await createTool(owner, "mended", "throw new Error(args.text);");
    const { executionId } = (await execute("mended", { arguments: { text: "a" } })).body.data;
    await owner.patch("/api/v1/custom-tools/mended", { code: "return args.text;" });
    const replayed = await owner.post(`/api/v1/executions/${executionId}/replay`);
    expect(replayed.status).toBe(202);
    const again = await until(
      async () => {
        const { body } = await owner.get(replayed.body.data.links.self);
        return body.data.finishedAt ? body.data : undefined;
      },
      { what: "the replay has ended" },
    );
    expect(again).toMatchObject({ status: "succeeded", result: "a", replayOf: executionId, toolVersion: 2 });
    expect((await owner.get(`/api/v1/executions/${executionId}`)).body.data.status).toBe("failed");
  });

  test("[R20] by filter makes each matching call again once", async () => {
    await createTool(owner, "batch_mended", "throw new Error('no');");
    for (let n = 0; n < 3; n += 1) await execute("batch_mended", { arguments: { n } });
    const filter = { tool: "batch_mended", status: "failed", code: "tool.threw" };
    const replayed = await owner.post("/api/v1/executions/replay", filter);
    expect(replayed.status).toBe(202);
    expect(replayed.body.data.executions).toHaveLength(3);
    await until(
      async () => {
        const { body } = await owner.get("/api/v1/executions?tool=batch_mended&status=failed");
        return body.data.executions.length === 6;
      },
      { what: "the replays have failed too" },
    );
    const none = await owner.post("/api/v1/executions/replay", {
      ...filter,
      createdBefore: "2020-01-01T00:00:00Z",
    });
    expect(none.body.data.executions).toEqual([]);
    const second = await owner.post("/api/v1/executions/replay", filter);
    // Those of the first round have been replayed; what their replays ended as has not.
    expect(second.body.data.executions).toHaveLength(3);
  });

  test("is refused for what goes on, for a dry run, and for what is not there", async () => {
    await createTool(owner, "long", "await new Promise((resolve) => setTimeout(resolve, 20000));");
    const { executionId } = (await execute("long", { mode: "async" })).body.data;
    const goesOn = await owner.post(`/api/v1/executions/${executionId}/replay`);
    expect(goesOn.status).toBe(409);
    expect(goesOn.body.code).toBe("execution.not_replayable");
    await owner.post(`/api/v1/executions/${executionId}/cancel`);
    const dry = await owner.post("/api/v1/custom-tools/test", { name: "dry", code: "return 1" });
    const wasDry = await owner.post(`/api/v1/executions/${dry.body.data.executionId}/replay`);
    expect([wasDry.status, wasDry.body.code]).toEqual([409, "execution.not_replayable"]);
    expect((await owner.post("/api/v1/executions/exe_0/replay")).status).toBe(404);
  });
});
