import { newAgentTenant } from "../support/agents.ts";
import { everyNth, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let other: Client;

const VENDOR_TOKEN = `ghp_${"a1B2".repeat(9)}`;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

beforeAll(async () => {
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
  // Where a person is asked about the tenant's own tools.
  await settings({ approval: { default: "ask" } });
});

const call = (client: Client, tool: string, args: object, context: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, context });
const run = async (tool: string, args: object, context: object = {}) =>
  (await call(agent, tool, args, context)).body.data;
const settings = (changed: object) => owner.patch("/api/v1/tenant/settings", changed);

test("[G7] an agent works in its workspace with all of them, each an execution with a bill", async () => {
  product.showLogsIfTestFails();
  const written = await run("write_file", { path: "src/a.ts", content: "const a = 1;\nconst b = 2;\n" });
  expect(written.result).toMatchObject({ path: "src/a.ts", size: 26, created: true, changed: true });
  expect(written.metadata.usage).toMatchObject({ capabilityCalls: 1, networkRequests: 0 });
  expect((await run("read_file", { path: "src/a.ts", startLine: 2 })).result).toMatchObject({
    text: "const b = 2;\n",
    startLine: 2,
    endLine: 2,
    totalLines: 2,
    truncated: false,
    etag: written.result.etag,
  });
  const edits = [
    { oldText: "a = 1", newText: "a = 10" },
    { oldText: "b = 2", newText: "b = 20" },
  ];
  const edited = await run("edit_file", { path: "src/a.ts", edits });
  expect(edited.result.diff).toContain("+const a = 10;\n+const b = 20;");
  expect((await run("list_files", {})).result).toEqual({
    entries: [{ kind: "folder", path: "src", files: 1 }],
    nextCursor: null,
  });
  expect((await run("list_files", { recursive: true })).result.entries).toMatchObject([{ path: "src/a.ts" }]);
  expect((await run("search", { pattern: "b = \\d+" })).result).toMatchObject({
    matches: [{ path: "src/a.ts", line: 2, text: "const b = 20;" }],
    filesSearched: 1,
  });
  expect((await run("glob", { pattern: "**/*.ts" })).result.files).toMatchObject([{ path: "src/a.ts" }]);
  expect((await run("move_file", { from: "src", to: "lib" })).result).toEqual({
    moved: [{ from: "src/a.ts", to: "lib/a.ts" }],
    count: 1,
  });
  expect((await run("file_exists", { path: "src/a.ts" })).result).toEqual({ exists: false, kind: null });
  expect((await run("file_info", { path: "lib/a.ts" })).result).toMatchObject({ kind: "file", version: 2 });
  expect((await run("delete_file", { path: "lib", recursive: true })).result).toMatchObject({ removed: 1 });
  const { executions } = (await owner.get("/api/v1/executions?limit=100")).body.data;
  expect(executions.find(({ id }: { id: string }) => id === written.executionId)).toMatchObject({
    toolName: "write_file",
    toolId: null,
    status: "succeeded",
  });
});

test("an image is shown as an image, and other bytes as a resource", async () => {
  const put = (path: string, base64: string) =>
    fetch(`${product.url}/api/v1/files/${path}?agentId=one`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/octet-stream" },
      body: Buffer.from(base64, "base64"),
    });
  expect([(await put("pixel.png", PIXEL)).status, (await put("a%20b.bin", "AP8A")).status]).toEqual([
    201, 201,
  ]);
  expect((await run("read_file", { path: "pixel.png" })).result.content).toMatchObject([
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "json", json: { path: "pixel.png" } },
  ]);
  expect((await run("read_file", { path: "a b.bin" })).result.content).toMatchObject([
    { type: "resource", resource: { uri: "file:///a%20b.bin", blob: "AP8A" } },
    { type: "json" },
  ]);
  expect((await run("read_file", { path: "a b.bin", startLine: 1 })).error.message).toMatch(/has no lines/);
});

test.each([
  ["read_file", {}, /required/],
  ["read_file", { path: 1 }, /path/],
  ["read_file", { path: "a", line: 1 }, /additional|unknown|not allowed/i],
  ["read_file", { path: "a", startLine: 0 }, /startLine/],
  ["write_file", { path: "a" }, /required/],
  ["write_file", { path: "a", content: 1 }, /content/],
  ["write_file", { path: "a".repeat(1_025), content: "" }, /path/],
  ["edit_file", { path: "a", edits: [] }, /edits/],
  ["edit_file", { path: "a", edits: [{ oldText: "", newText: "" }] }, /oldText/],
  ["edit_file", { path: "a", edits: [{ oldText: "a" }] }, /newText|required/],
  ["list_files", { limit: 1_001 }, /limit/],
  ["list_files", { path: "" }, /path/],
  ["list_files", { recursive: "yes" }, /recursive/],
  ["search", {}, /required/],
  ["search", { pattern: "" }, /pattern/],
  ["search", { pattern: "a".repeat(513) }, /pattern/],
  ["glob", {}, /required/],
  ["glob", { pattern: "" }, /pattern/],
  ["glob", { pattern: ["*"] }, /pattern/],
  ["delete_file", {}, /required/],
  ["delete_file", { path: "" }, /path/],
  ["delete_file", { path: "a", recursive: 1 }, /recursive/],
  ["move_file", { from: "a" }, /required/],
  ["move_file", { from: "a", to: 1 }, /to/],
  ["move_file", { from: "a", to: "b", overwrite: true }, /additional|unknown|not allowed/i],
  ["file_exists", {}, /required/],
  ["file_info", { path: "" }, /path/],
])("%s refuses what its schema does not allow: %#", async (tool, args, message) => {
  const { status, body } = await call(agent, tool, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message);
});

const FAILING: [tool: string, args: object, message: RegExp][] = [
  ["read_file", { path: "none.md" }, /^There is no file none\.md[^(]*$/],
  ["read_file", { path: "../etc/passwd" }, /path/],
  ["read_file", { path: "/etc/passwd" }, /path/],
  ["list_files", { path: "/etc" }, /path must be relative/],
  ["write_file", { path: "a/../../b", content: "x" }, /path/],
  ["write_file", { path: "nul\u0000.md", content: "x" }, /path/],
  ["write_file", { path: "con", content: "x" }, /path/],
  ["edit_file", { path: "none.md", edits: [{ oldText: "a", newText: "b" }] }, /no file/],
  ["search", { pattern: "(a" }, /pattern/],
  ["search", { pattern: "(a)\\1" }, /pattern/],
  ["delete_file", { path: "none" }, /no file/],
  ["move_file", { from: "none", to: "b" }, /no file/],
  ["file_info", { path: "none" }, /no file/],
];

test.each(everyNth(FAILING, 2))(
  "%s of %j fails in words that a model can use",
  async (tool, args, message) => {
    const { status, error } = await run(tool, args);
    expect([status, error.code]).toEqual(["failed", "tool.threw"]);
    expect(error.refusal).toMatch(/^(invalid_request|not_found)$/);
    expect(error.message).toMatch(message);
  },
);

test("what is secret is stored covered, and the answer says so", async () => {
  const content = `token: ${VENDOR_TOKEN}\n`;
  expect((await run("write_file", { path: "s.md", content })).result).toMatchObject({ covered: true });
  const stored = await owner.get("/api/v1/files/s.md?agentId=one");
  expect(stored.body).toBe("token: [REDACTED]\n");
});

test("two users of an agent, two agents and two tenants have their own", async () => {
  const ann = { userId: "ann" };
  await run("write_file", { path: "who.md", content: "ann" }, ann);
  await run("write_file", { path: "who.md", content: "agent" });
  expect((await run("read_file", { path: "who.md" }, ann)).result.text).toBe("ann");
  expect((await run("read_file", { path: "who.md" })).result.text).toBe("agent");
  expect((await run("file_exists", { path: "who.md" }, { userId: "bob" })).result.exists).toBe(false);
  expect((await call(other, "file_exists", { path: "who.md" })).body.data.result.exists).toBe(false);
  expect((await call(other, "list_files", {}, ann)).body.data.result.entries).toEqual([]);
  const { one: stranger } = await newAgentTenant(product);
  expect((await call(stranger, "list_files", {}, ann)).body.data.result.entries).toEqual([]);
});

test("the policy takes them away as a group, and approval rules look at their arguments", async () => {
  await settings({
    approval: {
      tools: { delete_file: "blocked", edit_file: "ask" },
      rules: [{ tool: "write_file", argument: "/path", pattern: "secret/*", decision: "blocked" }],
    },
  });
  const codeOf = async (tool: string, args: object) => (await call(agent, tool, args)).body.code;
  expect(await codeOf("write_file", { path: "secret/a", content: "x" })).toBe("tool.blocked");
  expect(await codeOf("write_file", { path: "open/a", content: "x" })).toBeUndefined();
  expect(await codeOf("delete_file", { path: "open/a" })).toBe("tool.blocked");
  const edits = [{ oldText: "x", newText: "y" }];
  expect((await call(agent, "edit_file", { path: "open/a", edits })).status).toBe(202);
  await settings({ approval: { tools: {}, rules: [] } });
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  const shown = async () =>
    (await agent.get("/api/v1/built-in-tools")).body.data.tools.map(({ name }: { name: string }) => name);
  expect((await put({ deny: ["group:fs"] })).status).toBe(200);
  expect(await codeOf("read_file", { path: "open/a" })).toBe("tool.not_found");
  expect(await shown()).not.toContain("read_file");
  expect(await shown()).toContain("web_fetch");
  expect((await put({ allow: ["read_file"] })).status).toBe(200);
  expect(await codeOf("read_file", { path: "open/a" })).toBeUndefined();
  expect(await codeOf("write_file", { path: "open/a", content: "" })).toBe("tool.not_found");
  expect(await shown()).toEqual(["read_file"]);
  const definitions = async () =>
    (await agent.get("/api/v1/custom-tools/active/definitions")).body.data.tools.map(
      ({ name }: { name: string }) => name,
    );
  expect(await definitions()).toEqual(["read_file"]);
  const mcp = await agent.get("/api/v1/custom-tools/active/definitions?format=mcp");
  expect(mcp.body.data.tools).toMatchObject([{ name: "read_file", annotations: { readOnlyHint: true } }]);
  const search = async (query: string) =>
    (await agent.post("/api/v1/meta-tools/search_tools", { query })).body.data.tools;
  expect(await search("read a file")).toMatchObject([{ name: "read_file" }]);
  const described = await agent.post("/api/v1/meta-tools/describe_tools", { names: ["read_file", "glob"] });
  expect(described.body.data).toMatchObject({ tools: [{ name: "read_file" }], notFound: ["glob"] });
  await put({});
  expect([await definitions(), await search("read a file")]).toEqual([[], []]);
});

test("[G17] the list of built-in tools tells what each needs, and that its engine is there", async () => {
  const { tools } = (await owner.get("/api/v1/built-in-tools")).body.data;
  expect(tools.filter(({ group }: { group: string }) => group === "fs")).toHaveLength(10);
  expect(tools.find(({ name }: { name: string }) => name === "edit_file")).toMatchObject({
    group: "fs",
    permission: "filesystem",
    letBy: "policy",
    annotations: { readOnlyHint: false, destructiveHint: true },
    parameters: { required: ["path", "edits"] },
    engine: { available: true, missing: null },
  });
  const { features } = (await owner.get("/api/v1/me")).body.data;
  expect(features.files).toBe(true);
});
