import type { ToolVersion } from "@bulkhead/core";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deleteTool, moveTool } from "./change-status.ts";
import { WAITING_CHANGES_MAX } from "./change-in-turn.ts";
import { OneTool, OWNER, sampleTool } from "./fixtures/one-tool.ts";
import { stateTag } from "./seen-state.ts";
import { updateTool } from "./update-tool.ts";
import { restoreVersion } from "../versions/restore-version.ts";

const WRITERS = 20;
const versionOf = (code: string): ToolVersion => ({
  ...sampleTool({ code }),
  toolId: sampleTool().id,
  state: "approved",
  reason: null,
});
/** A world that counts how often which schema is checked, and which text stripped. */
function counting(world = new OneTool()) {
  const asked: string[] = [];
  const checkSchema = (_tenantId: string, _schema: unknown, place: string) => {
    asked.push(place);
    return Promise.resolve({ faults: [], warnings: [] });
  };
  const strip = (_tenantId: string, code: string) => {
    asked.push(code);
    return Promise.resolve({ ok: true as const, code });
  };
  return { world, asked, deps: { ...world.deps, schemas: { checkSchema }, stripper: { strip } } };
}
const lost = (times: number) => Array.from({ length: times }, (_, n) => ({ category: `c${n}` }));

beforeEach(() => {
  // No pause between tries.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

describe("what a definition says by itself is judged once", () => {
  test("by a change that loses again and again", async () => {
    const { world, asked, deps } = counting();
    world.meanwhile = lost(7);
    const change = { code: "return 'tried'", language: "typescript", outputSchema: {} } as const;
    await updateTool(deps, OWNER, "sample", change);
    expect(world.tool).toMatchObject({ code: "return 'tried'", category: "c6" });
    expect(world.finds).toBe(8);
    expect(asked).toEqual(["return 'tried'", "parameters", "outputSchema"]);
  });

  test("by a restoration that does", async () => {
    const { world, asked, deps } = counting();
    world.versions = [versionOf("return 'old'")];
    world.meanwhile = lost(7);
    await restoreVersion(deps, OWNER, "sample", 1);
    expect(world.tool.code).toBe("return 'old'");
    expect(asked).toEqual(["parameters"]);
  });

  test("by each of many changes at the same moment, which all are made", async () => {
    const { world, asked, deps } = counting();
    const codes = Array.from({ length: WRITERS }, (_, n) => `return 'at once ${n}'`);
    const made = await Promise.all(codes.map((code) => updateTool(deps, OWNER, "sample", { code })));
    expect(made.map(({ tool }) => tool.code)).toEqual(codes);
    expect(world.tool.revision).toBe(1 + WRITERS);
    expect(asked).toHaveLength(WRITERS);
    // Each looked for the tool, and again once its turn had come: none was tried twice.
    expect(world.finds).toBe(2 * WRITERS - 1);
  });
});

test("code that another writer stored meanwhile is judged, with what the change leaves of it", async () => {
  const { world, deps } = counting();
  world.meanwhile = [{ code: "return process" }];
  const change = updateTool(deps, OWNER, "sample", { parameters: { type: "object", title: "T" } });
  await expect(change).rejects.toMatchObject({ code: "tool.code_invalid" });
  expect(world.changes).toEqual([]);
});

describe("a tool that takes the name between two tries is left alone", () => {
  const other = { id: "tool_fedcba9876543210" };
  const notFound = { code: "tool.not_found" };

  test.each([
    ["a change", (world: OneTool) => updateTool(world.deps, OWNER, "sample", { code: "return 3" })],
    ["a restoration", (world: OneTool) => restoreVersion(world.deps, OWNER, "sample", 1)],
    ["a deletion", (world: OneTool) => deleteTool(world.deps, OWNER, "sample")],
    ["a move", (world: OneTool) => moveTool(world.deps, OWNER, "sample", "disable")],
  ])("by %s", async (_, change) => {
    const world = new OneTool();
    world.versions = [versionOf("return 2")];
    world.meanwhile = [other];
    await expect(change(world)).rejects.toMatchObject(notFound);
    expect(world.tool).toEqual({ ...sampleTool(), ...other, revision: 2 });
    expect(world.isDeleted).toBe(false);
  });

  test("and one that got another name is changed all the same", async () => {
    const world = new OneTool();
    world.meanwhile = [{ name: "renamed" }];
    await updateTool(world.deps, OWNER, "sample", { category: "c" });
    expect(world.tool).toMatchObject({ name: "renamed", category: "c" });
  });
});

test("a change that fails stops none behind it, and those who named the state hear that it is gone", async () => {
  const world = new OneTool();
  const seen = [stateTag(world.tool)];
  const [bad, first, second] = await Promise.allSettled([
    updateTool(world.deps, OWNER, "sample", { code: "return (" }),
    updateTool(world.deps, OWNER, "sample", { code: "return 'first'" }, seen),
    updateTool(world.deps, OWNER, "sample", { code: "return 'second'" }, seen),
  ]);
  expect(bad).toMatchObject({ reason: { code: "tool.code_invalid" } });
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({ reason: { code: "tool.precondition_failed" } });
  expect(world.tool.code).toBe("return 'first'");
});

test("of however many who name one state one is made, and all others hear that it is gone", async () => {
  const world = new OneTool();
  const seen = [stateTag(world.tool)];
  const answers = await Promise.allSettled(
    Array.from({ length: WAITING_CHANGES_MAX + 9 }, (_, n) =>
      updateTool(world.deps, OWNER, "sample", { category: `n${n}` }, seen),
    ),
  );
  const told = answers.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(told).toEqual(Array.from({ length: WAITING_CHANGES_MAX + 8 }, () => "tool.precondition_failed"));
});

test("more changes than may wait are refused at once, and may be sent again", async () => {
  const world = new OneTool();
  const changes = Array.from({ length: WAITING_CHANGES_MAX + 3 }, (_, n) =>
    updateTool(world.deps, OWNER, "sample", { category: `n${n}` }),
  );
  const settled = await Promise.allSettled(changes);
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ code: "tool.changed", retryAfterSeconds: 1, retryable: true });
  expect(await updateTool(world.deps, OWNER, "sample", { category: "last" })).toBeDefined();
});
