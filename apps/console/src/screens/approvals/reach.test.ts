import type { Approval, ToolVersionEvidence } from "@bulkhead/client";
import { expect, test } from "vitest";
import type { AskedVersion, VersionChanges } from "../../data/asked-version.ts";
import { reachOf, risksOf } from "./reach.ts";

const CALL = { kind: "execution", toolId: "tool_1", toolName: "shell" } as Approval;
const LIMITS = {} as ToolVersionEvidence["capabilities"]["limits"];

const asked = (
  tool: Partial<AskedVersion["tool"]>,
  { capabilities, ...evidence }: Partial<AskedVersion["evidence"]> = {},
): AskedVersion => ({
  tool: { createdBy: "user", ...tool } as AskedVersion["tool"],
  evidence: {
    grown: [],
    revealedServices: [],
    ...evidence,
    capabilities: { permissions: [], hosts: [], services: [], tools: [], limits: LIMITS, ...capabilities },
  } as unknown as AskedVersion["evidence"],
});
const namesOf = (approval: Approval, version?: AskedVersion) =>
  risksOf(approval, version).map(({ name }) => name);

test("a command of a tool of the platform's is marked", () => {
  const exec = {
    kind: "execution",
    toolId: null,
    toolName: "exec",
    arguments: { command: "ls" },
  } as unknown as Approval;
  expect(risksOf(exec, undefined).map(({ name }) => name)).toEqual(["Runs commands"]);
});

test("a tool that only computes has no marks", () => expect(namesOf(CALL, asked({}))).toEqual([]));

test("the worst is named first, and what grew is named", () => {
  const version = asked(
    { createdBy: "llm", annotations: { destructiveHint: true } },
    {
      grown: [
        { kind: "host", target: "api.example.com" },
        { kind: "service", target: "stripe" },
      ],
      capabilities: {
        permissions: ["network", "filesystem"],
        hosts: null,
        services: ["stripe"],
        tools: [],
        limits: LIMITS,
      },
    },
  );
  expect(namesOf(CALL, version)).toEqual([
    "Destructive",
    "Writes",
    "New host",
    "New secret",
    "Any host",
    "Created by a model",
  ]);
});

test("what the version before did not reach is new, and named once", () => {
  const diff = {
    changes: [
      { field: "allowedHosts", before: ["a.example"], after: ["a.example", "b.example"] },
      { field: "services", before: [], after: ["stripe"] },
      { field: "limits.cpuMs", before: 1, after: 2 },
    ],
  };
  const changes = { before: { version: 3, createdAt: "" }, diff } as unknown as VersionChanges;
  const version = asked({}, { grown: [{ kind: "service", target: "stripe" }] });
  expect(risksOf(CALL, version, changes).map(({ name, about }) => [name, about])).toEqual([
    ["New secret", "stripe: not approved before"],
    ["New host", "b.example: not in version 3"],
  ]);
});

test("a tool that says it only reads is not said to write", () => {
  const capabilities = {
    permissions: ["database" as const],
    hosts: [],
    services: [],
    tools: [],
    limits: LIMITS,
  };
  expect(namesOf(CALL, asked({ annotations: { readOnlyHint: true } }, { capabilities }))).toEqual([]);
  expect(namesOf(CALL, asked({}, { capabilities }))).toEqual(["Writes"]);
});

test("calls of meta-tools, failed checks and callbacks are marked without the tool", () => {
  expect(namesOf({ kind: "meta_tool", toolName: "delete_custom_tool" } as Approval)).toEqual(["Destructive"]);
  expect(namesOf({ kind: "meta_tool", toolName: "create_tool" } as Approval)).toEqual(["Makes a tool"]);
  const call = { ...CALL, asking: { because: "failed" }, callback: { url: "https://x.example" } } as Approval;
  expect(namesOf(call)).toEqual(["Own check failed", "Sends its result"]);
});

test("no network is no host, and an open one is any", () => {
  const hostsOf = (version: AskedVersion) => reachOf(version).find(([name]) => name === "Hosts")?.[1];
  expect(hostsOf(asked({}, { capabilities: { hosts: null } as never }))).toEqual([]);
  const open = { permissions: ["network"], hosts: null } as never;
  expect(hostsOf(asked({}, { capabilities: open }))).toEqual(["any public host"]);
});
