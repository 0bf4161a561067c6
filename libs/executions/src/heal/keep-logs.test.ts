import { type DueLog, type PackedLog, Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { keepDueLogs, type KeepLogsDeps } from "./keep-logs.ts";

const aDueLog = (n: number, due: Partial<DueLog> = {}): DueLog => ({
  tenantId: "ten_a",
  executionId: `exe_${n}`,
  agedMs: 1_000,
  days: 30,
  withoutErrors: false,
  ...due,
});
const aLog = (bytes = 10): PackedLog => ({
  pieces: [{ firstId: "1-2", lastId: "1-9", packed: new Uint8Array(bytes) }],
  cut: null,
  words: ["word"],
});

/** What is due in rounds, what was asked for, and what was kept, in order: ids that one statement kept, with "-" for no log. */
function openWorld(
  rounds: { claimed: DueLog[]; next: string | null }[],
  pack: (executionId: string) => { hasEnd: boolean; log: PackedLog | null } = () => ({
    hasEnd: true,
    log: aLog(),
  }),
  refuse: (ids: string[]) => Error | null = () => null,
) {
  const kept: string[] = [];
  const days: number[] = [];
  const asked: (string | null)[] = [];
  const packed: string[] = [];
  const givenBack: string[] = [];
  const reports: unknown[] = [];
  const stopping = new AbortController();
  const deps: KeepLogsDeps = {
    logs: {
      claimDue: async ({ after }) => {
        asked.push(after);
        return rounds.shift() ?? { claimed: [], next: null };
      },
      keep: async (logs) => {
        const refusal = refuse(logs.map(({ executionId }) => executionId));
        if (refusal) throw refusal;
        days.push(...logs.map((log) => log.days));
        kept.push(logs.map(({ executionId, log }) => (log ? executionId : `${executionId}-`)).join(" "));
      },
      giveBack: async (logs, forMs) =>
        void givenBack.push(`${logs.map(({ executionId }) => executionId).join(" ")} for ${forMs}`),
    },
    streamLogs: {
      pack: async ({ executionId }, { withoutErrors }) => {
        packed.push(withoutErrors ? `${executionId} without errors` : executionId);
        return pack(executionId);
      },
    },
    report: (what, error) => void reports.push([what, error]),
    days: 30,
    daysMax: 90,
  };
  const run = () => keepDueLogs(deps, stopping.signal);
  return { run, kept, days, asked, packed, givenBack, reports, stop: () => stopping.abort() };
}

test("rounds go on over the tenants until a pass has found nothing due", async () => {
  const { run, asked, kept } = openWorld([
    { claimed: [aDueLog(1), aDueLog(2)], next: "ten_a" },
    { claimed: [], next: null },
    { claimed: [aDueLog(3)], next: null },
  ]);
  await run();
  expect(asked).toEqual([null, "ten_a", null, null]);
  expect(kept).toEqual(["exe_1 exe_2", "exe_3"]);
});

test("where the result may go before the log, what is kept has no texts of errors", async () => {
  const { run, packed } = openWorld([
    { claimed: [aDueLog(1), aDueLog(2, { withoutErrors: true })], next: null },
  ]);
  await run();
  expect(packed).toEqual(["exe_1", "exe_2 without errors"]);
});

test("a log whose end has not arrived waits, and is kept as it is once that has lasted", async () => {
  const claimed = [aDueLog(1), aDueLog(2, { agedMs: 31_000 })];
  const { run, kept, givenBack } = openWorld([{ claimed, next: null }], () => ({
    hasEnd: false,
    log: aLog(),
  }));
  await run();
  expect(kept).toEqual(["exe_2"]);
  expect(givenBack).toEqual(["exe_1 for 5000"]);
});

test("where there is no log, or nobody wants it kept, it is due no more", async () => {
  const claimed = [aDueLog(1), aDueLog(2, { days: 0 })];
  const { run, kept, packed } = openWorld([{ claimed, next: null }], () => ({ hasEnd: true, log: null }));
  await run();
  expect(kept.join(" ").split(" ").toSorted()).toEqual(["exe_1-", "exe_2-"]);
  expect(packed).toEqual(["exe_1"]);
});

test("a log that can't be read holds up none of its round, is told once, and lets the others have their round", async () => {
  const claimed = [1, 2, 3, 4].map((n) => aDueLog(n));
  const { run, kept, asked, givenBack, reports } = openWorld(
    [
      { claimed, next: "ten_a" },
      { claimed: [], next: null },
    ],
    (executionId) => {
      if (executionId !== "exe_3") throw new Error(`no ${executionId}`);
      return { hasEnd: true, log: aLog() };
    },
  );
  await run();
  expect(kept).toEqual(["exe_3"]);
  expect(givenBack).toEqual(["exe_1 exe_2 exe_4 for 5000"]);
  expect(asked).toEqual([null, "ten_a"]);
  expect(reports).toEqual([["keeping logs failed; they are tried again", new Error("no exe_1")]]);
});

test("a log that is gone from its stream is told as lost", async () => {
  const claimed = [aDueLog(1, { agedMs: 31_000 }), aDueLog(2, { days: 0, agedMs: 31_000 })];
  const { run, kept, reports } = openWorld([{ claimed, next: null }], () => ({ hasEnd: false, log: null }));
  await run();
  expect(kept).toHaveLength(1);
  expect(reports).toEqual([
    ["logs were gone from their streams before they could be kept", new Error("1 are lost")],
  ]);
});

test("one statement keeps little more than a MiB", async () => {
  const claimed = [1, 2, 3, 4, 5].map((n) => aDueLog(n));
  const { run, kept } = openWorld([{ claimed, next: null }], () => ({ hasEnd: true, log: aLog(600_000) }));
  await run();
  expect(kept).toEqual(["exe_1 exe_2", "exe_3 exe_4", "exe_5"]);
});

test("who asks to stop waits for no more than what is being read", async () => {
  const claimed = [1, 2, 3, 4, 5].map((n) => aDueLog(n));
  const world = openWorld([{ claimed, next: "ten_a" }], () => {
    world.stop();
    return { hasEnd: true, log: aLog() };
  });
  await world.run();
  expect(world.packed).toEqual(["exe_1"]);
  expect(world.kept).toEqual(["exe_1"]);
  expect(world.asked).toEqual([null]);
});

test("no log is kept longer than executions are", async () => {
  const claimed = [aDueLog(1), aDueLog(2, { days: 3_650 })];
  const { run, days } = openWorld([{ claimed, next: null }]);
  await run();
  expect(days).toEqual([30, 90]);
});

test("a log that the database refuses takes no other along", async () => {
  const claimed = [aDueLog(1), aDueLog(2), aDueLog(3)];
  const { run, kept, reports } = openWorld([{ claimed, next: null }], undefined, (ids) =>
    ids.includes("exe_2") ? new Error("no such byte") : null,
  );
  await run();
  expect(kept).toEqual(["exe_1", "exe_3"]);
  expect(reports).toEqual([["keeping logs failed; they are tried again", new Error("no such byte")]]);
});

test("while the database is away nothing is tried one by one", async () => {
  let writes = 0;
  const away = new Fault("service.unavailable", { detail: "Try again." });
  const { run } = openWorld([{ claimed: [aDueLog(1), aDueLog(2)], next: null }], undefined, () => {
    writes += 1;
    return away;
  });
  await expect(run()).rejects.toBe(away);
  expect(writes).toBe(1);
});
