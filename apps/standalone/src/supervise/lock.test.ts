import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock, type LockDeps } from "./lock.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-lock-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const SUPERVISOR = "node apps/standalone/src/main.ts";

/** A machine on which these processes live; we are process 100, started by 90. */
const machine = (living: Record<number, string>, pid = 100): LockDeps => ({
  pid,
  readProcess: async (asked) => {
    const command = { 90: "sh -c node apps/standalone/src/main.ts", [pid]: SUPERVISOR, ...living }[asked];
    return command === undefined ? null : { parentPid: asked === pid ? 90 : 1, command };
  },
  sleep: () => nextTurn(),
});

const holders = async (): Promise<string[]> =>
  (await readdir(join(dataDir, "lock"))).map((name) => name.split("-")[0] ?? "");

async function lockedBy(name: string): Promise<void> {
  await mkdir(join(dataDir, "lock"), { recursive: true });
  await writeFile(join(dataDir, "lock", name), "");
}

test("the lock names its holder and is gone after close", async () => {
  const lock = await takeLock(machine({}), dataDir);
  expect(await holders()).toEqual(["100"]);
  await lock.close();
  expect(await holders()).toEqual([]);
});

test("a living holder is named and keeps its lock", async () => {
  await lockedBy("200-aa");
  await expect(takeLock(machine({ 200: SUPERVISOR }), dataDir)).rejects.toThrow(
    "Another Bulkhead (process 200)",
  );
  expect(await holders()).toEqual(["200"]);
});

test.each([
  { what: "of a dead process", name: "200-aa", living: {} },
  { what: "whose number another program has by now", name: "200-aa", living: { 200: "vim notes" } },
  { what: "that has our own number, as at each start in a container", name: "100-aa", living: {} },
  { what: "that has the number of the shell that started us", name: "90-aa", living: {} },
  { what: "that holds no number", name: "x", living: {} },
])("a lock $what is taken over", async ({ name, living }) => {
  await lockedBy(name);
  const lock = await takeLock(machine(living), dataDir);
  expect(await holders()).toEqual(["100"]);
  await lock.close();
});

test("of many that start at once on a stale lock, never two get it", async () => {
  for (let round = 0; round < 20; round += 1) {
    await lockedBy("999-aa");
    const pids = Array.from({ length: 8 }, (_, index) => 1_000 + index);
    const living = Object.fromEntries(pids.map((pid) => [pid, SUPERVISOR]));
    const ends = await Promise.allSettled(pids.map((pid) => takeLock(machine(living, pid), dataDir)));
    const winners = ends.filter((end) => end.status === "fulfilled");
    expect(winners.length).toBeLessThanOrEqual(1);
    const claims = (await holders()).filter((pid) => pid !== "999");
    expect(claims).toHaveLength(winners.length);
    for (const { value } of winners) await value.close();
  }
});
