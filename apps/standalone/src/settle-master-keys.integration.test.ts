import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, SettingsError } from "@bulkhead/process/settings";
import { leakCheck, openTestDatabase, queryRows, type TestDatabase } from "@bulkhead/testing";
import { replaceKeptMasterKey } from "@bulkhead/tenants/vault";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepKey, keptOldMasterKeys, MASTER_KEY } from "./keys.ts";
import { settleMasterKeys } from "./settle-master-keys.ts";

leakCheck();

const [OLD, NEW] = [1, 2].map(() => new Secret(randomBytes(32).toString("base64"))) as [Secret, Secret];

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-settle-keys-"));
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

/** The output while these master keys are settled. */
async function settle(isOwnDatabase: boolean, current: Secret, ...old: Secret[]): Promise<string> {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const { signal } = new AbortController();
  await settleMasterKeys({
    databaseUrl: database.url,
    isOwnDatabase,
    masterKeys: { current, old },
    say,
    signal,
  });
  return said.join("\n");
}

/** The output about master keys of a start with the keys of the data folder. */
async function settleKept(): Promise<string> {
  const current = await keepKey(dataDir, "master-key", undefined, MASTER_KEY);
  return settle(true, current, ...(await keptOldMasterKeys(dataDir, [])));
}

const masterKeys = async (): Promise<number> =>
  (await queryRows(database.url, "SELECT id FROM master_keys")).length;

test("a rotation is left to the operator where others may run on the database, and done where nobody can", async () => {
  expect(await settle(false, OLD)).toBe("");
  await expect(settle(true, NEW)).rejects.toThrow(SettingsError);
  expect(await settle(false, NEW, OLD)).toContain("npm run rotate-keys");
  expect(await masterKeys()).toBe(2);
  expect(await settle(true, NEW, OLD)).toContain("the new master key wraps everything");
  expect(await masterKeys()).toBe(1);
  await expect(settle(true, OLD)).rejects.toThrow(SettingsError);
});

test("the key of a data folder may be replaced twice before a start, and its replacement interrupted", async () => {
  expect(await settleKept()).toBe("");
  const first = await readFile(join(dataDir, "master-key"), "utf8");
  await replaceKeptMasterKey(dataDir);
  await replaceKeptMasterKey(dataDir);
  expect(await settleKept()).toContain("the new master key wraps everything");

  const [kept, third] = await Promise.all(
    ["master-key-old", "master-key"].map((name) => readFile(join(dataDir, name), "utf8")),
  );
  expect(kept).toContain(first);
  // As it stands when the replacement ends between its two steps.
  await writeFile(join(dataDir, "master-key-old"), `${kept}${third}`);
  expect(await settleKept()).toContain("the new master key wraps everything");
  await replaceKeptMasterKey(dataDir);
  expect(await settleKept()).toContain("the new master key wraps everything");
  expect(await readFile(join(dataDir, "master-key-old"), "utf8")).toBe(`${kept}${third}`);
  expect(await masterKeys()).toBe(1);
});
