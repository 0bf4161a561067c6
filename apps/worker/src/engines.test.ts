import { CAPABILITY_PERMISSIONS, type CapabilityFamily } from "@bulkhead/core";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workerEngines } from "./engines.ts";

const NO_SPEAKER = { missing: "there is no espeak-ng on the worker's PATH" };
const NO_CHROMIUM = { missing: "none of chromium is on the PATH" };

test("a worker tells of each family whether it was opened with it, and why one is not there", async () => {
  const found = await workerEngines({ files: {} as CapabilityFamily }, NO_CHROMIUM, NO_SPEAKER);
  expect(found).toContainEqual({ engine: "files", available: true, detail: "" });
  expect(found).toContainEqual({
    engine: "shell",
    available: false,
    detail: "This worker was started without it.",
  });
  const reached = { browser: {} as CapabilityFamily };
  const browser = (await workerEngines(reached, NO_CHROMIUM, NO_SPEAKER)).find(
    ({ engine }) => engine === "browser",
  );
  expect(browser).toMatchObject({ available: false });
  expect(found.map(({ engine }) => engine)).toEqual([
    ...Object.keys(CAPABILITY_PERMISSIONS),
    "chromium",
    "resvg",
    "espeak_ng",
  ]);
});

test("it tells the version of a program that is there, and of another where it was looked for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-engines-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const speakerBy = async (script: string | null) => {
    const file = join(folder, "espeak-ng");
    if (script !== null) await writeFile(file, script).then(() => chmod(file, 0o755));
    const chromium = { file: "/usr/bin/chromium", version: "Chromium 153.0" };
    const [browser, , speaker] = (
      await workerEngines({}, chromium, script === null ? NO_SPEAKER : { file })
    ).slice(-3);
    expect(browser).toEqual({ engine: "chromium", available: true, detail: "Chromium 153.0" });
    return speaker;
  };
  expect(await speakerBy(null)).toEqual({
    engine: "espeak_ng",
    available: false,
    detail: "espeak-ng can't be used: there is no espeak-ng on the worker's PATH.",
  });
  expect(await speakerBy("#!/bin/sh\necho 'eSpeak NG: 1.51'\necho more\n")).toMatchObject({
    available: true,
    detail: "eSpeak NG: 1.51",
  });
  expect(await speakerBy("#!/bin/sh\nexit 1\n")).toMatchObject({
    available: true,
    detail: join(folder, "espeak-ng"),
  });
});
