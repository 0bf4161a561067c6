import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryGroup } from "./memory-group.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-group-"));
});
afterEach(() => rm(folder, { recursive: true }));

const events = (oom: number, kills: number): string =>
  `low 0\nhigh 0\nmax 3\noom ${oom}\noom_kill ${kills}\noom_group_kill 0\n`;
const ofFirst = (kills: number, usedMib: number): Record<string, string> => ({
  "memory.oom_control": `oom_kill_disable 0\nunder_oom 0\noom_kill ${kills}\n`,
  "memory.max_usage_in_bytes": `${usedMib * 2 ** 20}\n`,
  "memory.limit_in_bytes": `${64 * 2 ** 20}\n`,
});

test.each<[string, 1 | 2, Record<string, string>, boolean]>([
  ["its own limit was met and a process ended", 2, { "memory.events": events(1, 1) }, true],
  ["a group above ran out of memory", 2, { "memory.events": events(0, 1) }, false],
  ["nothing was ended", 2, { "memory.events": events(0, 0) }, false],
  ["its own limit was met and a process ended", 1, ofFirst(1, 64), true],
  ["a group above ran out of memory", 1, ofFirst(1, 20), false],
  ["it met its limit and was given room", 1, ofFirst(0, 64), false],
  ["it is gone", 1, {}, false],
])("where %s (version %i), the limit counts as crossed or not", async (_, version, files, crossed) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  expect(new MemoryGroup(folder, version).wasCrossed()).toBe(crossed);
});
