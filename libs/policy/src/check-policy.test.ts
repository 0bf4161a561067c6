import { expect, test } from "vitest";
import { changedPaths } from "./changed-paths.ts";
import { checkPolicy } from "./check-policy.ts";
import { decideBy, stepsFor } from "./decide.ts";
import type { PolicyDocument } from "@bulkhead/core";

const TOOLS = [
  { name: "exec" },
  { name: "gh_issue", alias: "getIssue", mcp: { server: "github", tool: "getIssue" } },
];
const faults = (policy: PolicyDocument) => checkPolicy(policy, TOOLS).faults;

test("a document whose names are all known has no fault", () => {
  const policy: PolicyDocument = {
    profile: "full",
    allow: ["exec", "?later", "gh_*", "getIssue", "getI*", "group:fs", "group:own", "group:mcp:github"],
    groups: { own: ["exec"] },
    byProvider: { openai: { profile: "coding", allow: ["exec"] } },
    agents: { alpha: { deny: ["exec"], byProvider: { openai: { allow: ["exec"] } } } },
    groupAllow: { team: ["exec"] },
    subagents: { deny: ["exec"], leafDeny: ["exec"] },
    forbid: ["exec"],
  };
  expect(checkPolicy(policy, TOOLS)).toEqual({ faults: [], warnings: [] });
});

test.each<[string, PolicyDocument, string, RegExp]>([
  ["a tool that isn't there", { allow: ["exec", "exce"] }, "allow.1", /"\?exce"/],
  ["a group that isn't there", { deny: ["group:nope"] }, "deny.0", /no group "nope"/],
  ["a profile that isn't there", { profile: "all" }, "profile", /full, coding, messaging, minimal/],
  [
    "a provider's profile that isn't there",
    { byProvider: { a: { profile: "x" } } },
    "byProvider.a.profile",
    /"x"/,
  ],
  ["an agent's list", { agents: { "a/b": { deny: ["x"] } } }, "agents.a/b.deny.0", /no tool "x"/],
  [
    "a list of an agent for a provider",
    { agents: { a: { byProvider: { p: { allow: ["x"] } } } } },
    "agents.a.byProvider.p.allow.0",
    /"x"/,
  ],
  ["a group's own list", { groups: { own: ["x"] } }, "groups.own.0", /"x"/],
  [
    "an own group within another",
    { groups: { one: ["exec"], two: ["group:one"] } },
    "groups.two.0",
    /can't hold another/,
  ],
  [
    "an own group with the name of one of the product's",
    { groups: { fs: ["exec"] } },
    "groups.fs",
    /product's own/,
  ],
  [
    "an own group with the name of a server's",
    { groups: { "mcp:x": ["exec"] } },
    "groups.mcp:x",
    /lower-case letter/,
  ],
  ["a name that every object has", { allow: ["constructor"] }, "allow.0", /no tool/],
  ["a name ahead that none could be", { deny: ["?no way"] }, "deny.0", /no tool that there could be/],
  ["a list of subagents", { subagents: { leafDeny: ["x"] } }, "subagents.leafDeny.0", /"x"/],
])("%s is told with its place", (_what, policy, path, message) => {
  expect(faults(policy)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test("every tool that the product brings is known, though not all are there yet", () => {
  const deny = [
    "gateway",
    "agents_list",
    "whatsapp_login",
    "session_status",
    "cron",
    "memory_get",
    "subagent",
    "tts",
  ];
  expect(checkPolicy({ deny, subagents: { leafDeny: ["sessions_spawn", "spawn"] } }, [])).toEqual({
    faults: [],
    warnings: [],
  });
});

test("what differs is told by its place, whatever the order of entries", () => {
  const before: PolicyDocument = { allow: ["a", "b"], agents: { x: { deny: ["a"] } }, profile: "full" };
  const after: PolicyDocument = { allow: ["b", "a"], agents: { y: { deny: ["a"] } }, profile: "coding" };
  expect(changedPaths(before, after)).toEqual(["agents.x.deny", "agents.y.deny", "profile"]);
  expect(changedPaths(after, after)).toEqual([]);
});

test("an entry that means no tool is a warning, one that names a tool ahead is not", () => {
  const { faults: none, warnings } = checkPolicy(
    { deny: ["zzz*", "group:mcp:gone", "?later", "exec"] },
    TOOLS,
  );
  expect(none).toEqual([]);
  expect(warnings.map(({ path }) => path)).toEqual(["deny.0", "deny.1"]);
});

test("a tool is looked for as quickly by the longest list as by a short one", () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `z${n}*`);
  const deny = Array.from({ length: 5_000 }, () => "group:own");
  const policy: PolicyDocument = { groups: { own: many }, deny, allow: ["*"] };
  const steps = stepsFor(policy, {});
  for (let n = 0; n < 10_000; n += 1)
    expect(decideBy(steps, policy.groups, { name: `tool_${n}` }).allowed).toBe(true);
  expect(decideBy(steps, policy.groups, { name: "z4999_x" })).toMatchObject({ entry: "group:own" });
});
