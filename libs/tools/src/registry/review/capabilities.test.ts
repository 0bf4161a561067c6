import { RUN_LIMITS_DEFAULT, type Capabilities, type Tool } from "@bulkhead/core";
import { expect, test } from "vitest";
import {
  approvedByChange,
  approvedByRejection,
  capabilitiesIn,
  judgeChange,
  judgeCreation,
  nameRecordOf,
} from "./capabilities.ts";

const NETWORK: Capabilities = {
  permissions: ["network"],
  hosts: null,
  services: [],
  tools: [],
  limits: RUN_LIMITS_DEFAULT,
};

const tool = (fields: Partial<Tool> = {}) =>
  ({
    name: "sample",
    status: "active",
    createdBy: "llm",
    approved: null,
    code: "return 1",
    language: "javascript",
    compiled: null,
    parameters: { type: "object" },
    outputSchema: null,
    permissions: [],
    limits: RUN_LIMITS_DEFAULT,
    allowedHosts: null,
    services: [],
    ...fields,
  }) as Tool;
const principal = { approval: { autoApproveWithoutGrowth: false } } as Parameters<typeof judgeChange>[2];

test("what TypeScript calls is read from what runs of it", () => {
  const typed = tool({
    language: "typescript",
    code: "const n: string = 'a'; return utils.callTool('b' as string)",
    compiled: "const n         = 'a'; return utils.callTool('b'          )",
  });
  expect(capabilitiesIn(typed).tools).toEqual(["b"]);
});

test("a tool from before there were records is judged by what serves", () => {
  expect(judgeChange(tool(), tool({ permissions: ["network"] }), principal)?.grown).toHaveLength(2);
  expect(
    judgeChange(tool({ permissions: ["network"] }), tool({ permissions: ["network"] }), principal),
  ).toBeNull();
});

test("while nobody has approved any version, each one waits", () => {
  expect(judgeChange(tool({ status: "pending_approval" }), tool(), principal)).toEqual({ grown: [] });
  expect(judgeChange(tool({ status: "rejected" }), tool(), principal)).toEqual({ grown: [] });
});

test("the name keeps what was approved of a model's tool", () => {
  expect(nameRecordOf(tool({ approved: NETWORK, alias: "Sample" }))).toEqual({
    names: ["sample", "Sample"],
    capabilities: NETWORK,
    blocked: false,
  });
  expect(nameRecordOf(tool({ status: "disabled" }))?.capabilities.permissions).toEqual([]);
  expect(nameRecordOf(tool({ status: "rejected", approved: NETWORK }))?.capabilities).toEqual(NETWORK);
  expect(nameRecordOf(tool({ status: "pending_approval" }))).toBeNull();
});

test("what was rejected before anything was approved leaves that nothing was, to its next version and to its name", () => {
  const rejected = tool({
    status: "rejected",
    approved: approvedByRejection(tool({ status: "pending_approval" })),
  });
  expect(nameRecordOf(rejected)?.capabilities.permissions).toEqual([]);
  const asksForNothing = tool();
  expect(
    judgeCreation("llm", nameRecordOf(rejected)?.capabilities ?? null, asksForNothing).waits,
  ).not.toBeNull();
  expect(judgeChange(rejected, tool({ permissions: ["network"] }), principal)?.grown).toContainEqual({
    kind: "permission",
    target: "network",
  });
  // Former approvals stay.
  expect(approvedByRejection(tool({ status: "pending_approval", approved: NETWORK }))).toBeNull();
  expect(approvedByRejection(tool({ status: "active" }))).toBeNull();
});

test("the name of a person's tool lets a model's pass with nothing", () => {
  const record = nameRecordOf(tool({ createdBy: "user", permissions: ["shell"] }));
  expect(record?.capabilities.permissions).toEqual([]);
  const { waits } = judgeCreation("llm", record?.capabilities ?? null, tool());
  expect(waits?.grown.map(({ kind }) => kind)).toContain("limit");
});

test("the name keeps that people blocked its tool, be nothing of it approved", () => {
  expect(nameRecordOf(tool({ approval: "blocked", approved: NETWORK }))?.blocked).toBe(true);
  expect(nameRecordOf(tool({ approval: "blocked", status: "pending_approval" }))?.blocked).toBe(true);
  expect(nameRecordOf(tool({ approval: "ask" }))?.blocked).toBe(false);
});

test("what a person leaves a model's tool is what counts as approved; a model's own change approves nothing", () => {
  const [byPerson, byModel] = [{ role: "developer" }, { role: "agent" }] as const;
  expect(approvedByChange(tool(), tool(), byPerson)).toEqual({ approved: capabilitiesIn(tool()) });
  expect(approvedByChange(tool(), tool(), byModel)).toEqual({});
  expect(approvedByChange(tool({ createdBy: "user" }), tool(), byPerson)).toEqual({});
});

test("a new tool starts with what was approved under its name, else with what it asks for where it serves", () => {
  const harmless = tool();
  const dangerous = tool({ permissions: ["shell"] });
  expect(judgeCreation("user", NETWORK, dangerous)).toEqual({ waits: null, approved: null });
  expect(judgeCreation("llm", null, harmless)).toEqual({ waits: null, approved: capabilitiesIn(harmless) });
  expect(judgeCreation("llm", NETWORK, harmless)).toEqual({ waits: null, approved: NETWORK });
  expect(judgeCreation("llm", null, dangerous)).toEqual({ waits: { grown: [] }, approved: null });
  expect(judgeCreation("llm", NETWORK, dangerous)).toEqual({
    waits: { grown: [{ kind: "permission", target: "shell" }] },
    approved: NETWORK,
  });
});

test("a model's tool that is held waits whatever it may do, and nothing of it counts as approved", () => {
  expect(judgeCreation("llm", null, tool(), true)).toEqual({ waits: { grown: [] }, approved: null });
  expect(judgeCreation("llm", NETWORK, tool(), true)).toEqual({ waits: { grown: [] }, approved: NETWORK });
});
