import type { ListedTool, Tool } from "@bulkhead/domain";
import { leakCheck } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import { openCallableCache } from "./callable-cache.ts";

leakCheck();

const MIB = 1024 * 1024;
let close = (): Promise<void> => Promise.resolve();
afterEach(() => close());

/** A cache over tools with descriptions and schemas of `chars`, which counts what it asks for. */
function cacheOf(chars: number) {
  const asked: string[] = [];
  const tool = (name: string) =>
    ({
      id: `tool_${name}`,
      name,
      description: "d",
      code: "return 'a secret of the code'",
      parameters: { title: "x".repeat(chars) },
      requiresApproval: false,
    }) as unknown as Tool & ListedTool;
  const tools = {
    find: async (_: string, ref: string) => (asked.push(ref), tool(ref)),
    listActive: async (tenantId: string) => (asked.push(tenantId), [tool("one")]),
  };
  const cache = openCallableCache({ tools, bus: { connected: true, subscribe: () => () => undefined } });
  ({ close } = cache);
  return { cache, asked };
}

test("tools and lists are asked for once, and no code is kept", async () => {
  const { cache, asked } = cacheOf(1);
  for (const _ of [1, 2]) {
    expect(JSON.stringify(await cache.findTool("ten_a", "one"))).not.toContain("secret");
    expect(await cache.listActiveTools("ten_a")).toEqual([
      {
        id: "tool_one",
        name: "one",
        requiresApproval: false,
        json: '{"name":"one","description":"d","parameters":{"title":"x"}}',
      },
    ]);
  }
  expect(asked).toEqual(["one", "ten_a"]);
});

test("large ones are let go of long before there are many", async () => {
  const { cache, asked } = cacheOf(MIB);
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  for (const name of names) await Promise.all([cache.findTool("ten_a", name), cache.listActiveTools(name)]);
  await Promise.all([cache.findTool("ten_a", "n0"), cache.listActiveTools("n0")]);
  expect(asked.filter((name) => name === "n0")).toHaveLength(4);
  await Promise.all([cache.findTool("ten_a", "n19"), cache.listActiveTools("n19")]);
  expect(asked.filter((name) => name === "n19")).toHaveLength(2);
});
