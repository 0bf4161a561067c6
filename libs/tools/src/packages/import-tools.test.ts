import {
  APPROVAL_SETTINGS_DEFAULT,
  RUN_LIMITS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type FoundRecord,
  type NewTool,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { creations, requestOf } from "../registry/fixtures/creations.ts";
import { ManyTools } from "../registry/fixtures/many-tools.ts";
import { OWNER } from "../registry/fixtures/one-tool.ts";
import { putTool } from "../registry/put-tool.ts";
import type { ImportDeps } from "./import-outcome.ts";
import { importTools } from "./import-tools.ts";
import { folderOf } from "./write-folder.ts";

const AGENT: TenantPrincipal = {
  role: "agent",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};
const FOLDERS = {
  one: { "manifest.json": { name: "one", description: "is one" }, "tool.js": "return 1;" },
  two: { "manifest.json": { name: "two", description: "is two" }, "tool.js": "return 2;" },
};
const nothing = () => Promise.resolve();

/** A tenant in which the name `two` is given up by another tool, as often as that, just after it was judged. */
function worldWith(changes: number) {
  const stored: NewTool[] = [];
  let tries = 0;
  const recordNow = (): FoundRecord => ({
    capabilities: { permissions: [], hosts: [], services: [], tools: [], limits: RUN_LIMITS_DEFAULT },
    blocked: false,
    stamp: `after ${Math.min(tries, changes)}`,
  });
  const createAll = (tools: readonly NewTool[]) => {
    const judged = tools.find(({ name }) => name === "two");
    if (judged) tries += 1;
    if (judged && judged.judgedBy !== recordNow().stamp) return Promise.reject(new Fault("tool.changed"));
    stored.push(...tools);
    return Promise.resolve(tools);
  };
  const deps = {
    tools: {
      storeAll: async (tools: readonly NewTool[]) => ({ tools: await createAll(tools), deleted: [] }),
      create: async (tool: NewTool) => (await createAll([tool]))[0],
      find: () => Promise.resolve(null),
      findNameRecord: (_tenant: string, _agent: string | null, name: string) =>
        Promise.resolve(name === "two" ? recordNow() : null),
    },
    schemas: { checkSchema: () => Promise.resolve({ faults: [], warnings: [] }) },
    bus: { publish: nothing },
    tenantEvents: { publish: nothing },
    audit: { record: nothing },
    toolServices: {
      register: nothing,
      release: nothing,
      unconfigured: () => Promise.resolve([]),
      kinds: () => Promise.resolve([]),
    },
    rehearse: nothing,
    clock: () => new Date(0),
  } as unknown as ImportDeps;
  return { deps, stored, names: () => stored.map(({ name }) => name) };
}

describe("what was judged by a name's record that changed meanwhile", () => {
  test.each(["all", "each"] as const)("is judged anew and stored once, in mode %s", async (mode) => {
    const { deps, stored, names } = worldWith(4);
    const imported = await importTools(deps, AGENT, FOLDERS, mode);
    expect(imported.map((item) => "name" in item && item.name)).toEqual(["one", "two"]);
    expect(names()).toEqual(["one", "two"]);
    expect(stored[1]?.judgedBy).toBe("after 4");
  });

  test("is given up after so many times: of all nothing is stored, of each the others are", async () => {
    const all = worldWith(5);
    const refused = { code: "tool.changed" };
    await expect(importTools(all.deps, AGENT, FOLDERS, "all")).rejects.toMatchObject(refused);
    expect(all.names()).toEqual([]);
    const each = worldWith(5);
    expect(await importTools(each.deps, AGENT, FOLDERS, "each")).toMatchObject([
      { folder: "one", tool: { name: "one" } },
      { folder: "two", fault: refused },
    ]);
    expect(each.names()).toEqual(["one"]);
  });
});

test.each(["../a", "/etc/a", "a/../b", "a\\b", "c:a", "./a", "a//b", "a/", "..", "a\u0000"])(
  "a folder called %j is refused as in an archive, in both modes, and nothing is stored",
  async (folder) => {
    for (const mode of ["all", "each"] as const) {
      const { deps, names } = worldWith(0);
      const message = `holds the path ${JSON.stringify(folder)}, which is not allowed`;
      await expect(
        importTools(deps, AGENT, { ...FOLDERS, [folder]: FOLDERS.one }, mode),
      ).rejects.toMatchObject({ code: "archive.invalid", errors: [{ path: "", message }] });
      expect(names()).toEqual([]);
    }
  },
);

test.each([
  ["getIssue", {}, "get_issue", "getIssue"],
  ["API-post-search", {}, "api_post_search", "API-post-search"],
  ["a", { name: "listPages" }, "list_pages", "listPages"],
  ["a", { name: "listPages", alias: "pages" }, "list_pages", "pages"],
  ["Fetch Products", {}, "fetch_products", null],
  ["plain_name", {}, "plain_name", null],
  ["plain_name", { alias: "plain_name" }, "plain_name", null],
])("a folder %s with %j becomes the tool %s, which models see as %s", async (folder, said, name, alias) => {
  const { deps, stored } = worldWith(0);
  const files = { "manifest.json": { description: "d", ...said }, "tool.js": "return 1;" };
  await importTools(deps, AGENT, { [folder]: files }, "all");
  expect(stored).toMatchObject([{ name, alias }]);
});

test.each(["create_tool", "web_fetch", "search", "tool_0123456789abcdef", "__proto__", "a b", ""])(
  "the alias %j is refused with its place",
  async (alias) => {
    const { deps } = worldWith(0);
    const files = { "manifest.json": { description: "d", alias }, "tool.js": "return 1;" };
    await expect(importTools(deps, AGENT, { one: files }, "all")).rejects.toMatchObject({
      errors: [{ path: "one/manifest.json: alias" }],
    });
  },
);

test.each(["fail", "update", "skip"] as const)(
  "a store that is away is asked once, not for each folder, where existing tools mean %s",
  async (existing) => {
    const { deps } = worldWith(0);
    const away = new Fault("service.unavailable");
    let asked = 0;
    deps.tools.find = () => {
      asked += 1;
      return Promise.reject(away);
    };
    await expect(importTools(deps, AGENT, FOLDERS, "all", existing)).rejects.toBe(away);
    expect(asked).toBe(1);
  },
);

describe("where a tool of the name is there", () => {
  const folderOfCode = (code: string, said: object = {}) => ({
    "manifest.json": { description: "d", ...said },
    "tool.js": code,
  });
  const NOW = { same: folderOfCode("return 1;"), other: folderOfCode("return 1;") };
  const NEXT = {
    same: folderOfCode("return 1;"),
    other: folderOfCode("return 2;"),
    fresh: folderOfCode("return 3;"),
  };
  const MODES = ["all", "each"] as const;
  const filled = async () => {
    const world = new ManyTools();
    await importTools(world.deps, OWNER, NOW, "all");
    world.told.length = 0;
    return world;
  };
  const outcomesOf = (imported: Awaited<ReturnType<typeof importTools>>) =>
    imported.map((item) => ("fault" in item ? item.fault.code : item.outcome));

  test.each(MODES)("it is updated if it differs, in mode %s", async (mode) => {
    const world = await filled();
    const imported = await importTools(world.deps, OWNER, NEXT, mode, "update");
    expect(outcomesOf(imported)).toEqual(["unchanged", "updated", "created"]);
    expect(world.tools.map(({ name, code, version }) => [name, code, version])).toEqual([
      ["same", "return 1;", 1],
      ["other", "return 2;", 2],
      ["fresh", "return 3;", 1],
    ]);
    expect(world.told.filter((told) => told.startsWith("audit")).toSorted()).toEqual([
      "audit tool.created",
      "audit tool.updated",
    ]);
    world.told.length = 0;
    const again = await importTools(world.deps, OWNER, NEXT, mode, "update");
    expect([outcomesOf(again), world.told]).toEqual([["unchanged", "unchanged", "unchanged"], []]);
  });

  test.each(MODES)("it is left alone where that is asked for, in mode %s", async (mode) => {
    const world = await filled();
    const imported = await importTools(world.deps, OWNER, NEXT, mode, "skip");
    expect(outcomesOf(imported)).toEqual(["skipped", "skipped", "created"]);
    expect(world.byName("other")?.code).toBe("return 1;");
  });

  test("it is refused by default, and then nothing is stored in mode all", async () => {
    const world = await filled();
    await expect(importTools(world.deps, OWNER, NEXT, "all")).rejects.toMatchObject({
      code: "tool.name_taken",
      errors: [{ path: "same/manifest.json: name" }, { path: "other/manifest.json: name" }],
    });
    expect(world.tools).toHaveLength(2);
    expect(outcomesOf(await importTools(world.deps, OWNER, NEXT, "each"))).toEqual([
      "tool.name_taken",
      "tool.name_taken",
      "created",
    ]);
  });

  test("one fault keeps all as they were in mode all, and its folder alone in mode each", async () => {
    const bad = { ...NEXT, bad: folderOfCode("return ;;(") };
    const world = await filled();
    await expect(importTools(world.deps, OWNER, bad, "all", "update")).rejects.toMatchObject({
      code: "import.refused",
      errors: [{ path: "bad/tool.js" }],
    });
    expect([world.byName("other")?.code, world.tools.length]).toEqual(["return 1;", 2]);
    expect(outcomesOf(await importTools(world.deps, OWNER, bad, "each", "update"))).toEqual([
      "unchanged",
      "updated",
      "created",
      "tool.code_invalid",
    ]);
  });

  test("what others change, make or delete meanwhile is planned for anew, as a whole", async () => {
    const world = await filled();
    const rewritten = () => {
      world.tools = world.tools.map((tool) => ({ ...tool, title: "t", revision: tool.revision + 1 }));
    };
    const nothingYet = () => undefined;
    world.meanwhile = [nothingYet, nothingYet, rewritten];
    expect(outcomesOf(await importTools(world.deps, OWNER, NEXT, "all", "update"))).toEqual([
      "updated",
      "updated",
      "created",
    ]);
    expect(world.tools.map(({ title }) => title)).toEqual([null, null, null]);
  });

  test("by its alias, or has another's alias, it is refused with the field", async () => {
    for (const mode of MODES) {
      const world = new ManyTools();
      await importTools(world.deps, OWNER, { theirs: folderOfCode("return 1;", { alias: "mine" }) }, "all");
      const tools = {
        mine: folderOfCode("return 1;"),
        third: folderOfCode("return 1;", { alias: "theirs" }),
        getIssue: folderOfCode("return 1;"),
        fourth: folderOfCode("return 1;", { alias: "getIssue" }),
      };
      const paths = ["mine/manifest.json: name", "third/manifest.json: alias", "fourth/manifest.json: alias"];
      const asked = importTools(world.deps, OWNER, tools, mode, "update");
      if (mode === "all")
        await expect(asked).rejects.toMatchObject({ errors: paths.map((path) => ({ path })) });
      else
        expect((await asked).flatMap((item) => ("fault" in item ? item.fault.errors : []))).toMatchObject(
          paths.map((path) => ({ path })),
        );
    }
  });
});

test("what is exported and imported where nothing is makes the same tool", async () => {
  await fc.assert(
    fc.asyncProperty(creations, async (said) => {
      const from = new ManyTools();
      const { tool } = await putTool(from.deps, OWNER, requestOf(said), { exists: null, tags: null });
      const to = new ManyTools();
      const exported = { [tool.name]: folderOf(tool) };
      await importTools(to.deps, OWNER, JSON.parse(JSON.stringify(exported)), "all");
      const { id: _id, ...record } = tool;
      expect(to.tools).toMatchObject([record]);
      expect(to.tools[0]?.contentHash).toBe(tool.contentHash);
      expect(await importTools(to.deps, OWNER, exported, "all", "update")).toMatchObject([
        { outcome: "unchanged" },
      ]);
    }),
  );
});
