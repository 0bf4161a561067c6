import type { PolicyDocument } from "@bulkhead/client";
import { expect, test } from "vitest";
import { askersOf } from "./askers.ts";

test("who asks is told by keys and by the policy, each once", () => {
  const policy: PolicyDocument = {
    agents: { beta: { deny: ["x"], byProvider: { openai: { allow: ["y"] } } }, alpha: {} },
    byProvider: { anthropic: { allow: ["z"] } },
  };
  expect(askersOf(policy, ["gamma", "alpha"])).toEqual({
    agents: ["alpha", "beta", "gamma"],
    providers: ["anthropic", "openai"],
  });
  expect(askersOf({}, [])).toEqual({ agents: [], providers: [] });
});
