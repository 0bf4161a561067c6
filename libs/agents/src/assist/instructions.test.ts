import { toolGlobals } from "@bulkhead/contracts/tool-globals";
import { expect, test } from "vitest";
import { INSTRUCTIONS } from "./instructions.ts";

test("a model is told of no function that tools don't have", () => {
  const globals = toolGlobals();
  const named = [...INSTRUCTIONS.matchAll(/\b(?:utils|api)\.(\w+)\(/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !new RegExp(`^  ${name}[<(]`, "m").test(globals))).toEqual([]);
});
