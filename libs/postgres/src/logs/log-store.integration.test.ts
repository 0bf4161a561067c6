import {
  accentedSearchWords,
  indexTerms,
  newExecutionId,
  type DueLogRound,
  type ExecutionKey,
  type LogPiece,
  type PackedLog,
  type Retention,
} from "@bulkhead/core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { attemptOf, sampleExecution, sampleTool, started, SUCCESS } from "../fixtures/samples.ts";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

const MIB = 1024 * 1024;

useTwoTenants();
/** A tool of each tenant, which says nothing of how long its logs are kept. */
const tools = new Map<string, string>();
beforeAll(async () => {
  for (const tenant of [tenantId, otherId])
    tools.set(tenant, (await database.tools.create(sampleTool(tenant))).id);
});
beforeEach(() => testDatabase.execute("DELETE FROM due_logs"));

const ROUND: DueLogRound = { after: null, countMax: 100, tenantMax: 100, leaseMs: 30_000, days: 30 };

/** An execution whose end has this id; what is due of it is due at once. */
async function ended(endEventId: string, of = tenantId, createdAt = new Date()): Promise<ExecutionKey> {
  const executionId = newExecutionId(createdAt);
  const attempt = await started(
    database,
    sampleExecution(of, { executionId, createdAt, toolId: tools.get(of) ?? null }),
  );
  await database.executions.finish(attempt, SUCCESS, endEventId);
  await dueNow();
  return { tenantId: of, executionId };
}
const dueNow = () => testDatabase.execute("UPDATE due_logs SET due_at = now()");

const claimedNow = async (round: Partial<DueLogRound> = {}) =>
  (await database.logs.claimDue({ ...ROUND, ...round })).claimed;

const piece = (firstId: string, lastId: string): LogPiece => ({
  firstId,
  lastId,
  packed: Buffer.from(`${firstId} to ${lastId}`),
});
const aLog = (log: Partial<PackedLog> = {}): PackedLog => ({
  pieces: [piece("1-2", "1-300"), piece("1-301", "2-7")],
  cut: null,
  words: ["connection", "refused"],
  ...log,
});
const kept = async (log: PackedLog | null = aLog(), days = 1, of = tenantId): Promise<ExecutionKey> => {
  const key = await ended("1-9", of);
  await database.logs.keep([{ ...key, days, log }]);
  return key;
};
/** What is read behind an event, as text. */
async function read(key: ExecutionKey, after: string) {
  const found = await database.logs.readPiece(key, after);
  return found && { ...found, packed: found.packed && Buffer.from(found.packed).toString() };
}

test("an end behind more than the beginning makes its log due, whoever ends the execution", async () => {
  const said = await ended("1-4");
  const retried = await ended("2-3");
  await ended("1-3");
  const queued = sampleExecution(tenantId);
  await database.executions.insert(queued);
  await database.executions.endFromOutside(queued, { status: "cancelled", error: null });
  const running = await started(database, sampleExecution(tenantId));
  await database.executions.endFromOutside(running, { status: "cancelled", error: null });
  await dueNow();
  const claimed = await claimedNow();
  expect(claimed.map(({ executionId }) => executionId).toSorted()).toEqual(
    [said, retried, running].map(({ executionId }) => executionId).toSorted(),
  );
  expect(claimed).toContainEqual({ ...said, agedMs: expect.any(Number), days: 30, withoutErrors: false });
});

test("a log is not due before its end has had a moment to arrive in the stream", async () => {
  const attempt = await started(database, sampleExecution(tenantId));
  await database.executions.finish(attempt, SUCCESS, "1-9");
  await testDatabase.execute("UPDATE due_logs SET due_at = due_at + interval '1 h' WHERE due_at > ended_at");
  expect(await claimedNow()).toEqual([]);
});

test("a claim is one worker's until its lease is over", async () => {
  const key = await ended("1-9");
  const claims = await Promise.all([1, 2, 3].map(() => claimedNow()));
  expect(claims.flat()).toMatchObject([key]);
  await dueNow();
  expect(await claimedNow()).toMatchObject([key]);
});

test("tenants are served one after another, however much of another's is due", async () => {
  for (let n = 0; n < 5; n += 1) await ended("1-9");
  await ended("1-9", otherId);
  const claimed = await claimedNow({ tenantMax: 2 });
  expect(claimed.map((due) => due.tenantId).toSorted()).toEqual([tenantId, tenantId, otherId].toSorted());
});

test("a round that was full goes on behind the last tenant that it saw", async () => {
  for (const tenant of [tenantId, otherId]) for (let n = 0; n < 2; n += 1) await ended("1-9", tenant);
  const [low, high] = [tenantId, otherId].toSorted();
  const first = await database.logs.claimDue({ ...ROUND, tenantMax: 1, countMax: 1 });
  expect(first).toMatchObject({ claimed: [{ tenantId: low }], next: low });
  const second = await database.logs.claimDue({ ...ROUND, tenantMax: 1, after: first.next });
  expect(second).toMatchObject({ claimed: [{ tenantId: high }], next: null });
});

test("what an execution was accepted with stands above the platform, whatever becomes of its tool", async () => {
  const { id: toolId, revision } = await database.tools.create(sampleTool(tenantId));
  const daysOf = async (retention: Retention | null) => {
    await testDatabase.execute("DELETE FROM due_logs");
    const attempt = await started(database, sampleExecution(tenantId, { toolId, retention }));
    await database.executions.finish(attempt, SUCCESS, "1-9");
    await dueNow();
    return (await claimedNow()).map(({ days }) => days);
  };
  expect(await daysOf(null)).toEqual([30]);
  expect(await daysOf({ events: 5 })).toEqual([5]);
  expect(await daysOf({ events: "none" })).toEqual([0]);
  expect(await daysOf({ arguments: "none", result: 3 })).toEqual([30]);
  await database.tools.delete(tenantId, toolId, revision, null);
  expect(await daysOf({ events: "none" })).toEqual([0]);
});

test("a kept log is read from behind any event, a piece at a time", async () => {
  const key = await kept();
  expect(await read(key, "0-0")).toEqual({ packed: "1-2 to 1-300", holdsCursor: false, cut: null });
  expect(await read(key, "1-1")).toEqual({ packed: "1-2 to 1-300", holdsCursor: false, cut: null });
  expect(await read(key, "1-299")).toEqual({ packed: "1-2 to 1-300", holdsCursor: true, cut: null });
  expect(await read(key, "1-300")).toEqual({ packed: "1-301 to 2-7", holdsCursor: true, cut: null });
  expect(await read(key, "2-7")).toEqual({ packed: null, holdsCursor: true, cut: null });
  expect(await read(key, "3-1")).toEqual({ packed: null, holdsCursor: false, cut: null });
  expect(await read(key, "999999999999999-999999999999999")).toMatchObject({ packed: null });
  expect(await claimedNow()).toEqual([]);
});

test("what the stream had lost is known", async () => {
  const key = await kept(aLog({ cut: "1-77" }));
  expect(await read(key, "0-0")).toMatchObject({ cut: "1-77" });
});

test("another tenant reads nothing of it", async () => {
  const { executionId } = await kept();
  expect(await read({ executionId, tenantId: otherId }, "0-0")).toBeNull();
});

test("where nothing is kept nothing is due any more, and nothing is read", async () => {
  const key = await kept(null);
  expect(await read(key, "0-0")).toBeNull();
  await dueNow();
  expect(await claimedNow()).toEqual([]);
});

test("who lost a log to another keeps nothing of it", async () => {
  const key = await kept();
  await database.logs.keep([{ ...key, days: 1, log: aLog({ pieces: [piece("1-2", "1-2")] }) }]);
  const wrong = await ended("1-9");
  await database.logs.keep([{ ...wrong, tenantId: otherId, days: 1, log: aLog() }]);
  expect(await read(key, "0-0")).toMatchObject({ packed: "1-2 to 1-300" });
  expect(await read(wrong, "0-0")).toBeNull();
});

test("a log whose time is over is neither read nor found, and goes with its pieces", async () => {
  const old = await kept(aLog({ words: ["aged"] }));
  const young = await kept(aLog({ words: ["aged"] }));
  await testDatabase.execute(
    `UPDATE execution_logs SET kept_until = now() - interval '1 s' WHERE execution_id = '${old.executionId}'`,
  );
  expect(await read(old, "0-0")).toBeNull();
  expect(await found("aged")).toEqual([young.executionId]);
  expect(await database.logs.dropOld(10, MIB)).toBe(1);
  expect(await database.logs.dropOld(10, MIB)).toBe(0);
  await testDatabase.execute(`DO $$ BEGIN
    ASSERT NOT EXISTS (SELECT FROM log_pieces WHERE execution_id = '${old.executionId}');
  END $$`);
});

test("of large logs whose time is over fewer go at once", async () => {
  await testDatabase.execute("DELETE FROM execution_logs");
  const large = { ...piece("1-2", "1-3"), packed: new Uint8Array(20_000) };
  for (let n = 0; n < 3; n += 1) await kept(aLog({ pieces: [large] }));
  await testDatabase.execute("UPDATE execution_logs SET kept_until = now() - interval '1 s'");
  expect(await database.logs.dropOld(100, 30_000)).toBe(2);
  expect(await database.logs.dropOld(100, 30_000)).toBe(1);
});

const found = async (...words: string[]): Promise<string[]> =>
  (await database.executions.list(tenantId, { limit: 50, logWords: sought(words) })).executions.map(
    ({ executionId }) => executionId,
  );

const sought = (words: string[]) => words.flatMap(accentedSearchWords);

test("a log is found without its accents, and one from the time when they counted with them", async () => {
  const before = await kept(aLog({ words: ["résumé"] }));
  const since = await kept(aLog({ words: indexTerms("Résumé") }));
  expect(await found("résumé")).toEqual([since.executionId, before.executionId]);
  expect(await found("RESUME")).toEqual([since.executionId]);
  expect(await found("résu")).toEqual([since.executionId, before.executionId]);
});

test("executions are found by all words of a search, the last one as a beginning", async () => {
  const both = await kept(aLog({ words: ["disk", "über", "数据库"] }));
  const one = await kept(aLog({ words: ["disk"] }));
  await kept(aLog({ words: ["disk"] }), 1, otherId);
  expect(await found("disk")).toEqual([one.executionId, both.executionId]);
  expect(await found("disk", "über")).toEqual([both.executionId]);
  expect(await found("disk", "数据")).toEqual([both.executionId]);
  expect(await found("dis", "über")).toEqual([]);
  expect(await found("isk")).toEqual([]);
  expect(await found("ten")).toEqual([]);
});

test("a word is found in the newest logs and in those behind them, page by page", async () => {
  const old = [
    await kept(aLog({ words: ["everywhere", "seldom"] })),
    await kept(aLog({ words: ["everywhere"] })),
  ];
  // More than are looked through one by one.
  await testDatabase.execute(`WITH made AS (
      INSERT INTO executions SELECT (e).* FROM (
        SELECT jsonb_populate_record(e, jsonb_build_object('id', execution_id_floor(now() + n * interval '1 ms') || repeat('0', 20))) AS e
        FROM executions AS e, generate_series(1, 1100) AS n WHERE e.id = '${old[0]?.executionId}') AS copies
      RETURNING id)
    INSERT INTO execution_logs (execution_id, tenant_id, words, kept_until)
    SELECT made.id, l.tenant_id, l.words, l.kept_until FROM made, execution_logs AS l
    WHERE l.execution_id = '${old[1]?.executionId}'`);
  expect(await found("seldom")).toEqual([old[0]?.executionId]);
  const first = await database.executions.list(tenantId, { limit: 50, logWords: sought(["everywhere"]) });
  expect(first).toMatchObject({ next: expect.any(String), executions: { length: 50 } });
  const ids = new Set(first.executions.map(({ executionId }) => executionId));
  for (let page = first; page.next !== null;) {
    const before = page.next;
    page = await database.executions.list(tenantId, { limit: 200, logWords: sought(["everywhere"]), before });
    for (const { executionId } of page.executions) ids.add(executionId);
  }
  expect(ids.size).toBe(1_102);
});

test("a log with as many and as long words as count is kept and found", async () => {
  const words = Array.from({ length: 5_000 }, (_, n) => `${n}`.padEnd(13, "ö"));
  const key = await kept(aLog({ words }));
  expect(await found(words.at(-1) ?? "")).toEqual([key.executionId]);
});

test("executions that are dropped take their logs along, and what was to be erased of them", async () => {
  const createdAt = new Date(Date.now() - 35 * 24 * 3_600_000);
  await testDatabase.execute(`DO $$
DECLARE starts timestamptz := date_trunc('week', '${createdAt.toISOString()}'::timestamptz, 'UTC');
BEGIN
  EXECUTE format('CREATE TABLE %I PARTITION OF executions FOR VALUES FROM (%L) TO (%L)',
    'executions_' || to_char(starts AT TIME ZONE 'UTC', 'YYYYMMDD'),
    execution_id_floor(starts), execution_id_floor(starts + interval '168 hours'));
END $$`);
  const old = await ended("1-9", tenantId, createdAt);
  await database.logs.keep([{ ...old, days: 400, log: aLog() }]);
  const erasure = `'${old.executionId}', 'result', '${tenantId}', now() + interval '1 day'`;
  await testDatabase.execute(`INSERT INTO due_erasures VALUES (${erasure})`);
  expect(await database.executions.dropOldExecutions(20)).toBe(1);
  await testDatabase.execute(`DO $$ BEGIN
    ASSERT NOT EXISTS (SELECT FROM due_erasures WHERE execution_id = '${old.executionId}');
  END $$`);
  expect(await database.executions.find(attemptOf(old))).toBeNull();
  expect(await read(old, "0-0")).toBeNull();
});
