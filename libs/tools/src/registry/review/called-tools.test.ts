import type { ToolDefinition } from "@bulkhead/core";
import { expect, test } from "vitest";
import { inspectedCode } from "../inspected-code.ts";
import { capabilitiesIn } from "./capabilities.ts";

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
  // The source differs from the code that runs.
  expect(capabilitiesIn(definition(b, c)).tools).toEqual(["c"]);
  expect(inspectedCode(b)).toBe(inspectedCode(b));
  expect(inspectedCode(c)).not.toBe(inspectedCode(b));
});

test("what one caller does to the names stays with it", () => {
  const code = "return utils.callTool('d')";
  capabilitiesIn(definition(code)).tools?.push("more");
  expect(capabilitiesIn(definition(code)).tools).toEqual(["d"]);
});
