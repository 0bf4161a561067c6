import type { AuditDeed, ExecutionStatus, TenantPrincipal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { deleteExecution, type DeleteExecutionDeps } from "./delete-execution.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_a" };
const DEVELOPER = { role: "developer", tenantId: "ten_a", keyId: "key_a" } as TenantPrincipal;

/** An execution with these statuses at one look after the other; null: it is not there. A stream that may be away. */
function openWorld(statuses: (ExecutionStatus | null)[], streamIsAway = false) {
  const deeds: AuditDeed[] = [];
  const reports: string[] = [];
  const seen = [...statuses];
  const looks = () => (seen.length > 1 ? seen.shift() : seen[0]) ?? null;
  const deps = {
    executions: {
      find: async () => {
        const status = looks();
        return status && { status };
      },
    },
    erasures: {
      deleteExecution: async () => {
        const status = looks();
        return status === "failed" ? { toolId: "tool_a", toolName: "a" } : null;
      },
    },
    stream: { erase: () => (streamIsAway ? Promise.reject(new Error("away")) : Promise.resolve()) },
    audit: { record: async (_by: unknown, _tenantId: string, deed: AuditDeed) => void deeds.push(deed) },
    report: (what: string) => void reports.push(what),
  } as unknown as DeleteExecutionDeps;
  return { run: () => deleteExecution(deps, DEVELOPER, KEY), deeds, reports };
}

test("who deletes an ended execution is put on record", async () => {
  const { run, deeds } = openWorld(["failed"]);
  await run();
  expect(deeds).toEqual([
    { action: "execution.deleted", id: "exe_a", name: "a", details: { toolId: "tool_a" } },
  ]);
});

test("one that goes on is refused, with what to do", async () => {
  const { run, deeds } = openWorld(["running"]);
  await expect(run()).rejects.toMatchObject({
    code: "execution.not_ended",
    detail:
      "The execution is running; cancel it first (POST /api/v1/executions/exe_a/cancel), or wait for its end.",
  });
  expect(deeds).toEqual([]);
});

test("one that is not there is not found", async () => {
  await expect(openWorld([null]).run()).rejects.toMatchObject({ code: "execution.not_found" });
});

test("one that ends between the look for ended ones and the next look is deleted all the same", async () => {
  const { run, deeds } = openWorld(["running", "failed"]);
  await run();
  expect(deeds).toHaveLength(1);
});

test("it is deleted also while Redis is away", async () => {
  const { run, deeds, reports } = openWorld(["failed"], true);
  await run();
  expect(deeds).toHaveLength(1);
  expect(reports).toEqual(["erasing a stream failed; a worker does it"]);
});
