import { newAgentTenant } from "../support/agents.ts";
import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { type Client, createTool } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;

const FILES = { permissions: ["filesystem"] };

beforeAll(async () => {
  ({ owner, one: agent } = await newAgentTenant(product));
});

const run = async (name: string, args: object = {}, context: object = {}, client = owner) =>
  (await client.post(`/api/v1/custom-tools/${name}/execute`, { arguments: args, context })).body.data;

test("[G9] a tool with the permission has the caller's workspace, with a bill; another has nothing", async () => {
  product.showLogsIfTestFails();
  await createTool(
    owner,
    "notes",
    `const { etag } = await utils.fs.write("notes/a.md", "one\\ntwo\\n", { ifNoneMatch: "*" });
    await utils.fs.append("notes/a.md", new TextEncoder().encode("three\\n"));
    const stale = await utils.fs.write("notes/a.md", "x", { ifMatch: etag }).catch(({ name, code }) => [name, code]);
    const { diff } = await utils.fs.edit("notes/a.md", [{ oldText: "two", newText: "2" }]);
    const [all, last] = await Promise.all([
      utils.fs.read("notes/a.md"), utils.fs.read("notes/a.md", { startLine: 3 })]);
    await utils.fs.write("b.bin", new Uint8Array([0, 255, 1]));
    const bytes = [...await utils.fs.read("b.bin", { encoding: "bytes", from: 1 })];
    const { entries } = await utils.fs.list("", { recursive: true });
    const { matches } = await utils.fs.search("^th");
    const { files } = await utils.fs.glob("**/*.md");
    const { kind } = await utils.fs.stat("notes");
    await utils.fs.move("b.bin", "c.bin");
    const { removed } = await utils.fs.remove("notes", { recursive: true });
    const { exists } = await utils.fs.exists("notes");
    const gone = await utils.fs.read("notes/a.md").catch(({ code, message }) => ({ code, message }));
    return { stale, diff: diff.includes("+2"), all, last, bytes, entries: entries.map(({ path }) => path),
      matches: matches.map(({ line }) => line), files: files.length, kind, removed, exists, gone };`,
    FILES,
  );
  const { result, metadata, error } = await run("notes");
  expect(error).toBeUndefined();
  expect(result).toEqual({
    stale: ["Error", "conflict"],
    diff: true,
    all: "one\n2\nthree\n",
    last: "three\n",
    bytes: [255, 1],
    entries: ["b.bin", "notes/a.md"],
    matches: [3],
    files: 1,
    kind: "folder",
    removed: 1,
    exists: false,
    gone: { code: "not_found", message: expect.stringContaining("notes/a.md") },
  });
  expect(metadata.usage.capabilityCalls).toBe(16);
  await createTool(
    owner,
    "bare",
    "return [typeof utils.fs, await utils.callTool('read_file', { path: 'c.bin' })];",
  );
  expect((await run("bare")).error.message).toContain("has no filesystem permission");
  await createTool(owner, "typed", "return typeof utils.fs;");
  const typed = await run("typed");
  expect([typed.result, typed.metadata.usage.capabilityCalls]).toEqual(["undefined", undefined]);
});

test("a workspace is the caller's, through nested calls too, whatever the tool says of itself", async () => {
  const write = "await utils.fs.write('who.md', args.who, { userId: 'ann', agentId: 'x', tenantId: 'y' })";
  await createTool(owner, "forges", `return ${write}.catch(({ code, message }) => code + message);`, FILES);
  expect((await run("forges", { who: "x" })).result).toMatch(/^invalid_request/);
  await createTool(
    owner,
    "inner",
    "await utils.fs.write('who.md', args.who); return utils.fs.read('who.md');",
    FILES,
  );
  await createTool(owner, "outer", "return utils.callTool('inner', args);");
  await owner.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } });
  for (const [client, userId] of [
    [owner, "ann"],
    [owner, "bob"],
    [agent, "ann"],
  ] as const)
    expect((await run("outer", { who: `${userId}-${client === agent}` }, { userId }, client)).status).toBe(
      "succeeded",
    );
  const reads = (userId: string, client: Client) =>
    run("read_file", { path: "who.md" }, { userId }, client).then(({ result }) => result.text);
  expect(await reads("ann", owner)).toBe("ann-false");
  expect(await reads("bob", owner)).toBe("bob-false");
  expect(await reads("ann", agent)).toBe("ann-true");
  expect((await run("file_exists", { path: "who.md" })).result.exists).toBe(false);
});

test("what a run writes has its secrets covered", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  await createTool(owner, "leaks", "return utils.fs.write('t.md', 'x ' + args.token);", FILES);
  expect((await run("leaks", { token })).result).toMatchObject({ covered: true });
  expect((await owner.get("/api/v1/files/t.md")).body).toBe("x [REDACTED]");
});

test("a model's tool with the permission waits, and its dry run tells which files it asked for", async () => {
  const made = await owner.post("/api/v1/meta-tools/create_tool", {
    name: "tidies",
    description: "Tidies",
    parameters: { type: "object", properties: {} },
    code: "await utils.fs.move('a.md', 'b.md').catch(() => null); return utils.fs.write('c.md', 'x');",
    permissions: ["filesystem"],
  });
  expect(made.body.data.tool?.status ?? made.body.data.status).toMatch(/pending/);
  const dry = await owner.post("/api/v1/custom-tools/tidies/versions/1/evidence", { arguments: {} });
  expect(dry.status).toBe(202);
  await expect
    .poll(async () =>
      JSON.stringify((await owner.get("/api/v1/custom-tools/tidies/versions/1/evidence")).body),
    )
    .toContain("files.write c.md");
  expect((await owner.get("/api/v1/files/c.md")).status).toBe(404);
});
