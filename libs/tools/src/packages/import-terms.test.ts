import { describe, expect, test } from "vitest";
import { ManyTools } from "../registry/fixtures/many-tools.ts";
import { OWNER } from "../registry/fixtures/one-tool.ts";
import { recordHashOf } from "../registry/record-hash.ts";
import type { ImportTerms } from "./import-outcome.ts";
import { importTools } from "./import-tools.ts";
import { sourceOf } from "./mark-source.ts";
import { folderOf } from "./write-folder.ts";

const folder = (code: string, said: object = {}) => ({
  "manifest.json": { description: "d", ...said },
  "tool.js": code,
});
const FIRST = { one: folder("return 1;"), two: folder("return 2;") };
const NEXT = { one: folder("return 11;"), two: folder("return 2;"), three: folder("return 3;") };

async function filled(terms: ImportTerms = {}) {
  const world = new ManyTools();
  await importTools(world.deps, OWNER, FIRST, "all", "fail", terms);
  world.told.length = 0;
  return world;
}

const hashIn = (world: ManyTools, name: string): string => recordHashOf(world.byName(name) as never);
const codesOf = (world: ManyTools) => Object.fromEntries(world.tools.map(({ name, code }) => [name, code]));
const BEFORE = { one: "return 1;", two: "return 2;" };

describe("what has to be there", () => {
  test("decides on each folder: a hash of the record, or null for none", async () => {
    const world = await filled();
    const ifMatch = { one: hashIn(world, "one"), two: hashIn(world, "two"), three: null };
    await importTools(world.deps, OWNER, NEXT, "all", "update", { ifMatch });
    expect(codesOf(world)).toEqual({ one: "return 11;", two: "return 2;", three: "return 3;" });
  });

  test.each([
    ["one was changed", { one: "0".repeat(64) }, "one"],
    ["one is there", { one: null }, "one"],
    ["one is not there", { three: "0".repeat(64) }, "three"],
  ])("refuses all where %s since", async (_what, ifMatch, at) => {
    const world = await filled();
    await expect(importTools(world.deps, OWNER, NEXT, "all", "update", { ifMatch })).rejects.toMatchObject({
      code: "tool.precondition_failed",
      errors: [{ path: `${at}/manifest.json` }],
    });
    expect([codesOf(world), world.told]).toEqual([BEFORE, []]);
    const each = await importTools(world.deps, OWNER, NEXT, "each", "update", { ifMatch });
    expect(each.filter((item) => "fault" in item)).toMatchObject([
      { folder: at, fault: { code: "tool.precondition_failed" } },
    ]);
  });

  test("holds against what others do just before it is stored", async () => {
    const world = await filled();
    const ifMatch = { one: hashIn(world, "one"), two: hashIn(world, "two") };
    world.meanwhile = [
      () => {
        const at = world.tools.findIndex(({ name }) => name === "one");
        const old = world.tools[at] as (typeof world.tools)[number];
        world.tools[at] = { ...old, description: "by somebody else", revision: old.revision + 1 };
      },
    ];
    await expect(importTools(world.deps, OWNER, NEXT, "all", "update", { ifMatch })).rejects.toMatchObject({
      code: "tool.precondition_failed",
    });
    expect(codesOf(world)).toEqual(BEFORE);
  });

  test.each<[string, ImportTerms, "all" | "each", "update" | "fail"]>([
    ["ifMatch.nobody", { ifMatch: { nobody: null } }, "all", "update"],
    ["ifMatch.one", { ifMatch: { one: null } }, "all", "fail"],
    ["remove", { remove: { tool_1: "x" } }, "each", "update"],
    ["source", { source: "here" }, "each", "update"],
  ])("is refused at %s where it would have no effect", async (path, terms, mode, existing) => {
    const { deps } = await filled();
    await expect(importTools(deps, OWNER, NEXT, mode, existing, terms)).rejects.toMatchObject({
      code: "request.invalid",
      errors: [{ path }],
    });
  });
});

describe("tools to delete", () => {
  test("go in the same step, before others take their names", async () => {
    const world = new ManyTools();
    await importTools(world.deps, OWNER, { old: folder("return 1;", { alias: "getIssue" }) }, "all");
    world.told.length = 0;
    const { id = "" } = world.byName("old") ?? {};
    const next = { fresh: folder("return 2;", { alias: "getIssue" }) };
    const done = await importTools(world.deps, OWNER, next, "all", "update", {
      remove: { [id]: hashIn(world, "old") },
    });
    expect(done).toMatchObject([
      { folder: "fresh", outcome: "created" },
      { folder: "old", outcome: "deleted", schedulesPaused: 0 },
    ]);
    expect(codesOf(world)).toEqual({ fresh: "return 2;" });
    expect(world.told).toContain("audit tool.deleted");
  });

  test.each([
    ["is another by now", (id: string) => ({ [id]: "0".repeat(64) }), "tool.precondition_failed"],
    ["is gone", () => ({ tool_0000000000000000: "x" }), "import.refused"],
  ])("one that %s keeps all as they were", async (_what, removeOf, code) => {
    const world = await filled();
    const remove = removeOf(world.byName("two")?.id ?? "");
    await expect(importTools(world.deps, OWNER, NEXT, "all", "update", { remove })).rejects.toMatchObject({
      code,
      errors: [{ path: `remove.${Object.keys(remove)[0]}` }],
    });
    expect([codesOf(world), world.told]).toEqual([BEFORE, []]);
  });
});

describe("a dry run", () => {
  test.each(["all", "each"] as const)(
    "stores nothing and says what would be done, in mode %s",
    async (mode) => {
      const world = await filled();
      const done = await importTools(world.deps, OWNER, NEXT, mode, "update", { dryRun: true });
      expect(done).toMatchObject([
        { name: "one", outcome: "updated", changed: ["code"] },
        { name: "two", outcome: "unchanged" },
        { name: "three", outcome: "created", tool: null },
      ]);
      expect([codesOf(world), world.told]).toEqual([BEFORE, []]);
    },
  );

  test("tells each folder's faults", async () => {
    const { deps } = await filled();
    const bad = { ...NEXT, three: folder("return ;;(") };
    const done = await importTools(deps, OWNER, bad, "each", "update", { dryRun: true });
    expect(done.at(-1)).toMatchObject({ fault: { errors: [{ path: "three/tool.js" }] } });
  });
});

describe("the source of an import", () => {
  const SOURCE = { source: "github.com/acme/tools" };
  const sourcesOf = (world: ManyTools) => world.tools.map(sourceOf);

  test("is the tools' until anybody else changes them, and no part of their folders", async () => {
    const world = await filled(SOURCE);
    expect(sourcesOf(world)).toEqual([SOURCE.source, SOURCE.source]);
    expect(JSON.stringify(world.tools.map(folderOf))).not.toContain("acme");
    const again = await importTools(world.deps, OWNER, FIRST, "all", "update", SOURCE);
    expect(again).toMatchObject([{ outcome: "unchanged" }, { outcome: "unchanged" }]);
    await importTools(world.deps, OWNER, NEXT, "all", "update");
    expect(sourcesOf(world)).toEqual([null, SOURCE.source, null]);
    await importTools(world.deps, OWNER, NEXT, "all", "update", SOURCE);
    expect(sourcesOf(world)).toEqual([SOURCE.source, SOURCE.source, SOURCE.source]);
  });

  test("changes neither the hash of the record nor the version", async () => {
    const [plain, marked] = [await filled(), await filled(SOURCE)];
    expect(hashIn(marked, "one")).toBe(hashIn(plain, "one"));
    await importTools(plain.deps, OWNER, FIRST, "all", "update", SOURCE);
    expect([hashIn(plain, "one"), plain.byName("one")?.version, sourcesOf(plain)]).toEqual([
      hashIn(marked, "one"),
      1,
      [SOURCE.source, SOURCE.source],
    ]);
  });
});
