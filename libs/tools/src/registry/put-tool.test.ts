import { newToolId, type TenantPrincipal } from "@bulkhead/core";
import * as fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { CreateToolRequest } from "./create-tool.ts";
import { creations, requestOf } from "./fixtures/creations.ts";
import { ManyTools } from "./fixtures/many-tools.ts";
import { OWNER } from "./fixtures/one-tool.ts";
import { putTool, type PutCondition } from "./put-tool.ts";
import { stateTag } from "./seen-state.ts";

const ANYHOW: PutCondition = { exists: null, tags: null };
const FAILED = { code: "tool.precondition_failed" };

let world: ManyTools;
const put = (
  fields: Partial<CreateToolRequest> = {},
  condition: Partial<PutCondition> = {},
  principal: TenantPrincipal = OWNER,
) => putTool(world.deps, principal, requestOf(fields), { ...ANYHOW, ...condition });

beforeEach(() => {
  world = new ManyTools();
  // No pause between tries.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

describe("a tool that is put", () => {
  test("is created, changed where it differs, and left alone where nothing does", async () => {
    expect(await put()).toMatchObject({ outcome: "created", tool: { version: 1 } });
    expect(world.told).toContain("audit tool.created");
    world.told.length = 0;
    expect(await put()).toMatchObject({ outcome: "unchanged", tool: { version: 1, revision: 1 } });
    expect(world.told).toEqual([]);
    expect(await put({ title: "Sample" })).toMatchObject({
      outcome: "updated",
      tool: { version: 1, revision: 2 },
    });
    expect(world.told).toEqual(["forget tool", "audit tool.updated", "forget tools", "tool.updated"]);
    expect(await put({ code: "return 2" })).toMatchObject({
      outcome: "updated",
      tool: { version: 2, title: null },
    });
  });

  test("does not differ by the order of what has none", async () => {
    const on = ["tool.threw", "sandbox.crashed"] as const;
    const retry = { attempts: 2, backoffMs: 1 };
    await put({
      permissions: ["network", "email"],
      metadata: { a: 1, b: 2 },
      retry: { ...retry, on: [...on] },
    });
    const again = await put({
      permissions: ["email", "network", "email"],
      metadata: { b: 2, a: 1 },
      retry: { ...retry, on: on.toReversed() },
      alias: "sample",
    });
    expect(again.outcome).toBe("unchanged");
  });

  test("is whatever the last one said, and the same again is no change, whatever was there before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(creations, { minLength: 1, maxLength: 4 }), async (said) => {
        world = new ManyTools();
        for (const one of said) await put(one);
        const [now] = world.tools;
        const alone = await putTool(new ManyTools().deps, OWNER, requestOf(said.at(-1)), ANYHOW);
        const { id: _id, version: _version, revision: _revision, ...record } = alone.tool;
        expect(now).toMatchObject(record);
        expect((await put(said.at(-1))).outcome).toBe("unchanged");
        expect(world.tools).toEqual([now]);
      }),
    );
  });

  test("is its owner's own: an agent's is not the tenant's", async () => {
    await put();
    expect(await put({ agentId: "one" })).toMatchObject({ outcome: "created", tool: { agentId: "one" } });
    expect(await put({ agentId: "one", title: "t" })).toMatchObject({ outcome: "updated" });
    expect(world.tools.map(({ agentId, title }) => [agentId, title])).toEqual([
      [null, null],
      ["one", "t"],
    ]);
  });

  test("takes no name that is another's alias, and no alias that is another's name", async () => {
    world.add({ id: newToolId(), name: "other", alias: "sample" });
    await expect(put()).rejects.toMatchObject({ code: "tool.name_taken" });
    await put({ name: "mine" });
    await expect(put({ name: "mine", alias: "other" })).rejects.toMatchObject({ code: "tool.name_taken" });
    await expect(put({ name: "stats" })).rejects.toMatchObject({ errors: [{ path: "name" }] });
    await expect(put({ alias: "web_fetch" })).rejects.toMatchObject({ errors: [{ path: "alias" }] });
  });

  test("keeps its maker: what a model made takes no person's place", async () => {
    await put();
    const byModel = { createdBy: "llm", title: "t" } as const;
    await expect(put(byModel)).rejects.toMatchObject({ code: "tool.made_by_user" });
    await put({ ...byModel, name: "models" });
    expect(await put({ name: "models", title: "u" })).toMatchObject({
      tool: { createdBy: "llm", requiresApproval: true, title: "u" },
    });
  });
});

test("a block of a model's tool stays where nothing is said of it, as for a new one of its name", async () => {
  const models = { createdBy: "llm" } as const;
  await put({ ...models, approval: "blocked" });
  expect(await put(models)).toMatchObject({ outcome: "unchanged", tool: { approval: "blocked" } });
  expect(await put({ ...models, approval: "ask" })).toMatchObject({ tool: { approval: "ask" } });
  expect(await put(models)).toMatchObject({ outcome: "updated", tool: { approval: null } });
});

describe("a condition", () => {
  test.each([
    ["absent", { exists: true }],
    ["absent", { exists: true, tags: ["x"] }],
    ["there", { exists: false }],
    ["there", { exists: true, tags: ["x", "tool_0123456789abcdef.2", "tool_0123456789abcdef.22.x"] }],
  ] as const)("fails where the tool is %s, for %j", async (state, condition) => {
    if (state === "there") await put();
    await expect(put({ title: "t" }, condition)).rejects.toMatchObject(FAILED);
    expect(world.tools.map(({ title }) => title)).toEqual(state === "there" ? [null] : []);
  });

  test("holds for the tool's ETag, and for the hash of what runs", async () => {
    const { tool } = await put();
    expect(await put({ title: "t" }, { exists: true, tags: [`${stateTag(tool)}.shown`] })).toMatchObject({
      outcome: "updated",
    });
    await expect(put({ title: "u" }, { exists: true, tags: [stateTag(tool)] })).rejects.toMatchObject(FAILED);
    const hashed = { exists: true, tags: ["none", tool.contentHash] };
    expect(await put({ code: "return 2" }, hashed)).toMatchObject({ outcome: "updated" });
    await expect(put({ code: "return 3" }, hashed)).rejects.toMatchObject(FAILED);
  });
});

describe("beside others", () => {
  test("many at the same moment make one tool, which is one of theirs", async () => {
    const codes = Array.from({ length: 20 }, (_, n) => `return ${n}`);
    const all = await Promise.all(codes.map((code) => put({ code })));
    expect(all.filter(({ outcome }) => outcome === "created")).toHaveLength(1);
    expect(world.tools).toHaveLength(1);
    expect(world.tools[0]?.version).toBe(codes.length);
  });

  test("who asks for no tool hears that there is one", async () => {
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => put({}, { exists: false })));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all) if (one.status === "rejected") expect(one.reason).toMatchObject(FAILED);
  });

  test("a tool that goes meanwhile is created, one that is renamed is let be, and one that comes is changed", async () => {
    await put();
    world.meanwhile = [() => (world.tools = [])];
    expect(await put({ title: "again" })).toMatchObject({ outcome: "created" });
    world.meanwhile = [() => (world.tools = world.tools.map((tool) => ({ ...tool, name: "renamed" })))];
    expect(await put({ title: "new" })).toMatchObject({ outcome: "created" });
    expect(world.byName("renamed")?.title).toBe("again");
    world.meanwhile = [() => world.add({ id: newToolId(), name: "comes" })];
    expect(await put({ name: "comes", title: "t" })).toMatchObject({
      outcome: "updated",
      tool: { title: "t" },
    });
  });
});
