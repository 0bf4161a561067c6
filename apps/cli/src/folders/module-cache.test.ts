import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { KEPT_DISK_BYTES_MAX } from "./bounds.ts";
import { type KeptModule, openModuleCache } from "./module-cache.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "kept-")));
afterAll(() => rmSync(base, { recursive: true }));

const at = (path: string): string => join(base, path);
const cacheFolder = at("cache");
const KEY = { id: "calc/tools.ts", given: "as it is" };
const MADE: KeptModule = {
  tools: [
    {
      record: { name: "a", code: "return 1;" },
      from: { file: "calc/tools.ts", export: "a" },
      packages: [],
      places: { map: "{}", headLines: 0 },
    },
  ],
  faults: [{ code: "schema.unchecked", file: "calc/tools.ts", message: "is lost" }],
  files: [at("calc/tools.ts")],
};
const ON = {
  files: [at("calc/tools.ts"), at("calc/package.json")],
  folders: [at("calc"), at("linked")],
  times: [at("node_modules")],
};

/** Old enough to have been whole when it was read. */
function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  utimesSync(at(path), 1, 1);
}

beforeEach(() => {
  for (const name of readdirSync(base)) rmSync(at(name), { recursive: true });
  write("calc/tools.ts", "export const a = 1;");
  write("other/tools.ts", "");
  symlinkSync("other/tools.ts", at("hop"));
  symlinkSync("../hop", at("calc/hopped.ts"));
  mkdirSync(at("node_modules"));
  utimesSync(at("node_modules"), 1, 1);
  symlinkSync("calc", at("linked"));
  utimesSync(at("calc"), 1, 1);
});

const find = async (key = KEY, folder: string | undefined = cacheFolder) =>
  (await openModuleCache(folder)).open().find(key);
const keep = async () => (await openModuleCache(cacheFolder)).open().keep(KEY, ON, MADE, Date.now());

test("what was made is found by the next run, and by no other question", async () => {
  expect(await find()).toBeNull();
  await keep();
  expect(await find()).toMatchObject({ made: MADE, dependsOn: ON });
  expect(await find({ ...KEY, given: "another" })).toBeNull();
  expect(await find({ ...KEY, id: "other/tools.ts" })).toBeNull();
});

test.each<[string, () => void]>([
  ["a file says something else", () => write("calc/tools.ts", "export const a = 2;")],
  ["a file is gone", () => rmSync(at("calc/tools.ts"))],
  ["a file is a link now", () => (rmSync(at("calc/tools.ts")), symlinkSync("x", at("calc/tools.ts")))],
  ["a file is there that was not", () => write("calc/package.json", "{}")],
  ["a folder has another name in it", () => write("calc/shared.ts", "")],
  ["a link leads elsewhere", () => (rmSync(at("linked")), symlinkSync("other", at("linked")))],
  [
    "a link further along leads elsewhere",
    () => {
      rmSync(at("hop"));
      symlinkSync("calc/tools.ts", at("hop"));
    },
  ],
  ["packages came or went", () => utimesSync(at("node_modules"), 2, 2)],
])("nothing is found when %s", async (_what, change) => {
  await keep();
  change();
  expect(await find()).toBeNull();
});

test.each(["calc/tools.ts", "calc", "node_modules"])(
  "where %s changed meanwhile nothing is kept",
  async (path) => {
    utimesSync(at(path), new Date(), new Date());
    const look = (await openModuleCache(cacheFolder)).open();
    await look.keep(KEY, ON, MADE, Date.now() - 1_000);
    expect(await find()).toBeNull();
  },
);

test("what was made of a file is not kept for what the file was before", async () => {
  await keep();
  const look = (await openModuleCache(cacheFolder)).open();
  expect(await look.find(KEY)).toMatchObject({ made: MADE, dependsOn: ON });
  const another = { ...KEY, id: "calc/again.ts" };
  write("calc/tools.ts", "export const a = 2;");
  await look.keep(another, ON, MADE, Date.now());
  expect(await find(another)).toMatchObject({ made: MADE, dependsOn: ON });
  write("calc/tools.ts", "export const a = 1;");
  expect(await find(another)).toBeNull();
});

test("what was found is remembered, and its file not read again", async () => {
  await keep();
  const cache = await openModuleCache(cacheFolder);
  expect(await cache.open().find(KEY)).toMatchObject({ made: MADE, dependsOn: ON });
  rmSync(cacheFolder, { recursive: true });
  expect(await cache.open().find(KEY)).toMatchObject({ made: MADE, dependsOn: ON });
});

test("memory keeps it where there is no folder", async () => {
  const cache = await openModuleCache(undefined);
  await cache.open().keep(KEY, ON, MADE, Date.now());
  expect(await cache.open().find(KEY)).toMatchObject({ made: MADE, dependsOn: ON });
  write("calc/tools.ts", "export const a = 2;");
  expect(await cache.open().find(KEY)).toBeNull();
});

test.each<[string, (text: string) => string]>([
  ["torn", (text) => text.slice(0, -20)],
  ["written over", (text) => text.replace("return 1;", "return 2;")],
  ["empty", () => ""],
  ["of another shape", () => `${"0".repeat(64)}\n{}`],
])("a file that is %s is passed over", async (_what, spoil) => {
  await keep();
  const [name = ""] = readdirSync(cacheFolder);
  const file = join(cacheFolder, name);
  writeFileSync(file, spoil(readFileSync(file, "utf8")));
  expect(await find()).toBeNull();
});

test("the bounds of all that is kept are looked after once in a run", async () => {
  const tooMuch = join(cacheFolder, `${"0".repeat(64)}.json`);
  const cache = await openModuleCache(cacheFolder);
  const keepAgain = async (id: string): Promise<boolean> => {
    writeFileSync(tooMuch, "");
    truncateSync(tooMuch, KEPT_DISK_BYTES_MAX);
    utimesSync(tooMuch, 1, 1);
    const look = cache.open();
    await look.keep({ ...KEY, id }, ON, MADE, Date.now());
    expect(await look.close()).toBeNull();
    return existsSync(tooMuch);
  };
  expect([await keepAgain("calc/a.ts"), await keepAgain("calc/b.ts")]).toEqual([false, true]);
  expect(readdirSync(cacheFolder)).toHaveLength(3);
});

test.each<[string, () => void]>([
  ["others may write", () => (mkdirSync(cacheFolder), chmodSync(cacheFolder, 0o777))],
  ["is a link", () => symlinkSync("other", cacheFolder)],
  ["is a file", () => writeFileSync(cacheFolder, "")],
])("a folder that %s is not used", async (_what, make) => {
  make();
  await expect(openModuleCache(cacheFolder)).rejects.toMatchObject({ code: "cache.unusable" });
});
