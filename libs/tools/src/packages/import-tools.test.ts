import {
  APPROVAL_SETTINGS_DEFAULT,
  RUN_LIMITS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type FoundRecord,
  type NewTool,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { importTools, type ImportDeps } from "./import-tools.ts";

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
      createAll,
      find: () => Promise.resolve(null),
      findNameRecord: (_tenant: string, _agent: string | null, name: string) =>
        Promise.resolve(name === "two" ? recordNow() : null),
    },
    schemas: { checkSchema: () => Promise.resolve({ faults: [], warnings: [] }) },
    bus: { publish: nothing },
    tenantEvents: { publish: nothing },
    audit: { record: nothing },
    toolServices: { register: nothing, release: nothing, unconfigured: () => Promise.resolve([]) },
    rehearse: nothing,
    clock: () => new Date(0),
  } as unknown as ImportDeps;
  return { deps, stored, names: () => stored.map(({ name }) => name) };
}

describe("what was judged by a name's record that changed meanwhile", () => {
  test.each(["all", "each"] as const)("is judged anew and stored once, in mode %s", async (mode) => {
    const { deps, stored, names } = worldWith(4);
    const imported = await importTools(deps, AGENT, FOLDERS, mode);
    expect(imported.map((item) => "tool" in item && item.tool.name)).toEqual(["one", "two"]);
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
