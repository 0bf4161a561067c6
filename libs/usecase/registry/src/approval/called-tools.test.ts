import type * as ToolCode from "@bulkhead/tool-code";
import type { ToolDefinition } from "@bulkhead/domain";
import { expect, test, vi } from "vitest";
import { capabilitiesIn } from "./capabilities.ts";

const parsed = vi.hoisted(() => [] as string[]);
vi.mock("@bulkhead/tool-code", async (original) => {
  const real = await original<typeof ToolCode>();
  const inspectCode = (code: string) => {
    parsed.push(code);
    return real.inspectCode(code);
  };
  return { ...real, inspectCode };
});

const definition = (code: string, compiled: string | null = null) =>
  ({
    code,
    compiled,
    permissions: [],
    services: [],
    allowedHosts: null,
    limits: {},
  }) as unknown as ToolDefinition;

test("a code is parsed once however often its capabilities are asked for, and another text anew", () => {
  const [b, c] = ["return utils.callTool('b')", "return utils.callTool('c')"];
  for (let n = 0; n < 3; n += 1) expect(capabilitiesIn(definition(b)).tools).toEqual(["b"]);
  expect(capabilitiesIn(definition(c)).tools).toEqual(["c"]);
  // What was written is not what runs.
  expect(capabilitiesIn(definition(b, c)).tools).toEqual(["c"]);
  expect(parsed).toEqual([b, c]);
});

test("what one caller does to the names stays with it", () => {
  const code = "return utils.callTool('d')";
  capabilitiesIn(definition(code)).tools?.push("more");
  expect(capabilitiesIn(definition(code)).tools).toEqual(["d"]);
});
