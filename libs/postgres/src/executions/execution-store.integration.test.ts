import {
  RUN_LIMITS_DEFAULT,
  outsiderEndEventId,
  valueOf,
  type JsonObject,
  type NewExecution,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import {
  attemptOf,
  LEASE_MS,
  sampleExecution,
  sampleTenant,
  started,
  stored,
  SUCCESS,
  UNTRIED,
} from "../fixtures/samples.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";
import type { Database } from "../open-database.ts";

useTwoStores();

describe("insert", () => {
  test("what was inserted is found as it was given, queued and untried", async () => {
    const execution = sampleExecution("ten_a");
    await one.executions.insert(execution);
    const { idempotent, inlineTool, byAgent, delayMs, retry, dispatch, callback, ...shown } = execution;
    const { traceparent, retention: _kept, ...visible } = shown;
    expect(await one.executions.find(execution)).toEqual({ ...visible, ...UNTRIED });
    const claimed = await one.executions.claim(attemptOf(execution), "worker-1", LEASE_MS);
    expect(claimed).toMatchObject({ idempotent, inlineTool, byAgent, retry, traceparent });
    expect([delayMs, dispatch, callback]).toEqual([0, null, null]);
  });

  test("one row that can't be stored fails its own caller, and the rest of its batch is there", async () => {
    const batch = Array.from({ length: 20 }, () => sampleExecution("ten_a"));
    const bad = batch[7];
    if (bad) bad.traceId = "a\u0000b";
    const settled = await Promise.allSettled(batch.map((execution) => one.executions.insert(execution)));
    expect(settled.map(({ status }) => status)).toEqual(
      batch.map((execution) => (execution === bad ? "rejected" : "fulfilled")),
    );
    expect(settled[7]).toMatchObject({ reason: { code: "request.invalid" } });
    const found = await Promise.all(batch.map((execution) => other.executions.find(execution)));
    expect(found.map((execution) => execution !== null)).toEqual(batch.map((execution) => execution !== bad));
  });

  test("calls of several tools in turns, alike and not, are each stored as they were given", async () => {
    const alike = { createdAt: new Date(), deadlineAt: new Date(Date.now() + 60_000) };
    const tools = ["tool_0000000000000001", "tool_0000000000000002", "tool_0000000000000003"];
    const batch = Array.from({ length: 24 }, (_, place) => {
      const toolId = tools[place % tools.length] ?? null;
      const traceId = String(Math.floor(place / 8)).repeat(32);
      const given = { toolId, toolVersion: 1 + (place % tools.length), traceId, arguments: { place } };
      return sampleExecution("ten_a", { ...alike, ...given });
    });
    await one.executions.insertBatch(batch);
    const found = await Promise.all(batch.map((execution) => one.executions.find(execution)));
    const factsOf = (row: Pick<NewExecution, "toolId" | "toolVersion" | "traceId" | "arguments"> | null) =>
      row && [row.toolId, row.toolVersion, row.traceId, row.arguments];
    expect(found.map(factsOf)).toEqual(batch.map(factsOf));
  });

  test("the same id twice is refused", async () => {
    const execution = sampleExecution("ten_a");
    await one.executions.insert(execution);
    await expect(one.executions.insert(execution)).rejects.toMatchObject({ code: "service.internal" });
  });

  test("keys keep their order; NUL, lone surrogates and odd keys survive in arguments and results", async () => {
    const odd: JsonObject = {
      z: 1,
      a: "nul \u0000",
      'k"\\{},': "\ud800 alone",
      b: ["é", "😀"],
      "": null,
      m: 1e300,
    };
    const execution = sampleExecution("ten_a", { arguments: odd });
    await one.executions.insert(execution);
    const claimed = await one.executions.claim(attemptOf(execution), "w", LEASE_MS);
    expect(claimed?.argumentsJson).toBe(JSON.stringify(odd));
    const error = { code: "tool.threw" as const, message: "nul \u0000 \udfff" };
    await one.executions.finish(
      attemptOf(execution),
      { ...SUCCESS, status: "failed", result: odd, error },
      "1-2",
    );
    const found = await one.executions.find(execution);
    expect(JSON.stringify(found?.result)).toBe(JSON.stringify(odd));
    expect(found?.error).toEqual(error);
  });

  test("a result of megabytes survives", async () => {
    const key = await started(one, sampleExecution("ten_a"));
    const result = { text: 'x"\\\n'.repeat(500_000) };
    await one.executions.finish(key, { ...SUCCESS, result }, "1-2");
    expect(valueOf((await one.executions.find(key))?.result ?? null)).toEqual(result);
  });
});

describe("claim", () => {
  test("[L2] is won by exactly one of many, in one process and across processes", async () => {
    const execution = sampleExecution("ten_a");
    await one.executions.insert(execution);
    const claims = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).executions.claim(attemptOf(execution), `worker-${index}`, LEASE_MS),
    );
    expect((await Promise.all(claims)).filter((claimed) => claimed !== null)).toHaveLength(1);
  });

  test("crossing batches of several processes hand out every execution exactly once", async () => {
    const batch = Array.from({ length: 100 }, () => sampleExecution("ten_a"));
    await Promise.all(batch.map((execution) => one.executions.insert(execution)));
    const claimAll = (database: Database, order: typeof batch) =>
      Promise.all(order.map((execution) => database.executions.claim(attemptOf(execution), "w", LEASE_MS)));
    const won = (await Promise.all([claimAll(one, batch), claimAll(other, batch.toReversed())])).flat();
    const ids = won.flatMap((claimed) => (claimed ? [claimed.executionId] : []));
    expect(ids.toSorted()).toEqual(batch.map(({ executionId }) => executionId).toSorted());
  });

  test("carries what a run needs, and the tool's status of this moment", async () => {
    const { tenantId, toolId } = await stored(one);
    const execution = sampleExecution(tenantId, { toolId });
    await one.executions.insert(execution);
    await one.tools.setStatus(tenantId, toolId, ["active"], "disabled");
    const claimed = await one.executions.claim(attemptOf(execution), "w", LEASE_MS);
    expect(claimed).toMatchObject({
      attempt: 1,
      toolId,
      toolVersion: 1,
      toolStatus: "disabled",
      inlineTool: null,
    });
    expect(claimed?.deadlineAt).toEqual(execution.deadlineAt);
    expect(claimed?.waitedMs).toBeGreaterThanOrEqual(0);
    expect(await one.executions.find(execution)).toMatchObject({ status: "running", attempt: 1 });
  });

  test("knows no status of a tool that is gone; a dry run is active while its tenant is there", async () => {
    const tenant = sampleTenant();
    await one.tenants.create(tenant);
    const gone = sampleExecution(tenant.id);
    const limits = { ...RUN_LIMITS_DEFAULT };
    const inlineTool = {
      code: "return 1",
      permissions: [],
      limits,
      allowedHosts: [],
      outputSchema: null,
      services: [],
    };
    const dry = sampleExecution(tenant.id, { toolId: null, inlineTool });
    const late = sampleExecution("ten_gone", { toolId: null, inlineTool });
    await Promise.all([gone, dry, late].map((execution) => one.executions.insert(execution)));
    for (const execution of [gone, late])
      expect(await one.executions.claim(attemptOf(execution), "w", LEASE_MS)).toMatchObject({
        toolStatus: null,
      });
    const claimed = await one.executions.claim(attemptOf(dry), "w", LEASE_MS);
    expect(claimed).toMatchObject({ toolStatus: "active", toolId: null, inlineTool });
  });

  test("takes only the next attempt of what is queued", async () => {
    const execution = sampleExecution("ten_a");
    await one.executions.insert(execution);
    expect(await one.executions.claim(attemptOf(execution, 2), "w", LEASE_MS)).toBeNull();
    const key = await started(one, sampleExecution("ten_a"));
    expect(await one.executions.claim(attemptOf(key, 2), "w", LEASE_MS)).toBeNull();
  });
});

describe("the holder of an attempt", () => {
  test("[L3] an old attempt can neither mark an effect, nor renew, nor hand back, nor finish", async () => {
    const old = await started(one, sampleExecution("ten_a"));
    expect(await one.executions.handBack(old)).toMatchObject({ attempt: 2 });
    // Times are kept in whole milliseconds, and all of this may happen in one.
    await testDatabase.execute(
      `UPDATE executions SET accepted_at = accepted_at - interval '1 s' WHERE id = '${old.executionId}'`,
    );
    const next = await other.executions.claim(attemptOf(old, 2), "worker-2", LEASE_MS);
    // It waits for this attempt since it was handed back.
    expect(next?.queuedMs).toBeLessThan(next?.waitedMs ?? 0);
    expect(await one.executions.markEffect(old, LEASE_MS)).toBe(false);
    expect(await one.executions.renewLeases([old], LEASE_MS)).toEqual([]);
    expect(await one.executions.handBack(old)).toBe("gone");
    expect(await one.executions.finish(old, SUCCESS, "1-2")).toBeNull();
    const held = attemptOf(old, 2);
    expect(await other.executions.markEffect(held, LEASE_MS)).toBe(true);
    expect(await other.executions.renewLeases([old, held], LEASE_MS)).toEqual([held]);
    expect(await other.executions.finish(held, SUCCESS, "2-2")).toMatchObject({
      status: "succeeded",
      attempt: 2,
    });
  });

  test("no effect may start under a lease that has run out", async () => {
    // Before now, since times are rounded to milliseconds, up too.
    const key = await started(one, sampleExecution("ten_a"), -1);
    expect(await one.executions.markEffect(key, LEASE_MS)).toBe(false);
    expect(await one.executions.renewLeases([key], LEASE_MS)).toEqual([key]);
    expect(await one.executions.markEffect(key, LEASE_MS)).toBe(true);
  });

  test("finish answers what is then found, and the same again when it is repeated", async () => {
    const key = await started(one, sampleExecution("ten_a"));
    const ended = await one.executions.finish(key, SUCCESS, "1-9");
    expect(ended).toMatchObject({ ...SUCCESS, endEventId: "1-9", attempt: 1 });
    expect(ended).toEqual(await one.executions.find(key));
    expect(await one.executions.finish(key, SUCCESS, "1-9")).toEqual(ended);
    expect(await one.executions.finish(key, { ...SUCCESS, status: "failed" }, "1-8")).toBeNull();
  });

  test("cancelled beats succeeded, or the other way round, but never both", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => started(one, sampleExecution("ten_a"))));
    const races = keys.map(async (key) => {
      const [finished, cancelled] = await Promise.all([
        one.executions.finish(key, SUCCESS, "1-2"),
        other.executions.endFromOutside(key, { status: "cancelled", error: null }),
      ]);
      const winners = [finished, cancelled].flatMap((ended) => (ended ? [ended.status] : []));
      expect(winners).toEqual([(await one.executions.find(key))?.status]);
    });
    await Promise.all(races);
  });

  test("hands back only what can't do an effect twice", async () => {
    const careless = await started(one, sampleExecution("ten_a"));
    await one.executions.markEffect(careless, LEASE_MS);
    expect(await one.executions.handBack(careless)).toBe("kept");
    const idempotent = await started(one, sampleExecution("ten_a", { idempotent: true }));
    await one.executions.markEffect(idempotent, LEASE_MS);
    expect(await one.executions.handBack(idempotent)).toMatchObject({ attempt: 2 });
    expect(await one.executions.find(idempotent)).toMatchObject({
      status: "queued",
      attempt: 1,
      startedAt: null,
    });
  });
});

describe("an end from outside", () => {
  test("has an event id above all of the holder's, and happens once", async () => {
    const key = await started(one, sampleExecution("ten_a"));
    const error = { code: "execution.cancelled" as const, message: "Cancelled." };
    const ended = await one.executions.endFromOutside(key, { status: "cancelled", error });
    expect(ended).toMatchObject({ status: "cancelled", error, endEventId: outsiderEndEventId(1) });
    expect(await one.executions.endFromOutside(key, { status: "cancelled", error })).toBeNull();
    expect(await one.executions.finish(key, SUCCESS, "1-2")).toBeNull();
  });

  test("makes no move that the table of states does not have", async () => {
    const key = await started(one, sampleExecution("ten_a"));
    expect(await one.executions.endFromOutside(key, { status: "denied", error: null })).toBeNull();
  });
});

describe("another tenant", () => {
  test("can't find, claim, mark, renew, hand back, finish or end what is not its own", async () => {
    const queued = sampleExecution("ten_a");
    await one.executions.insert(queued);
    const running = await started(one, sampleExecution("ten_a"));
    const theirs = { ...running, tenantId: "ten_b" };
    const { executions } = one;
    expect(await executions.find(theirs)).toBeNull();
    expect(await executions.claim({ ...attemptOf(queued), tenantId: "ten_b" }, "w", LEASE_MS)).toBeNull();
    expect(await executions.markEffect(theirs, LEASE_MS)).toBe(false);
    expect(await executions.renewLeases([theirs], LEASE_MS)).toEqual([]);
    expect(await executions.handBack(theirs)).toBe("gone");
    expect(await executions.finish(theirs, SUCCESS, "1-2")).toBeNull();
    expect(await executions.endFromOutside(theirs, { status: "cancelled", error: null })).toBeNull();
    expect(await executions.list("ten_b", { limit: 10 })).toEqual({
      executions: [],
      next: null,
      scanned: null,
    });
    expect(await executions.find(running)).toMatchObject({ status: "running" });
  });
});
