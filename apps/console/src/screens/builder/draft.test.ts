import type { Tool } from "@bulkhead/client";
import { expect, test } from "vitest";
import {
  BLANK,
  BLANK_COMMAND,
  changedFields,
  copyOf,
  createBody,
  type Draft,
  draftOf,
  draftOfBody,
  folderOf,
  testBody,
  updateBody,
} from "./draft.ts";

const DRAFT: Draft = {
  ...BLANK,
  name: " add ",
  description: "Adds.",
  code: "return 1;",
  title: "",
  category: "math",
  allowedHosts: [],
};

const TOOL = {
  id: "tool_1",
  userId: "ten_1",
  version: 3,
  status: "active",
  usageCount: 9,
  ...BLANK,
  name: "add",
  description: "Adds.",
  code: "return 1;",
  category: "math",
  requiresApproval: true,
  createdBy: "llm",
  limits: { wallMs: 30_000 },
  metadata: { tags: ["a"] },
} as unknown as Tool;

test("a draft of a tool holds what a creation may say, and nothing that the platform counts", () => {
  expect(draftOf(TOOL)).toEqual({
    ...BLANK,
    name: "add",
    description: "Adds.",
    code: "return 1;",
    category: "math",
    requiresApproval: true,
    createdBy: "llm",
    limits: { wallMs: 30_000 },
    metadata: { tags: ["a"] },
  });
});

test("a creation leaves out what is empty, and keeps an empty list of hosts, which means none", () => {
  expect(createBody(DRAFT)).toEqual({
    ...BLANK,
    name: "add",
    description: "Adds.",
    code: "return 1;",
    category: "math",
    allowedHosts: [],
  });
});

test("a copy has a name that a tool may have, and is its maker's", () => {
  const copy = copyOf({ ...TOOL, name: "n".repeat(64), alias: "x" });
  expect(copy.name).toBe(`${"n".repeat(59)}_copy`);
  expect([copy.createdBy, copy.alias]).toEqual([undefined, undefined]);
});

test("an update says what changed, with null or its like for what went, and never who made it", () => {
  const base = draftOf(TOOL);
  const next: Draft = {
    ...base,
    code: "return 2;",
    category: "",
    metadata: undefined,
    requiresApproval: undefined,
    createdBy: "user",
    permissions: ["network"],
  };
  expect(updateBody(base, next)).toEqual({
    code: "return 2;",
    category: null,
    metadata: null,
    requiresApproval: false,
    permissions: ["network"],
  });
  expect(updateBody(base, base)).toEqual({});
});

const COMMAND: Draft = {
  ...BLANK_COMMAND,
  name: "say",
  description: "Says.",
  command: "echo {{.a}}",
  workingDirectory: "x",
  timeoutSeconds: 5,
  env: { KEY: null, NEW: "value", EMPTY: "" },
  permissions: ["shell"],
  limits: { resultBytes: 1_024 },
};
const RUNS = { command: "echo {{.a}}", workingDirectory: "x", timeoutSeconds: 5 };
const SENT = { KEY: null, NEW: "value", EMPTY: null };

test("a command is sent with what means something beside it; values that nobody wrote stay as they are", () => {
  const { parameters } = BLANK;
  const common = { description: "Says.", parameters, limits: { resultBytes: 1_024 }, ...RUNS, env: SENT };
  expect(createBody(COMMAND)).toEqual({ name: "say", ...common });
  expect(folderOf(COMMAND)).toEqual({ say: { "manifest.json": { name: "say", ...common } } });
  const { description: _, ...tested } = common;
  expect(testBody({ ...COMMAND, name: "renamed" }, { a: 1 }, null, "say")).toEqual({
    name: "say",
    ...tested,
    testArguments: { a: 1 },
  });
  expect(createBody(BLANK_COMMAND)).toMatchObject({ command: "" });
});

test("the time of a stored command is told once, and what is taken from it goes back to what a new one has", () => {
  const stored = { ...TOOL, code: "", ...RUNS, permissions: ["shell"], env: { KEY: null } };
  const limits = { wallMs: 5_000, resultBytes: 1 };
  const base = draftOf({ ...stored, limits } as unknown as Tool);
  expect([base.timeoutSeconds, base.limits]).toEqual([5, { resultBytes: 1 }]);
  const part = { ...stored, timeoutSeconds: 1.5, limits: { wallMs: 1_500 } } as unknown as Tool;
  expect([draftOf(part).timeoutSeconds, draftOf(part).limits]).toEqual([undefined, { wallMs: 1_500 }]);
  const next = { ...base, workingDirectory: "", timeoutSeconds: undefined, env: {}, command: "date" };
  expect(updateBody(base, next)).toEqual({
    command: "date",
    workingDirectory: "",
    timeoutSeconds: 60,
    env: {},
  });
  expect(updateBody(base, { ...base, env: { KEY: "" } })).toEqual({ env: { KEY: null } });
});

test("what is left out and what is empty is the same", () => {
  expect(changedFields(BLANK, { ...BLANK, title: "", alias: undefined })).toEqual([]);
  expect(changedFields(BLANK, { ...BLANK, allowedHosts: [] })).toEqual(["allowedHosts"]);
});

test("a body of another's keeps to the fields that there are", () => {
  expect(draftOfBody({ name: "a", code: "return 1;", nothing: 1 })).toEqual({
    ...BLANK,
    name: "a",
    code: "return 1;",
  });
});

test("a folder to be checked has a file for each text, and no complaint of what is not written yet", () => {
  const draft = {
    ...BLANK,
    code: "return 1;",
    language: "typescript" as const,
    approvalCode: "return false;",
  };
  expect(folderOf(draft)).toEqual({
    untitled_draft: {
      "manifest.json": {
        name: "untitled_draft",
        description: "(none yet)",
        parameters: BLANK.parameters,
        permissions: [],
      },
      "tool.ts": "return 1;",
      "approval.js": "return false;",
    },
  });
});

test("a try has recorded answers only where they are wanted", () => {
  expect(testBody(BLANK, { a: 1 }, null)).not.toHaveProperty("recorded");
  expect(testBody(BLANK, { a: 1 }, {})).toMatchObject({
    name: "untitled_draft",
    testArguments: { a: 1 },
    recorded: {},
  });
});
