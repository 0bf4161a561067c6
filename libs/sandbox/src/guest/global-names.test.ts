import { isToolName } from "@bulkhead/tools/code";
import { expect, test } from "vitest";
import { GLOBAL_NAMES, NETWORK_NAMES } from "./global-names.ts";

test("the check of code knows every global that a tool has", () => {
  expect([...GLOBAL_NAMES, ...NETWORK_NAMES].filter((name) => !isToolName(name))).toEqual([]);
});
