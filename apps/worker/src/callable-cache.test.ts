import {
  nameTag,
  scopeOfAgent,
  type ListedTool,
  type Signal,
  type Tool,
  type ToolScope,
} from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openCallableCache } from "./callable-cache.ts";

leakCheck();

const MIB = 1024 * 1024;
const SCOPE = scopeOfAgent(null);
let close = (): Promise<void> => Promise.resolve();
// Nothing grows old within a test, however long the machine stops it.
beforeEach(() => void vi.spyOn(performance, "now").mockReturnValue(1));
afterEach(async () => {
  vi.restoreAllMocks();
  await close();
});

/** A cache over tools with descriptions and schemas of `chars`, which counts what it asks for. */
function cacheOf(chars: number) {
  const asked: string[] = [];
  let hear: (signal: Signal) => void = () => undefined;
  const tool = (name: string) =>
    ({
      id: `tool_${name}`,
      tenantId: "ten_a",
      agentId: null,
      name,
      description: "d",
      code: "return 'a secret of the code'",
      parameters: { title: "x".repeat(chars) },
      requiresApproval: false,
      approval: null,
      createdBy: "user",
    }) as unknown as Tool & ListedTool;
  const tools = {
    find: async (_: string, ref: string) => (asked.push(ref), tool(ref)),
    listActive: async (tenantId: string, { only }: ToolScope) => (
      asked.push(tenantId),
      [tool("new"), tool("one")].filter(({ id }) => (only ?? ["tool_one"]).includes(id)).slice(0, 1)
    ),
  };
  const catalogue = { names: async () => [tool("new"), tool("one")] };
  const subscribe = (listener: typeof hear) => ((hear = listener), () => undefined);
  const cache = openCallableCache({ tools, catalogue, bus: { connected: true, subscribe } });
  ({ close } = cache);
  return { cache, asked, hear: (signal: Signal) => hear(signal) };
}

test("tools and lists are asked for once, and no code is kept", async () => {
  const { cache, asked } = cacheOf(1);
  for (const _ of [1, 2]) {
    expect(JSON.stringify(await cache.findTool("ten_a", SCOPE, "one"))).not.toContain("secret");
    expect(await cache.listActiveTools("ten_a", null, null)).toEqual([
      {
        id: "tool_one",
        name: "one",
        requiresApproval: false,
        approval: null,
        createdBy: "user",
        json: '{"name":"one","description":"d","parameters":{"title":"x"}}',
      },
    ]);
  }
  expect(asked).toEqual(["one", "ten_a"]);
});

test("large ones are let go of long before there are many", async () => {
  const { cache, asked } = cacheOf(MIB);
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  for (const name of names)
    await Promise.all([cache.findTool("ten_a", SCOPE, name), cache.listActiveTools(name, null, null)]);
  await Promise.all([cache.findTool("ten_a", SCOPE, "n0"), cache.listActiveTools("n0", null, null)]);
  expect(asked.filter((name) => name === "n0")).toHaveLength(4);
  await Promise.all([cache.findTool("ten_a", SCOPE, "n19"), cache.listActiveTools("n19", null, null)]);
  expect(asked.filter((name) => name === "n19")).toHaveLength(2);
});

test("what one agent finds is kept from another, and forgotten when the agent gets a tool of its own by that name", async () => {
  const { cache, asked, hear } = cacheOf(1);
  const scopes = ["one", "two"].map(scopeOfAgent);
  const findAll = () => Promise.all(scopes.map((scope) => cache.findTool("ten_a", scope, "x")));
  await findAll();
  await findAll();
  expect(asked).toEqual(["x", "x"]);
  hear({ type: "forget", kind: "tool", id: nameTag("ten_a", "x") });
  await findAll();
  expect(asked).toHaveLength(4);
  await Promise.all(["one", "two"].map((agentId) => cache.listActiveTools("ten_a", agentId, null)));
  expect(asked).toHaveLength(6);
});

test("a list has the newest of what is there for who asks, and is kept for those who see the same", async () => {
  const { cache, asked } = cacheOf(1);
  const sightOn = (name: string, mark: string) => ({
    sees: (tool: { name: string }) => tool.name === name,
    named: () => false,
    mark,
  });
  const names = async (...asker: Parameters<typeof sightOn>) =>
    (await cache.listActiveTools("ten_a", null, sightOn(...asker))).map(({ name }) => name);
  expect([await names("one", "1"), await names("new", "2"), await names("none", "3")]).toEqual([
    ["one"],
    ["new"],
    [],
  ]);
  expect(await names("one", "1")).toEqual(["one"]);
  expect(asked).toHaveLength(3);
});

test("a tenant's lists are made anew when its tools have changed, and no other tenant's", async () => {
  const { cache, asked, hear } = cacheOf(1);
  const listAll = () =>
    Promise.all(
      ["ten_a", "ten_b"].flatMap((id) =>
        [null, "one"].map((agent) => cache.listActiveTools(id, agent, null)),
      ),
    );
  await listAll();
  hear({ type: "forget", kind: "tools", id: "ten_a" });
  await listAll();
  expect(asked).toEqual(["ten_a", "ten_a", "ten_b", "ten_b", "ten_a", "ten_a"]);
});
