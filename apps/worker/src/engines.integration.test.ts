import type { CapabilityFamily } from "@bulkhead/core";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workerEngines } from "./engines.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-engines-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function program(name: string, script: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

test("a worker tells what it has by what it was opened with and by its PATH, with versions, and what it lacks and why", async () => {
  await program("bwrap", "echo bubblewrap 0.11.0; echo more");
  await program("espeak-ng", "exit 3");
  const files = {} as CapabilityFamily;
  expect(await workerEngines({ files }, folder)).toEqual(
    expect.arrayContaining([
      { engine: "files", available: true, detail: "" },
      { engine: "bubblewrap", available: true, detail: "bubblewrap 0.11.0" },
      { engine: "espeak_ng", available: true, detail: join(folder, "espeak-ng") },
      {
        engine: "chromium",
        available: false,
        detail: "There is no chromium or chromium-browser on the worker's PATH.",
      },
    ]),
  );
});

test("a family that was not opened is not there, and an empty PATH is none", async () => {
  const found = await workerEngines({}, "");
  expect(found.every(({ available }) => !available)).toBe(true);
  expect(found.map(({ engine }) => engine)).toEqual(
    expect.arrayContaining(["files", "bubblewrap", "chromium"]),
  );
});
