import { expect, it } from "vitest";
import { ProcessUids, splitUids, uidRange } from "./process-uids.ts";

const ALL = "         0          0 4294967295\n";

it("gives two workers of one machine users that don't overlap", () => {
  const [one, other] = [uidRange(ALL, 100), uidRange(ALL, 101)];
  expect(one?.count).toBe(1024);
  expect((one?.first ?? 0) + 1024).toBe(other?.first);
});

it.each([1, 262_143, 262_144, 4_194_304])("stays within the unused ids for process %i", (pid) => {
  const { first, count } = uidRange(ALL, pid) ?? { first: 0, count: 0 };
  expect(first).toBeGreaterThanOrEqual(1_879_048_192);
  expect(first + count - 1).toBeLessThan(2 ** 31);
});

it("finds room in a rootless container, and none where only one user is mapped", () => {
  expect(uidRange("0 1000 1\n1 100000 65535\n", 7)).toEqual({ first: 60_578, count: 606 });
  expect(uidRange("0 1000 1\n", 7)).toBeNull();
});

it("gives no user twice at a time, and one that was given back last of all", () => {
  const uids = new ProcessUids({ first: 10, count: 3 });
  expect([uids.take(), uids.take()]).toEqual([10, 11]);
  uids.free(10);
  expect([uids.take(), uids.take(), uids.take()]).toEqual([12, 10, null]);
});

it("gives sandboxes and servers users that don't overlap, and leaves none out", () => {
  const range = { first: 60_578, count: 606 };
  const { sandboxes, servers } = splitUids(range);
  expect(sandboxes.first).toBe(range.first);
  expect(servers.first).toBe(sandboxes.first + sandboxes.count);
  expect(servers.first + servers.count).toBe(range.first + range.count);
});
