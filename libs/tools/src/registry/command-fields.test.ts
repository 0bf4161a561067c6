import { Fault } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { requestOf } from "./fixtures/creations.ts";
import { OneTool, OWNER, sampleTool } from "./fixtures/one-tool.ts";
import { putTool } from "./put-tool.ts";
import { updateTool } from "./update-tool.ts";
import type { UpdateToolRequest } from "./next-definition.ts";

const SHELL = { template: "echo {{.a}}", workingDirectory: "x", env: { KEY: null, OLD: null } };
const PARAMETERS = { type: "object", properties: { a: {} } };
const shellTool = () =>
  new OneTool(
    sampleTool({
      code: "",
      parameters: PARAMETERS,
      permissions: ["shell"],
      shell: SHELL,
      limits: { ...sampleTool().limits, wallMs: 20_000 },
    }),
  );
/** The last version that was stored. */
const storedIn = ({ changes }: OneTool) => changes.at(-1)?.definition;
const change = async (world: OneTool, request: UpdateToolRequest) =>
  updateTool(world.deps, OWNER, "sample", request);
const pathsOf = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: unknown) => (error as Fault).errors.map(({ path }) => path),
  );

describe("a change of a tool with a command", () => {
  test("keeps what it says nothing of", async () => {
    const world = shellTool();
    const { tool } = await change(world, { command: "printf {{.a}}", timeoutSeconds: 30 });
    expect(tool).toMatchObject({
      shell: { ...SHELL, template: "printf {{.a}}" },
      limits: { wallMs: 30_000 },
      permissions: ["shell"],
    });
  });

  test("seals each value once, keeps it where it is said again, and removes what is not named", async () => {
    const world = shellTool();
    const first = await change(world, { env: { KEY: "a long secret", OLD: "b" } });
    const sealed = first.tool.shell?.env["KEY"];
    expect(sealed).toMatch(/a long secret$/);
    expect(first.warnings).toEqual([expect.stringContaining("env.OLD is too short")]);
    await change(world, { env: { KEY: "a long secret", OLD: null } });
    expect(storedIn(world)).toBeUndefined();
    const second = await change(world, { env: { KEY: null, NEW: null } });
    expect(second.tool.shell?.env).toEqual({ KEY: sealed, NEW: null });
    expect(second.warnings).toEqual([expect.stringContaining("env.NEW has no value")]);
  });

  test("to code leaves nothing of the command", async () => {
    const world = shellTool();
    await change(world, { code: "return 2", permissions: [] });
    const { code, permissions, ...rest } = storedIn(world) ?? sampleTool();
    expect([code, permissions]).toEqual(["return 2", []]);
    expect(rest).not.toHaveProperty("shell");
  });

  test.each<[UpdateToolRequest, string[]]>([
    [{ command: "echo {{.b}}" }, ["command"]],
    [{ parameters: { type: "object" } }, ["command"]],
    [{ code: "return 1", command: "echo" }, ["code"]],
    [{ code: "return 1", env: {} }, ["env"]],
    [{ permissions: ["shell", "network"] }, ["permissions"]],
    [{ allowedHosts: ["a.example"] }, ["allowedHosts"]],
    [{ requiredConfigServices: [{ name: "crm" }] }, ["requiredConfigServices"]],
    [{ timeoutSeconds: 5, limits: { wallMs: 4_000 } }, ["timeoutSeconds"]],
    [{ language: "typescript" }, ["language"]],
  ])("to %j is refused", async (request, paths) => {
    expect(await pathsOf(change(shellTool(), request))).toEqual(paths);
  });
});

describe("a put", () => {
  const put = (world: OneTool, fields: object) =>
    putTool(
      world.deps,
      OWNER,
      requestOf({ name: "sample", description: "A sample.", parameters: PARAMETERS, ...fields }),
      { exists: null, tags: null },
    );
  const COMMAND = { code: "", command: "echo {{.a}}", workingDirectory: "x", timeoutSeconds: 20 };

  test("of the same changes nothing, and leaves variables that it does not name", async () => {
    const world = shellTool();
    expect((await put(world, COMMAND)).outcome).toBe("unchanged");
    const { outcome, changed } = await put(world, { ...COMMAND, timeoutSeconds: undefined });
    expect([outcome, changed, world.tool.limits.wallMs]).toEqual(["updated", ["limits"], 60_000]);
    expect(world.tool.shell).toEqual(SHELL);
  });

  test("makes a command of code, with the time that it says, and code of a command", async () => {
    const limits = { ...sampleTool().limits, wallMs: 20_000 };
    const world = new OneTool(sampleTool({ permissions: ["network"], limits }));
    await put(world, COMMAND);
    const shell = { template: "echo {{.a}}", workingDirectory: "x", env: {} };
    expect(storedIn(world)).toMatchObject({ code: "", shell, permissions: ["shell"], limits });
    await put(world, { code: "return 1" });
    expect(storedIn(world)).toMatchObject({ code: "return 1", permissions: [] });
    expect(storedIn(world)).not.toHaveProperty("shell");
  });
});

test("a change of code knows no command", async () => {
  expect(await pathsOf(change(new OneTool(), { timeoutSeconds: 5, workingDirectory: "x" }))).toEqual([
    "workingDirectory",
    "timeoutSeconds",
  ]);
});
