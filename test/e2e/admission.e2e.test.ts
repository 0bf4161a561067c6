import { isNightly, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const product = await sharedProduct();
let ours: { id: string; owner: Client };
const ECHO = "return { args };";
const SLEEP = "await new Promise((resolve) => setTimeout(resolve, args.ms)); return args.ms;";

beforeAll(async () => {
  ours = await newTenant(product);
  await createTool(ours.owner, "echo", ECHO);
  await createTool(ours.owner, "sleep", SLEEP);
});

const execute = (client: Client, tool: string, body: object) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, body);

const ended = (client: Client, id: string, timeoutMs = 30_000) =>
  until(
    async () => {
      const { body } = await client.get(`/api/v1/executions/${id}`);
      return body.data.finishedAt ? body.data : undefined;
    },
    { what: "the execution has ended", timeoutMs },
  );

const isRunning = (client: Client, id: string) =>
  until(async () => (await client.get(`/api/v1/executions/${id}`)).body.data.status === "running", {
    what: "the execution runs",
  });

const cancel = (client: Client, id: string) => client.post(`/api/v1/executions/${id}/cancel`);

/** Longer than any test needs; what takes so long is cancelled, since others share the workers. */
const HOLDS = { mode: "async", arguments: { ms: 25_000 } };

/** Those of a full batch that run: all at night, by day a tenth, since the others begin in an hour. */
const RUN = isNightly ? 1_000 : 100;

describe("batches", () => {
  const batch = (client: Client, executions: unknown[], headers = {}) =>
    client.post("/api/v1/executions/batch", { executions }, headers);

  test("[R16] a thousand calls are accepted in one request, in order, and all of them run", async () => {
    const { owner } = await newTenant(product, {
      executionsPerSecond: 10_000,
      executionBurst: 10_000,
    });
    await createTool(owner, "echo", ECHO);
    const hour = 3_600_000;
    // A busy machine may need longer for all of them than a call has by default.
    const calls = Array.from({ length: 1_000 }, (_, n) => ({
      tool: "echo",
      arguments: { n },
      ...(n < RUN ? { timeoutMs: 600_000 } : { delayMs: hour, timeoutMs: 2 * hour }),
    }));
    const { status, body } = await batch(owner, calls);
    expect(status).toBe(202);
    const ids: string[] = body.data.executions.map(({ executionId }: { executionId: string }) => executionId);
    expect(new Set(ids).size).toBe(1_000);
    const last = await ended(owner, ids[RUN - 1] ?? "", 240_000);
    expect(last).toMatchObject({ status: "succeeded", result: { args: { n: RUN - 1 } } });
    await until(
      async () => {
        const { counts } = (await owner.get("/api/v1/executions/stats?bucket=day")).body.data.buckets[0];
        return counts.succeeded === RUN && (counts.queued ?? 0) === calls.length - RUN;
      },
      { what: "all of the batch has run", timeoutMs: 60_000 },
    );
  }, 330_000);

  test("each call has an answer of its own: what can't be accepted stops no other", async () => {
    await createTool(ours.owner, "strict", "return args.n;", {
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    const { status, body } = await batch(ours.owner, [
      { tool: "strict", arguments: { n: 1 } },
      { tool: "strict", arguments: { n: "one" } },
      { tool: "nobody_has_this" },
      { tool: "strict", arguments: { n: 4 } },
      { tool: "strict", arguments: { n: 5 }, priority: 10, mode: "sync" },
      "no call at all",
      { tool: "strict", arguments: { n: 6 }, callback: { url: "ftp://example.com" } },
    ]);
    expect(status).toBe(202);
    expect(body.data.executions).toMatchObject([
      { status: "queued" },
      { error: { code: "tool.arguments_invalid", errors: [{ path: "arguments.n" }] } },
      { error: { code: "tool.not_found" } },
      { status: "queued" },
      { error: { code: "request.invalid", errors: [{ path: "priority" }, { path: "mode" }] } },
      { error: { code: "request.invalid" } },
      { error: { code: "request.invalid" } },
    ]);
    expect(await ended(ours.owner, body.data.executions[3].executionId)).toMatchObject({ result: 4 });
  });

  test("a batch sent again with its key is the same executions", async () => {
    const key = { "idempotency-key": "batch-1" };
    const calls = [
      { tool: "echo", arguments: { n: 1 } },
      { tool: "echo", arguments: { n: 2 } },
    ];
    const one = await batch(ours.owner, calls, key);
    const other = await batch(ours.owner, calls, key);
    expect(other.body.data.executions.map((each: { executionId: string }) => each.executionId)).toEqual(
      one.body.data.executions.map((each: { executionId: string }) => each.executionId),
    );
    expect((await batch(ours.owner, calls.toReversed(), key)).body.code).toBe("idempotency.conflict");
    await ours.owner.post("/api/v1/custom-tools/echo/disable");
    const later = await batch(ours.owner, calls, key);
    await ours.owner.post("/api/v1/custom-tools/echo/enable");
    expect(later.body.data.executions).toMatchObject(
      one.body.data.executions.map(({ executionId }: { executionId: string }) => ({ executionId })),
    );
  });

  test.each([
    [{ executions: [] }, "executions"],
    [{ executions: "echo" }, "executions"],
    [{ executions: [{ tool: "echo" }], mode: "sync" }, "mode"],
    [{ executions: Array.from({ length: 1_001 }, () => ({ tool: "echo" })) }, "executions"],
  ])("a body that breaks the rules is a 400 that names the field (%#)", async (body, path) => {
    const refused = await ours.owner.post("/api/v1/executions/batch", body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe(path);
  });

  test("a viewer may not", async () => {
    const viewer = await newClient(product, ours.id, "viewer");
    expect((await batch(viewer, [{ tool: "echo" }])).status).toBe(403);
  });
});

describe("what waits", () => {
  test("a delayed execution starts when its delay has passed; the delay is no part of the default time", async () => {
    const later = await execute(ours.owner, "echo", { mode: "async", delayMs: 60_000 });
    const waiting = await ours.owner.get(`/api/v1/executions/${later.body.data.executionId}`);
    expect(waiting.body.data).toMatchObject({ status: "queued" });
    expect(waiting.body.data.notBefore).toBeDefined();
    const accepted = await execute(ours.owner, "echo", { mode: "async", delayMs: 1_200 });
    const done = await ended(ours.owner, accepted.body.data.executionId);
    expect(done.status).toBe("succeeded");
    const waited = Date.parse(done.startedAt) - Date.parse(done.createdAt);
    expect(waited).toBeGreaterThanOrEqual(1_100);
  });

  test("[L4] a time that is asked for counts from acceptance, the delay included", async () => {
    await createTool(ours.owner, "endless", "await new Promise(() => undefined);");
    const { body } = await execute(ours.owner, "endless", { delayMs: 6_000, timeoutMs: 6_100 });
    expect(body.data).toMatchObject({ status: "timed_out", error: { code: "execution.deadline" } });
    const { data } = (await ours.owner.get(`/api/v1/executions/${body.data.executionId}`)).body;
    // Half of what it would be if the delay came on top.
    expect(Date.parse(data.finishedAt) - Date.parse(data.createdAt)).toBeLessThan(12_100);
  });

  test("a time that leaves none beyond the delay, or too much, is refused by name, alone and in a batch", async () => {
    const hour = 3_600_000;
    for (const [times, message] of [
      [{ delayMs: 1_000, timeoutMs: 1_000 }, "must be more than delayMs: it counts from acceptance"],
      [{ timeoutMs: hour + 1 }, `must be at most ${hour} beyond delayMs`],
    ] as const) {
      const alone = await execute(ours.owner, "echo", { mode: "async", ...times });
      expect(alone.status).toBe(400);
      expect(alone.body.errors).toEqual([{ path: "timeoutMs", message }]);
      const executions = [{ tool: "echo", ...times }, { tool: "echo" }];
      const { body } = await ours.owner.post("/api/v1/executions/batch", { executions });
      const [refused, accepted] = body.data.executions;
      expect(refused.error).toMatchObject({
        code: "request.invalid",
        errors: [{ path: "timeoutMs", message }],
      });
      expect(accepted.status).toBe("queued");
    }
    const late = await execute(ours.owner, "echo", { mode: "async", delayMs: 2 * hour, timeoutMs: 3 * hour });
    expect(late.status).toBe(202);
  });

  test("a delayed execution is cancelled like any other and never starts", async () => {
    const accepted = await execute(ours.owner, "echo", { mode: "async", delayMs: 60_000 });
    const { executionId } = accepted.body.data;
    const cancelled = await ours.owner.post(`/api/v1/executions/${executionId}/cancel`);
    expect(cancelled.body.data).toMatchObject({ status: "cancelled", attempts: 0 });
  });

  test("within a tenant, what has the higher priority starts first", async () => {
    const { owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
    await createTool(owner, "sleep", SLEEP);
    const first = (await execute(owner, "sleep", HOLDS)).body.data.executionId;
    await isRunning(owner, first);
    const ids: string[] = [];
    for (const priority of [0, 4, 9, 4])
      ids.push(
        (await execute(owner, "sleep", { mode: "async", priority, arguments: { ms: 1 } })).body.data
          .executionId,
      );
    await cancel(owner, first);
    const done = await Promise.all(ids.map((id) => ended(owner, id)));
    const order = done
      .map(({ startedAt }, place) => ({ startedAt, place }))
      .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
    expect(order.map(({ place }) => place)).toEqual([2, 1, 3, 0]);
  });

  test("a backlog never grows past its bound, however many ask at once", async () => {
    const { owner } = await newTenant(product, {
      maxConcurrentExecutions: 2,
      maxQueuedExecutions: 5,
    });
    await createTool(owner, "sleep", SLEEP);
    const answers = await Promise.all(Array.from({ length: 40 }, () => execute(owner, "sleep", HOLDS)));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(7);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: "tenant.backlog_full",
      detail: expect.stringMatching(/^All places are taken: 2 executions may run .* and 5 more may wait /),
      retryable: true,
    });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const { body } = await owner.post("/api/v1/executions/batch", {
      executions: [{ tool: "sleep", arguments: { ms: 1 } }],
    });
    expect(body.data.executions).toMatchObject([{ error: { code: "tenant.backlog_full" } }]);
    for (const answer of accepted) await cancel(owner, answer.body.data.executionId);
  });

  test("more than a tenant's rate waits its turn and is not refused", async () => {
    const { owner } = await newTenant(product, {
      executionsPerSecond: 5,
      executionBurst: 1,
    });
    await createTool(owner, "echo", ECHO);
    const answers = await Promise.all(Array.from({ length: 6 }, () => execute(owner, "echo", {})));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const done = await Promise.all(answers.map(({ body }) => ended(owner, body.data.executionId)));
    // From the acceptance on, since a worker may be late with the first: five intervals of 200 ms lie before the sixth;
    // clocks and rounding may take a little.
    const first = Math.min(...done.map(({ createdAt }) => Date.parse(createdAt)));
    const last = Math.max(...done.map(({ startedAt }) => Date.parse(startedAt)));
    expect(last - first).toBeGreaterThan(800);
  });

  test("what can't finish in its time is refused at once, with the wait", async () => {
    const { owner } = await newTenant(product, {
      executionsPerSecond: 1,
      executionBurst: 1,
    });
    await createTool(owner, "echo", ECHO);
    const executions = Array.from({ length: 40 }, () => ({ tool: "echo" }));
    await owner.post("/api/v1/executions/batch", { executions });
    const refused = await execute(owner, "echo", { timeoutMs: 2_000 });
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("execution.deadline_unreachable");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(2);
  });

  test("new limits of a tenant hold for what waits already", async () => {
    const { id, owner } = await newTenant(product, { maxConcurrentExecutions: 1 });
    await createTool(owner, "sleep", SLEEP);
    const answers = await Promise.all(Array.from({ length: 4 }, () => execute(owner, "sleep", HOLDS)));
    const admin = new Client(product.url, product.adminKey);
    await admin.patch(`/api/v1/tenants/${id}`, { limits: { maxConcurrentExecutions: 4 } });
    await until(
      async () => {
        const { body } = await owner.get("/api/v1/executions?status=running");
        return body.data.executions.length === 4;
      },
      { what: "four run at once" },
    );
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    for (const { body } of answers) await cancel(owner, body.data.executionId);
  });

  test("a tool's own cap holds back its calls and no others", async () => {
    const { owner } = await newTenant(product);
    await createTool(owner, "narrow", SLEEP, { dispatch: { maxConcurrent: 1 } });
    await createTool(owner, "echo", ECHO);
    const asked: string[] = [];
    const shortly = { ...HOLDS, arguments: { ms: 1_000 } };
    for (const call of [HOLDS, shortly, shortly])
      asked.push((await execute(owner, "narrow", call)).body.data.executionId);
    const [first = ""] = asked;
    await isRunning(owner, first);
    const free = await execute(owner, "echo", {});
    expect(free.body.data.status).toBe("succeeded");
    const echoed = await ended(owner, free.body.data.executionId);
    await cancel(owner, first);
    const held = await Promise.all(asked.map((id) => ended(owner, id)));
    held.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
    for (const [at, { startedAt }] of held.slice(1).entries())
      expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Date.parse(held[at].finishedAt));
    expect(Date.parse(echoed.finishedAt)).toBeLessThan(Date.parse(held[2].startedAt));
  });
});
