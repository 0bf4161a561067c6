import type { DueErasure } from "@bulkhead/core";
import { expect, test } from "vitest";
import { eraseDue, type EraseDueDeps } from "./erase-due.ts";

const due = (n: number, part: DueErasure["part"], isNeeded = false): DueErasure => ({
  tenantId: "ten_a",
  executionId: `exe_${n}`,
  part,
  isNeeded,
});

/** What is due in rounds, and what became of it, in order. */
function openWorld(
  rounds: { claimed: DueErasure[]; next: string | null }[],
  refuse: (executionId: string) => boolean = () => false,
) {
  const asked: (string | null)[] = [];
  const done: string[] = [];
  const reports: string[] = [];
  const stopping = new AbortController();
  const deps: EraseDueDeps = {
    erasures: {
      claimDue: async ({ after }) => {
        asked.push(after);
        return rounds.shift() ?? { claimed: [], next: null };
      },
      erase: async (parts) => {
        done.push(`rows ${parts.map(({ executionId, part }) => `${executionId} ${part}`).join(", ")}`);
      },
    },
    stream: {
      erase: async ({ executionId }) => {
        if (refuse(executionId)) throw new Error("Redis is away");
        done.push(`stream ${executionId}`);
      },
    },
    report: (what) => void reports.push(what),
  };
  return {
    run: () => eraseDue(deps, stopping.signal),
    stop: () => stopping.abort(),
    asked,
    done,
    reports,
  };
}

test("a stream is erased once, and before the row", async () => {
  const { run, done } = openWorld([{ claimed: [due(1, "arguments"), due(1, "events")], next: null }]);
  await run();
  expect(done).toEqual(["stream exe_1", "rows exe_1 arguments, exe_1 events", "rows "]);
});

test("what is still needed stays, stream and row", async () => {
  const claimed = [due(1, "result", true), due(2, "result"), due(3, "events", true)];
  const { run, done } = openWorld([{ claimed, next: null }]);
  await run();
  expect(done.slice(0, 2)).toEqual(["stream exe_2", "rows exe_2 result"]);
});

test("where a stream can't be reached its row stays, the others go, and the turn ends", async () => {
  const first = { claimed: [due(1, "result"), due(2, "result")], next: null };
  const never = { claimed: [due(3, "result")], next: null };
  const { run, done, reports } = openWorld([first, never], (id) => id === "exe_1");
  await run();
  expect(done).toEqual(["stream exe_2", "rows exe_2 result"]);
  expect(reports).toEqual(["erasing streams failed; they are tried again"]);
});

test("rounds go on over the tenants until a pass has found nothing due", async () => {
  const { run, asked } = openWorld([
    { claimed: [due(1, "events")], next: "ten_a" },
    { claimed: [], next: null },
    { claimed: [due(2, "events")], next: null },
  ]);
  await run();
  expect(asked).toEqual([null, "ten_a", null, null]);
});

test("who is asked to stop begins no round", async () => {
  const { run, stop, asked } = openWorld([{ claimed: [due(1, "events")], next: null }]);
  stop();
  await run();
  expect(asked).toEqual([]);
});
