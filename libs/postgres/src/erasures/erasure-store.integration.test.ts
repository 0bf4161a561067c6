import type { ErasablePart, ErasureRound, NewExecution } from "@bulkhead/core";
import { beforeEach, expect, test } from "vitest";
import { CALLBACK } from "../fixtures/deliveries.ts";
import { endedWithMark, FAILED, MARK, rows, running, tablesWith } from "../fixtures/marked-executions.ts";
import { sampleExecution } from "../fixtures/samples.ts";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();
beforeEach(() => testDatabase.execute("DELETE FROM due_erasures; DELETE FROM due_logs"));

const ROUND: ErasureRound = { after: null, countMax: 100, tenantMax: 100, leaseMs: 30_000 };
const dueNow = () => testDatabase.execute("UPDATE due_erasures SET due_at = now()");
const claimed = async (round: Partial<ErasureRound> = {}) => {
  await dueNow();
  return (await database.erasures.claimDue({ ...ROUND, ...round })).claimed;
};
/** Also where the log is still to be kept. */
const eraseDue = async () => database.erasures.erase(await claimed());

test("nothing is due of an execution without one", async () => {
  await endedWithMark();
  expect(await claimed()).toEqual([]);
});

test("each part has its time, from the end on; a log of days knows its own", async () => {
  const key = await endedWithMark({ retention: { arguments: "none", result: 3, events: 5 } });
  const due = await rows(
    "SELECT part, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM due_erasures WHERE execution_id = $1 ORDER BY part",
    key.executionId,
  );
  expect(due).toEqual([
    { part: "arguments", minutes: expect.toSatisfy((n: number) => n <= 1) },
    { part: "result", minutes: 3 * 24 * 60 },
  ]);
});

test.each<[ErasablePart, object]>([
  ["arguments", { arguments: {}, result: { mark: MARK }, erased: ["arguments"] }],
  ["result", { arguments: { mark: MARK }, result: null, erased: ["result"] }],
  ["events", { arguments: { mark: MARK }, result: { mark: MARK }, erased: ["events"] }],
])("%s alone are erased, and named", async (part, left) => {
  const key = await endedWithMark({ retention: { [part]: "none" } });
  await eraseDue();
  expect(await database.executions.find(key)).toMatchObject(left);
  expect(await claimed()).toEqual([]);
});

test("of an error the code stays, and of the tries before it too", async () => {
  const attempt = await running({ retention: { result: "none" } });
  await database.executions.retryLater(attempt, FAILED, { delayMs: 0, triesMax: 3 });
  const second = { ...attempt, attempt: 2 };
  await database.executions.claim(second, "worker-1", 60_000);
  const error = { ...FAILED.error, message: "a NUL \u0000" };
  await database.executions.finish(second, { ...FAILED, error }, "2-9");
  await eraseDue();
  const erased = { code: "tool.threw", message: "The message was erased." };
  expect(await database.executions.find(attempt)).toMatchObject({ error: erased, erased: ["result"] });
  expect(await database.executions.listAttempts(attempt)).toMatchObject([{ error: erased }]);
});

test("the script of a dry run and what a person changed go with the arguments", async () => {
  const retention = { arguments: "none" } as const;
  const inlineTool = { code: GIVEN, services: [] } as unknown as NewExecution["inlineTool"];
  const dry = await endedWithMark({ toolId: null, inlineTool, arguments: {}, retention });
  const approval = { timeoutMs: 1_000, expiresAt: new Date().toISOString() };
  const asked = sampleExecution(tenantId, { arguments: { asked: GIVEN }, approval, retention });
  await database.executions.insert(asked);
  const answer = { answer: "allow_once", by: "key_1", arguments: { changed: GIVEN } } as const;
  await database.approvals.allow(asked, answer, null, 1);
  await database.executions.endFromOutside(asked, { status: "cancelled", error: null });
  expect(await tablesWith(GIVEN)).toEqual(["executions"]);
  await eraseDue();
  expect(await tablesWith(GIVEN)).toEqual([]);
  expect(await database.executions.find(asked)).toMatchObject({ approval: { answer: { by: "key_1" } } });
  expect(await database.executions.find(dry)).toMatchObject({ erased: ["arguments"] });
});
const GIVEN = "given77ab";

test("what is delivered, and a log that is to be kept, is needed until that is over", async () => {
  const key = await endedWithMark({ callback: CALLBACK, retention: { result: "none", events: "none" } });
  const needed = async () =>
    Object.fromEntries((await claimed()).map(({ part, isNeeded }) => [part, isNeeded]));
  expect(await needed()).toEqual({ result: true, events: true });
  await database.logs.keep([{ ...key, days: 0, log: null }]);
  expect(await needed()).toEqual({ result: true, events: false });
  await testDatabase.execute("UPDATE deliveries SET status = 'failed', due_at = NULL");
  expect(await needed()).toEqual({ result: false, events: false });
});

test("a claim is one worker's until its lease is over, and tenants have their turns", async () => {
  for (let n = 0; n < 3; n += 1) await endedWithMark({ retention: { result: "none" } });
  const other = await endedWithMark({ tenantId: otherId, retention: { result: "none" } });
  await dueNow();
  const round = { ...ROUND, tenantMax: 2 };
  const turns = await Promise.all([1, 2].map(() => database.erasures.claimDue(round)));
  const all = turns.flatMap((turn) => turn.claimed);
  expect(all).toHaveLength(4);
  expect(all).toContainEqual({
    tenantId: otherId,
    executionId: other.executionId,
    part: "result",
    isNeeded: true,
  });
  expect((await database.erasures.claimDue(round)).claimed).toEqual([]);
});
