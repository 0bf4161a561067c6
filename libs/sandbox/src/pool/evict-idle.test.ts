import { expect, test } from "vitest";
import { evictIdle, type SlotsWanted } from "./evict-idle.ts";

const SLEEPS_MS = 60_000;
const NOBODY: SlotsWanted = { wanted: 0, newcomers: 0, ahead: 0, aheadOfLast: 0 };

/** A full pool of idle processes, the oldest first, by the tenants' names; capitals sleep. */
function made(idle: string[], wanted: Partial<SlotsWanted>, { blanks = 0, going = 0, starting = 0 } = {}) {
  const ended: string[] = [];
  const left = [...idle];
  const processesMax = idle.length + blanks + going + starting;
  const processes = {
    size: processesMax,
    count: (state: string) => (state === "starting" ? starting : 0),
    going,
    countOf: (tenantId: string) => left.filter((other) => other === tenantId).length,
    blanks: () => Array.from({ length: blanks }),
    idleOldestFirst: () =>
      idle.map((tenantId, place) => ({
        tenantId,
        idleSince: performance.now() - (tenantId === tenantId.toUpperCase() ? SLEEPS_MS : 0) + place,
        kill: () => {
          ended.push(tenantId);
          left.splice(left.indexOf(tenantId), 1);
        },
      })),
  };
  const fleet = processes as unknown as Parameters<typeof evictIdle>[0];
  const without = evictIdle(fleet, { processesMax, asleepMs: SLEEPS_MS / 2 }, { ...NOBODY, ...wanted });
  return { ended, without };
}

test("for a tenant that wants more, nobody's last process goes, but one that sleeps", () => {
  expect(made(["a", "b"], { wanted: 1 }).ended).toEqual([]);
  expect(made(["a", "b", "b"], { wanted: 1 }).ended).toEqual(["b"]);
  expect(made(["a", "B"], { wanted: 2 })).toEqual({ ended: ["B"], without: ["B"] });
});

test("for a newcomer the spare one goes first that was idle longest, then somebody's last", () => {
  expect(made(["a", "b", "c"], { wanted: 1, newcomers: 1 })).toEqual({ ended: ["a"], without: ["a"] });
  expect(made(["a", "b", "c"], { wanted: 2, newcomers: 1 }).ended).toEqual(["a"]);
});

test("the stock of blank ones takes spare ones only, while a tenant runs in several", () => {
  expect(made(["a", "b", "c", "c"], { ahead: 2 }).ended).toEqual(["c"]);
});

test("the stock of blank ones is filled before anybody waits, and no further", () => {
  expect(made(["a", "b", "c"], { ahead: 2, aheadOfLast: 2 })).toEqual({
    ended: ["a", "b"],
    without: ["a", "b"],
  });
  expect(made(["a", "b", "c"], { ahead: 2, aheadOfLast: 2 }, { blanks: 1 }).ended).toEqual(["a"]);
  expect(made(["a", "b", "c"], { ahead: 2, aheadOfLast: 2 }, { starting: 1, going: 1 }).ended).toEqual([]);
  expect(
    made(["a", "b", "c"], { wanted: 1, newcomers: 1, ahead: 2, aheadOfLast: 2 }, { starting: 1 }).ended,
  ).toEqual(["a", "b"]);
});
