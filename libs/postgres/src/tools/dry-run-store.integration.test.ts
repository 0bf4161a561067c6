import { EVIDENCE_ARGUMENTS_CHARS_MAX, newExecutionId } from "@bulkhead/core";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleExecution, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

let tenantId: string;

beforeAll(async () => {
  tenantId = (await database.tenants.create(sampleTenant())).id;
});

const newRun = (toolId: string) => ({
  tenantId,
  executionId: newExecutionId(new Date()),
  toolId,
  version: 1,
  arguments: { z: 1, a: "2" },
  generated: true,
});

test("a dry run stands as its execution does until a worker has put down what it saw", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  const run = newRun(id);
  expect(await database.dryRuns.insert(run, 2)).toBe(true);
  const [accepted] = await database.dryRuns.list(tenantId, id, 1);
  expect(accepted).toEqual({
    executionId: run.executionId,
    arguments: run.arguments,
    generated: true,
    status: "queued",
    result: null,
    truncated: false,
    error: null,
    effects: [],
    createdAt: expect.any(Date),
  });
  await database.executions.insert(sampleExecution(tenantId, { executionId: run.executionId }));
  await database.executions.endFromOutside(run, {
    status: "cancelled",
    error: { code: "execution.cancelled", message: "stopped" },
  });
  expect(await database.dryRuns.list(tenantId, id, 1)).toMatchObject([
    { status: "cancelled", error: { code: "execution.cancelled", message: "stopped" } },
  ]);
});

test("what a worker saw is shown when the execution is long gone, without the tool it is not of", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  const run = newRun(id);
  await database.dryRuns.insert(run, 1);
  const effects = [{ kind: "fetch", target: "GET https://a.example/" }] as const;
  const seen = { status: "failed", result: null, truncated: false, effects: [...effects] } as const;
  await database.dryRuns.record(run.executionId, {
    ...seen,
    effects: [...effects],
    error: { code: "tool.threw", message: "no" },
  });
  expect(await database.dryRuns.list(tenantId, id, 1)).toMatchObject([
    { status: "failed", error: { code: "tool.threw" }, effects },
  ]);
  expect(await database.dryRuns.list("ten_0000000000000000", id, 1)).toEqual([]);
  await database.tools.delete(tenantId, id);
  expect(await database.dryRuns.list(tenantId, id, 1)).toEqual([]);
});

test("there are so many at most, none of what is not there, and one that was not accepted says why", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  const run = newRun(id);
  expect(await database.dryRuns.insert(run, 1)).toBe(true);
  expect(await database.dryRuns.insert(newRun(id), 1)).toBe(false);
  expect(await database.dryRuns.insert({ ...newRun(id), version: 2 }, 9)).toBe(false);
  expect(await database.dryRuns.insert({ ...newRun(id), tenantId: "ten_0000000000000000" }, 9)).toBe(false);
  await database.dryRuns.refuse(run.executionId, { code: "tenant.backlog_full", message: "full" });
  expect(await database.dryRuns.list(tenantId, id, 1)).toMatchObject([
    { status: "not_run", error: { code: "tenant.backlog_full", message: "full" } },
  ]);
});

test("arguments that are too large to be listed are left out, and the run is listed", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  const ofChars = (chars: number) => ({
    ...newRun(id),
    arguments: { a: "x".repeat(chars - '{"a":""}'.length) },
  });
  const shown = ofChars(EVIDENCE_ARGUMENTS_CHARS_MAX);
  await database.dryRuns.insert(shown, 9);
  await database.dryRuns.insert(ofChars(EVIDENCE_ARGUMENTS_CHARS_MAX + 1), 9);
  expect((await database.dryRuns.list(tenantId, id, 1)).map((run) => run.arguments)).toEqual([
    shown.arguments,
    null,
  ]);
});

describe("a dry run that nobody asked for", () => {
  const busy = { code: "evidence.busy", message: "ask for one" };
  const review = { grown: [], proposedBy: { keyId: "key_1", agentId: null, conversationId: null } };
  /** A tool of a tenant of its own whose first version waits. */
  const waiting = async (ofTenant?: string) => {
    const tenant = ofTenant ?? (await database.tenants.create(sampleTenant())).id;
    const tool = await database.tools.create(sampleTool(tenant, { status: "pending_approval", review }));
    return { tenant, tool };
  };
  const start = (tenant: string, toolId: string, inFlightMax: number, version = 1) => {
    const run = { ...newRun(toolId), tenantId: tenant, version };
    return database.dryRuns.insertAutomatic(run, { inFlightMax, busy }).then((outcome) => ({ run, outcome }));
  };
  /** As its acceptance does. */
  const accept = (tenant: string, executionId: string) =>
    database.executions.insert(sampleExecution(tenant, { executionId }));
  const end = (tenant: string, executionId: string) =>
    database.executions.endFromOutside(
      { tenantId: tenant, executionId },
      { status: "cancelled", error: { code: "execution.cancelled", message: "stopped" } },
    );

  test("finds room while fewer of its tenant wait or run, and is put down as not run while there is none", async () => {
    const { tenant, tool } = await waiting();
    const first = await start(tenant, tool.id, 2);
    const second = await start(tenant, tool.id, 2);
    expect([first.outcome, second.outcome]).toEqual(["inserted", "inserted"]);
    const refused = await start(tenant, tool.id, 2);
    expect(refused.outcome).toBe("busy");
    expect((await database.dryRuns.list(tenant, tool.id, 1)).at(-1)).toMatchObject({
      executionId: refused.run.executionId,
      status: "not_run",
      error: busy,
    });
    // Another tenant's are not in its way.
    const other = await waiting();
    expect((await start(other.tenant, other.tool.id, 1)).outcome).toBe("inserted");
    // What has ended, was not accepted, or has been put down gives its room back.
    await accept(tenant, first.run.executionId);
    expect((await start(tenant, tool.id, 2)).outcome).toBe("busy");
    await end(tenant, first.run.executionId);
    expect((await start(tenant, tool.id, 2)).outcome).toBe("inserted");
    await database.dryRuns.refuse(second.run.executionId, busy);
    expect((await start(tenant, tool.id, 2)).outcome).toBe("inserted");
  });

  test("does not count what people asked for with arguments of their own", async () => {
    const { tenant, tool } = await waiting();
    await database.dryRuns.insert({ ...newRun(tool.id), tenantId: tenant, generated: false }, 9);
    expect((await start(tenant, tool.id, 1)).outcome).toBe("inserted");
  });

  test("is not put down where its version waits no more, is another tenant's or is not there", async () => {
    const { tenant, tool } = await waiting();
    expect((await start(tenantId, tool.id, 9)).outcome).toBe("not_waiting");
    expect((await start(tenant, tool.id, 9, 2)).outcome).toBe("not_waiting");
    const requirements = { requiredApiKeys: [], requiredConfigServices: [] };
    const decision = {
      version: 1,
      to: "rejected",
      by: "key_1",
      reason: null,
      approved: null,
      requirements,
    } as const;
    await database.tools.decide(tenant, tool.id, tool.revision, decision);
    expect((await start(tenant, tool.id, 9)).outcome).toBe("not_waiting");
    expect(await database.dryRuns.list(tenant, tool.id, 1)).toEqual([]);
  });

  test("is listed as superseded while it is queued and another version took the place of its own", async () => {
    const { tenant, tool } = await waiting();
    const [queued, ended] = [await start(tenant, tool.id, 9), await start(tenant, tool.id, 9)];
    for (const { run } of [queued, ended]) await accept(tenant, run.executionId);
    await end(tenant, ended.run.executionId);
    expect(await database.dryRuns.listSuperseded(tenant, tool.id)).toEqual([]);
    const definition = { ...tool, code: "return 2" };
    await database.tools.update(tenant, tool.id, tool.revision, { definition, review });
    const newer = await start(tenant, tool.id, 9, 2);
    await accept(tenant, newer.run.executionId);
    expect(await database.dryRuns.listSuperseded(tenant, tool.id)).toEqual([queued.run.executionId]);
    expect(await database.dryRuns.listSuperseded(tenantId, tool.id)).toEqual([]);
    // A version whose place was taken is not tried out any more.
    expect((await start(tenant, tool.id, 9, 1)).outcome).toBe("not_waiting");
  });
});
