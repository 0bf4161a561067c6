import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { rotateInFolder } from "./rotate-in-folder.ts";

const KEY = Buffer.alloc(32, 1).toString("base64");

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-rotate-keys-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

test("the key of a data folder is replaced and kept, and no key is printed", async () => {
  await writeFile(join(dataDir, "master-key"), `${KEY}\n`);
  const said = await rotateInFolder(dataDir);
  const now = (await readFile(join(dataDir, "master-key"), "utf8")).trim();
  expect(await readFile(join(dataDir, "master-key-old"), "utf8")).toBe(`${KEY}\n`);
  expect(said).toMatch(/master-key-old.*npm start/u);
  for (const key of [KEY, now]) expect(said).not.toContain(key);
});

test("without a database and without a key it is said what to set, and nothing is made", async () => {
  await expect(rotateInFolder(dataDir)).rejects.toThrow(/DATABASE_URL: is not set, .* no master key/u);
  expect(await readdir(dataDir)).toEqual([]);
});

test("it is the folder's key only where nothing speaks of a database or of other keys", () => {
  expect(readConfig({})).toEqual({ where: "folder", DATA_DIR: ".data" });
  expect(readConfig({ DATA_DIR: "/d" })).toEqual({ where: "folder", DATA_DIR: "/d" });
  expect(() => readConfig({ DATABASE_URL: "postgres://h/d" })).toThrow(
    /^ {2}BULKHEAD_MASTER_KEY: is not set; it must be/mu,
  );
  const named = { DATABASE_URL: "postgres://h/d", BULKHEAD_MASTER_KEY: KEY };
  expect(readConfig(named)).toMatchObject({ where: "database" });
  for (const name of ["BULKHEAD_MASTER_KEY", "BULKHEAD_MASTER_KEY_OLD"])
    expect(() => readConfig({ [name]: KEY })).toThrow(/^ {2}DATABASE_URL: must say which database/mu);
});
