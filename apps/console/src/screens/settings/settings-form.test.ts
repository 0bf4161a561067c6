import type { TenantSettings } from "@bulkhead/client";
import { expect, test } from "vitest";
import { changeOf, faultsOf, formOf, isSame } from "./settings-form.ts";

const SETTINGS: TenantSettings = {
  approval: {
    default: "ask",
    tools: { shell: "blocked" },
    commands: [],
    rules: [
      { tool: "shell", argument: "/command", pattern: "git *", decision: "preApproved" },
      { tool: "pay", argument: null, pattern: "*", decision: "ask" },
    ],
    metaTools: "blocked",
    developersMayApprove: true,
    autoApproveWithoutGrowth: false,
    timeoutMs: 90_000,
  },
  retention: { arguments: "none", events: 30 },
  applyDefaults: true,
  files: {
    deny: ["private", "keys/live"],
    agents: { alpha: { kind: "predefined", deny: ["drafts"] }, beta: { kind: "open", deny: [] } },
  },
  data: { shared: { notes: "agent", prices: "tenant" } },
  shell: { engine: "virtual" },
};

test("what is read into the form and sent back unchanged says the same", () => {
  expect(changeOf(formOf(SETTINGS))).toEqual(SETTINGS);
  const plain = { ...SETTINGS, retention: null };
  expect(changeOf(formOf(plain)).retention).toBeNull();
  expect(isSame(formOf(SETTINGS), formOf(SETTINGS))).toBe(true);
});

test("what can't be sent is told by its field", () => {
  const form = formOf(SETTINGS);
  expect(faultsOf(form)).toEqual({});
  expect(
    Object.keys(
      faultsOf({
        ...form,
        timeoutSeconds: "soon",
        tools: [{ tool: " ", decision: "ask" }],
        rules: [{ tool: "pay", argument: "", pattern: "", decision: "ask" }],
        retention: { arguments: "0", result: "a week", events: "none" },
        agentFiles: [
          { agent: "a", kind: "open", deny: "" },
          { agent: " a ", kind: "open", deny: "" },
        ],
      }),
    ),
  ).toEqual([
    "timeoutSeconds",
    "tools.0",
    "rules.0",
    "retention.arguments",
    "retention.result",
    "agentFiles.1",
  ]);
});
