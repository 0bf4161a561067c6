import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@bulkhead/process/settings";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepKey, keptOldMasterKeys, MASTER_KEY } from "./keys.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-keys-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("a key is made once, starts with bh_, and is kept for this user only", async () => {
  const made = await keepKey(dataDir, "demo-key", undefined);
  expect(made.reveal()).toMatch(/^bh_[\w-]{43}$/u);
  expect((await stat(join(dataDir, "demo-key"))).mode & 0o777).toBe(0o600);
  expect((await keepKey(dataDir, "demo-key", undefined)).reveal()).toBe(made.reveal());
  expect((await keepKey(dataDir, "admin-key", undefined)).reveal()).not.toBe(made.reveal());
});

test("a key of the settings is used as it is and never written down", async () => {
  const set = new Secret("x".repeat(32));
  expect(await keepKey(dataDir, "demo-key", set)).toBe(set);
  await expect(readFile(join(dataDir, "demo-key"))).rejects.toThrow(/ENOENT/u);
});

test("a file that holds no usable key is refused by name, not replaced", async () => {
  const file = join(dataDir, "demo-key");
  await writeFile(file, "short\n");
  await expect(keepKey(dataDir, "demo-key", undefined)).rejects.toThrow(`${file} holds no key`);
  expect(await readFile(file, "utf8")).toBe("short\n");
});

test("a master key has 32 bytes in base64 and is kept like the others", async () => {
  const made = await keepKey(dataDir, "master-key", undefined, MASTER_KEY);
  expect(Buffer.from(made.reveal(), "base64")).toHaveLength(32);
  expect((await stat(join(dataDir, "master-key"))).mode & 0o777).toBe(0o600);
  expect((await keepKey(dataDir, "master-key", undefined, MASTER_KEY)).reveal()).toBe(made.reveal());
  await writeFile(join(dataDir, "master-key"), `${"x".repeat(43)}\n`);
  await expect(keepKey(dataDir, "master-key", undefined, MASTER_KEY)).rejects.toThrow(/32 bytes in base64/u);
});

test("old master keys are those of the settings, then those of a file, one a line, the newest first", async () => {
  expect(await keptOldMasterKeys(dataDir, [])).toEqual([]);
  const [set, first, second] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  await writeFile(join(dataDir, "master-key-old"), `${first}\n\n  ${second}\n`);
  const keys = await keptOldMasterKeys(dataDir, [new Secret(set ?? "")]);
  expect(keys.map((key) => key.reveal())).toEqual([set, second, first]);
  await writeFile(join(dataDir, "master-key-old"), `${first}\nhunter2\n`);
  const refused = keptOldMasterKeys(dataDir, []);
  await expect(refused).rejects.toThrow(/master-key-old must hold master keys of 32 bytes in base64/u);
  await expect(refused).rejects.not.toThrow(/hunter2/u);
});
