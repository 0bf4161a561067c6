import { CALL_START as WRITTEN } from "@bulkhead/tools/code";
import { expect, test } from "vitest";
import { CALL_START } from "./tool-code.ts";

test("what the registry puts before a whole function is what is counted away here", () => {
  expect(CALL_START).toBe(WRITTEN);
});
