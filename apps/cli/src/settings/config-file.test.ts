import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configPath, readConfig, writeConfig } from "./config-file.ts";

let home: string;
let path: string;
const warnings: string[] = [];
const read = () => readConfig(path, (sentence) => warnings.push(sentence));

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "bulkhead-config-"));
  path = configPath({ env: {}, home });
  warnings.length = 0;
});
afterEach(() => rm(home, { recursive: true }));

const PROFILES = { default: { url: "https://a.example", key: "bh_a" } };

test("it stands below .config of the home, or where XDG_CONFIG_HOME says", () => {
  expect(path).toBe(join(home, ".config", "bulkhead", "config.json"));
  expect(configPath({ env: { XDG_CONFIG_HOME: "/x" }, home })).toBe(join("/x", "bulkhead", "config.json"));
});

test("without a file there are no profiles", async () => {
  expect(await read()).toEqual({ profiles: {} });
});

test("what is written is read again, is its owner's alone, and leaves nothing beside it", async () => {
  for (const current of ["default", "other"]) await writeConfig(path, { current, profiles: PROFILES });
  expect(await read()).toEqual({ current: "other", profiles: PROFILES });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(path))).toEqual(["config.json"]);
  expect(warnings).toEqual([]);
});

test("a file that others may read is told of, and one that they may change is not used", async () => {
  await writeConfig(path, { profiles: PROFILES });
  await chmod(path, 0o644);
  expect(await read()).toEqual({ profiles: PROFILES });
  expect(warnings).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
  await chmod(path, 0o622);
  await expect(read()).rejects.toMatchObject({ parts: { exit: 2, next: `Run: chmod 600 ${path}` } });
});

test.each([
  ["no JSON", '{"profiles": {"a": {"key": "bh_secret'],
  ["no profiles", "[]"],
  ["a profile without a key", '{"profiles": {"a": {"url": "https://a.example"}}}'],
  ["a current profile that is no name", '{"current": 1, "profiles": {}}'],
])("a file that holds %s is refused without its content", async (_what, text) => {
  await writeConfig(path, { profiles: {} });
  await writeFile(path, text);
  await expect(read()).rejects.toMatchObject({ parts: { exit: 2, code: "cli.config_unusable" } });
  await expect(read()).rejects.not.toThrow("bh_secret");
});
