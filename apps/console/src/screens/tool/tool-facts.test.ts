import type { Tool } from "@bulkhead/client";
import { expect, test } from "vitest";
import { hostsOf, limitFacts, limitWords, providersOf, rateFacts, retentionFacts } from "./tool-facts.ts";

const limits = {
  cpuMs: 5_000,
  wallMs: 30_000,
  memoryMib: 50,
  networkRequests: 10,
  bytesIn: 8_388_608,
  bytesOut: 2_097_152,
  resultBytes: 1_048_576,
  logBytes: 262_144,
  nestedCalls: 10,
};

test("limits are told in the units in which people set them", () => {
  const facts = Object.fromEntries(limitFacts(limits));
  expect(facts).toMatchObject({
    Time: "30 s",
    Memory: "50 MiB",
    Received: "8 MiB",
    "Logs and progress": "256 KiB",
  });
  expect(limitWords("cpuMs", 250)).toBe("Processor time 250 ms");
  expect(limitWords("unheardOf", 3)).toBe("unheardOf 3");
});

test("what a tool doesn't say is said of the tenant", () => {
  const tool = { idempotent: false } as Tool;
  expect(Object.fromEntries(rateFacts(tool))["Tried again"]).toBe("never");
  expect(retentionFacts({ ...tool, retention: { result: "none", events: 1 } })).toEqual([
    ["Arguments", "as the tenant's settings say"],
    ["Results", "not at all"],
    ["Logs", "1 day"],
  ]);
});

test("without the permission no host is reached, with it the named ones or any", () => {
  expect(hostsOf({ permissions: [], allowedHosts: ["a.example"] })).toEqual([]);
  expect(hostsOf({ permissions: ["network"], allowedHosts: ["a.example"] })).toEqual(["a.example"]);
  expect(hostsOf({ permissions: ["network"] })).toBe(null);
});

test("providers are told by all lists of the policy, each once", () => {
  const policy = {
    agents: { beta: { deny: ["x"], byProvider: { openai: { allow: ["y"] } } }, alpha: {} },
    byProvider: { anthropic: { allow: ["z"] }, openai: {} },
  };
  expect(providersOf(policy)).toEqual(["anthropic", "openai"]);
  expect(providersOf({})).toEqual([]);
});
