import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMasterKey } from "@bulkhead/process/settings";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeMasterKey, readOldMasterKeys, replaceKeptMasterKey, writeKeyFile } from "./master-key-files.ts";

const FIRST = makeMasterKey();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-master-key-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);
const current = async (): Promise<string> => (await readFile(file("master-key"), "utf8")).trim();
const old = async (): Promise<string[]> => (await readOldMasterKeys(folder)).map((key) => key.reveal());

test("each replacement keeps every key before it, the newest first, for this user only", async () => {
  await writeKeyFile(file("master-key"), FIRST);
  expect(await replaceKeptMasterKey(folder)).toBe(true);
  const second = await current();
  expect(await replaceKeptMasterKey(folder)).toBe(true);
  expect(await old()).toEqual([second, FIRST]);
  expect(new Set([await current(), second, FIRST]).size).toBe(3);
  for (const name of ["master-key", "master-key-old"])
    expect((await stat(file(name))).mode & 0o777).toBe(0o600);
});

test("a replacement interrupted before the new key stands goes on with nothing lost or doubled", async () => {
  await writeKeyFile(file("master-key"), FIRST);
  await writeFile(file("master-key-old"), `${FIRST}\n`);
  await writeFile(file("master-key.new-0123456789ab"), "half of a k");
  expect(await replaceKeptMasterKey(folder)).toBe(true);
  expect(await old()).toEqual([FIRST]);
  expect(await current()).not.toBe(FIRST);
});

test("the key stays where it is when its copy can't be written", async () => {
  await writeKeyFile(file("master-key"), FIRST);
  await writeFile(file("master-key-old"), `${makeMasterKey()}\nhunter2\n`);
  const refused = replaceKeptMasterKey(folder);
  await expect(refused).rejects.toThrow(/master-key-old must hold master keys of 32 bytes in base64/u);
  await expect(refused).rejects.not.toThrow(/hunter2/u);
  expect(await current()).toBe(FIRST);
});

test("a key is appended on a line of its own, whatever hand edited the file before", async () => {
  const [oldest, older] = [makeMasterKey(), makeMasterKey()];
  await writeKeyFile(file("master-key"), FIRST);
  await writeFile(file("master-key-old"), `${oldest}\n\n  ${older}`);
  await replaceKeptMasterKey(folder);
  expect(await old()).toEqual([FIRST, older, oldest]);
});

test("of many replacements at once none loses the key that was in use", async () => {
  await writeKeyFile(file("master-key"), FIRST);
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => replaceKeptMasterKey(folder)));
  expect(ends.some((end) => end.status === "fulfilled")).toBe(true);
  expect(await old()).toContain(FIRST);
  expect(isMasterKey(await current())).toBe(true);
  expect(await current()).not.toBe(FIRST);
});

test("where there is no key none is made, and what is no key is not replaced", async () => {
  expect(await replaceKeptMasterKey(folder)).toBe(false);
  expect(await replaceKeptMasterKey(file("missing"))).toBe(false);
  await writeFile(file("master-key"), "hunter2\n");
  await expect(replaceKeptMasterKey(folder)).rejects.toThrow(/master-key holds no key of 32 bytes/u);
  expect(await current()).toBe("hunter2");
  await expect(stat(file("master-key-old"))).rejects.toThrow(/ENOENT/u);
});
