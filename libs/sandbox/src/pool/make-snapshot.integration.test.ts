import { leakCheck } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { makeSnapshot } from "./make-snapshot.ts";
import { sandboxProgram } from "./program.ts";

leakCheck();
const ground = { ...sandboxProgram(), nodeSnapshot: true };

test("what its maker writes is the snapshot, whole", async () => {
  const maker = 'for (const part of [guest, guest]) require("node:fs").writeSync(3, part)';
  const guest = "g".repeat(100_000);
  expect((await makeSnapshot(ground, maker, guest)).equals(Buffer.from(guest + guest))).toBe(true);
});

test.each([
  ["throws", "throw new Error('no guest today')", "no guest today"],
  ["writes nothing", "", "exit code 0"],
  ["is killed", "process.kill(process.pid, 'SIGKILL')", "exit code null"],
])("a maker that %s makes no snapshot, and says why", async (_, maker, why) => {
  await expect(makeSnapshot(ground, maker, "guest")).rejects.toThrow(why);
});
