import { APPROVAL_SETTINGS_DEFAULT, definitionMark, type Asker, type DefinedTool } from "@bulkhead/core";
import { sightBy } from "@bulkhead/policy";
import { beforeEach, expect, test } from "vitest";
import { needsConfirmation, type Policy } from "./confirmation.ts";
import { ToolDefinitions } from "./tool-definitions.ts";

const toolOf = (name: string, more: Partial<DefinedTool> = {}): DefinedTool => ({
  id: `tool_${name}`,
  revision: 1,
  name,
  alias: null,
  mcp: null,
  title: null,
  annotations: null,
  permissions: [],
  idempotent: false,
  description: "x",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  outputSchema: null,
  category: null,
  requiresApproval: false,
  approval: null,
  createdBy: "user",
  ...more,
});

const OF_PEOPLE = { policy: null, ofKeys: null };

let tools: DefinedTool[];
let omitted: number;
/** How often marks were read, and of how many tools definitions were. */
let reads: { marks: number; tools: number[] };
let trusted: boolean;
let definitions: ToolDefinitions;

beforeEach(() => {
  tools = [toolOf("first")];
  omitted = 0;
  reads = { marks: 0, tools: [] };
  trusted = true;
  definitions = new ToolDefinitions({
    builtIns: [],
    configServices: { outlinesOf: async () => [] },
    trusted: () => trusted,
    catalogue: {
      definitionMarks: async (_tenantId, agentId) => {
        reads.marks += 1;
        return seenBy(agentId).map(definitionMark).join(",");
      },
      definitions: async (_tenantId, agentId, _bytesMax, ids) => {
        const seen = seenBy(agentId);
        const chosen = ids ? seen.filter(({ id }) => ids.includes(id)) : seen;
        reads.tools.push(chosen.length);
        return { tools: chosen, bytes: chosen.length, omitted: ids ? 0 : omitted };
      },
      names: async (_tenantId, { agentId }) =>
        seenBy(agentId).map((tool) => ({ ...tool, status: "active" as const })),
    },
  });
});

/** The agent "maker" has one of its own. */
const seenBy = (agentId: string | null): DefinedTool[] =>
  agentId === "maker" ? [toolOf("own"), ...tools] : tools;
const listed = async (tenantId = "ten_a", format: "own" | "anthropic" = "own") =>
  JSON.parse((await definitions.get(tenantId, null, format, true, OF_PEOPLE, null)).json.toString());
const names = async (tenantId?: string) =>
  (await listed(tenantId)).map((tool: { name: string }) => tool.name);
const change = () => {
  tools = [toolOf("second"), ...tools];
};

test("are written once, whoever asks", async () => {
  expect(await Promise.all([names(), names(), names()])).toEqual([["first"], ["first"], ["first"]]);
  expect(await names()).toEqual(["first"]);
  expect(reads.tools).toEqual([1]);
});

test("are written anew after a word of a change, and only if there was one", async () => {
  await names();
  definitions.revoke("ten_a");
  await names();
  expect(reads).toEqual({ marks: 2, tools: [1] });
  change();
  expect(await names()).toEqual(["first"]);
  definitions.revoke("ten_b");
  expect(await names()).toEqual(["first"]);
  definitions.revoke("ten_a");
  expect(await names()).toEqual(["second", "first"]);
});

test("a change of one tool among many reads that one, and what comes out is as if all were read", async () => {
  tools = Array.from({ length: 30 }, (_, n) => toolOf(`t${n}`));
  await listed("ten_a", "anthropic");
  tools = tools.filter(({ name }) => name !== "t3");
  tools = tools.map((tool) => (tool.name === "t7" ? { ...tool, revision: 2, description: "anew" } : tool));
  tools = [toolOf("newest"), ...tools];
  definitions.revoke("ten_a");
  const reworded = await listed("ten_a", "anthropic");
  expect(reads.tools).toEqual([30, 2]);
  tools = tools.map((tool) => ({ ...tool }));
  expect(await listed("ten_b", "anthropic")).toEqual(reworded);
  expect(reworded.filter((tool: { strict?: true }) => tool.strict)).toHaveLength(20);
});

test("what only went is not looked for", async () => {
  change();
  await names();
  tools = [toolOf("first")];
  definitions.revoke("ten_a");
  expect(await names()).toEqual(["first"]);
  expect(reads.tools).toEqual([2]);
});

test("are read whole where many have changed, and where some were left out", async () => {
  await names();
  tools = Array.from({ length: 600 }, (_, n) => toolOf(`t${n}`));
  definitions.revoke("ten_a");
  expect(await names()).toHaveLength(600);
  expect(reads.tools).toEqual([1, 600]);
  omitted = 2;
  await names("ten_b");
  change();
  definitions.revoke("ten_b");
  expect(await names("ten_b")).toHaveLength(601);
  expect(reads.tools).toEqual([1, 600, 600, 601]);
});

test("are looked at again each time while words of a change may be missed", async () => {
  trusted = false;
  await names();
  change();
  expect(await names()).toEqual(["second", "first"]);
});

test("are written for an agent with tools of its own, and for all the others once", async () => {
  const get = async (agentId: string | null) => {
    const { json } = await definitions.get("ten_a", agentId, "own", true, OF_PEOPLE, null);
    return JSON.parse(json.toString()).map(({ name }: { name: string }) => name);
  };
  expect(await get("maker")).toEqual(["own", "first"]);
  for (const agentId of [null, "one", "two"]) expect(await get(agentId)).toEqual(["first"]);
  expect(await get("maker")).toEqual(["own", "first"]);
  expect(reads.tools).toEqual([2, 1]);
  change();
  definitions.revoke("ten_a");
  expect([await get("maker"), await get("one")]).toEqual([
    ["own", "second", "first"],
    ["second", "first"],
  ]);
});

test("of two tenants are two", async () => {
  await names("ten_a");
  tools = [toolOf("theirs")];
  expect([await names("ten_b"), await names("ten_a")]).toEqual([["theirs"], ["first"]]);
});

test("a change while they are written is not kept from the next one who asks", async () => {
  const written = definitions.get("ten_a", null, "own", true, OF_PEOPLE, null);
  change();
  definitions.revoke("ten_a");
  await written;
  expect(await names()).toEqual(["second", "first"]);
});

test("are told to agents by the settings of the moment, to people by the tools alone, and as often as those change", async () => {
  tools = [toolOf("first"), toolOf("second")];
  const told = async (policy: Policy, format: "own" | "openai" = "own") => {
    const { json } = await definitions.get("ten_a", null, format, true, { policy, ofKeys: policy }, null);
    return JSON.parse(json.toString()).map((tool: Record<string, unknown>) => tool["requiresConfirmation"]);
  };
  const asking = { ...APPROVAL_SETTINGS_DEFAULT, timeoutMs: 1_000 };
  expect(await told(null)).toEqual([false, false]);
  expect(await told(APPROVAL_SETTINGS_DEFAULT)).toEqual([true, true]);
  // Nothing is written anew for what makes no difference.
  expect([await told(asking), await told(null)]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(reads.tools).toEqual([2, 2]);
  expect(await told({ ...APPROVAL_SETTINGS_DEFAULT, tools: { second: "preApproved" } })).toEqual([
    true,
    false,
  ]);
  expect(reads).toEqual({ marks: 1, tools: [2, 2, 2] });
  await told(null, "openai");
  await told(asking, "openai");
  expect(reads.tools).toEqual([2, 2, 2, 2]);
});

test.each([
  [{ requiresApproval: false, approval: null, createdBy: "user" }, false],
  [{ requiresApproval: true, approval: null, createdBy: "user" }, true],
  [{ requiresApproval: true, approval: "preApproved", createdBy: "user" }, false],
  [{ requiresApproval: true, approval: "preApproved", createdBy: "llm" }, true],
  [{ requiresApproval: false, approval: "ask", createdBy: "user" }, true],
  [{ requiresApproval: false, approval: null, createdBy: "user", approvalCode: true }, true],
  [{ requiresApproval: false, approval: "preApproved", createdBy: "user", approvalCode: true }, false],
] as const)("of %o it is said that it needs confirmation: %s", (tool, expected) => {
  expect(needsConfirmation(null, toolOf("any", tool))).toBe(expected);
});

test.each(["own", "mcp", "openai", "anthropic", "ai-sdk"] as const)(
  "an alias stands in the place of the name, in the format %s",
  async (format) => {
    tools = [toolOf("get_issue", { alias: "getIssue" })];
    const { json } = await definitions.get("ten_a", null, format, true, OF_PEOPLE, null);
    expect(JSON.stringify(JSON.parse(json.toString()))).toContain('"name":"getIssue"');
    expect(json.toString()).not.toContain("get_issue");
  },
);

test("MCP is told what a tool says of itself, and what the rest of it tells", async () => {
  tools = [
    toolOf("plain"),
    toolOf("derived", { idempotent: true, permissions: ["network"], title: "Derived" }),
    toolOf("given", { idempotent: true, annotations: { readOnlyHint: true, idempotentHint: false } }),
  ];
  const { json } = await definitions.get("ten_a", null, "mcp", true, OF_PEOPLE, null);
  expect(JSON.parse(json.toString())).toMatchObject([
    { name: "plain", annotations: { idempotentHint: false, openWorldHint: false } },
    { name: "derived", title: "Derived", annotations: { idempotentHint: true, openWorldHint: true } },
    { name: "given", annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false } },
  ]);
});

test("leave out what is not there for who asks, and are put together once for all who see the same", async () => {
  tools = ["first", "second"].map((name) => toolOf(name));
  tools.push(toolOf("third", { mcp: { server: "files", tool: "third" } }));
  const policy = (version: number, deny: string[]) => ({
    version,
    document: { deny, byProvider: { small: { allow: ["first"] } } },
    mcpVersion: 0,
    mcp: {},
  });
  const get = (version: number, deny: string[], asker: Asker) =>
    definitions.get("ten_a", null, "own", true, OF_PEOPLE, sightBy(policy(version, deny), asker));
  const told = async (...asked: Parameters<typeof get>) =>
    JSON.parse((await get(...asked)).json.toString()).map(({ name }: { name: string }) => name);
  expect(await told(1, ["second"], {})).toEqual(["first", "third"]);
  expect((await get(1, ["second"], {})).count).toBe(2);
  expect(await told(1, ["second"], { provider: "small" })).toEqual(["first"]);
  expect(await told(2, ["*"], {})).toEqual([]);
  expect(await names()).toEqual(["first", "second", "third"]);
  expect(await told(3, ["group:mcp"], {})).toEqual(["first", "second"]);
  expect(await get(1, ["second"], { provider: "other" })).toBe(await get(1, ["second"], {}));
  tools = tools.slice(0, 2);
  definitions.revoke("ten_a");
  expect(await told(1, ["second"], {})).toEqual(["first"]);
  expect(reads.tools).toEqual([3]);
});

test("where all are too many, what is there for who asks is written without the others", async () => {
  tools = [toolOf("large"), toolOf("small")];
  omitted = 1;
  const sight = (version: number, deny: string[]) =>
    sightBy({ version, document: { deny }, mcpVersion: 0, mcp: {} }, {});
  const told = async (...asked: Parameters<typeof sight>) => {
    const {
      json,
      count,
      omitted: left,
    } = await definitions.get("ten_a", null, "own", true, OF_PEOPLE, sight(...asked));
    const named = JSON.parse(json.toString()).map(({ name }: { name: string }) => name);
    expect(named).toHaveLength(count);
    return { named, left };
  };
  expect(await told(1, ["large"])).toEqual({ named: ["small"], left: 0 });
  expect(await told(1, ["large"])).toEqual({ named: ["small"], left: 0 });
  expect(reads.tools).toEqual([2, 1]);
  expect(await told(2, ["*"])).toEqual({ named: [], left: 0 });
  tools = [toolOf("newest"), ...tools];
  definitions.revoke("ten_a");
  expect(await told(1, ["large"])).toEqual({ named: ["newest", "small"], left: 0 });
});
