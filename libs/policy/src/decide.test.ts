import { describe, expect, it, test } from "vitest";
import * as fc from "fast-check";
import { decide, stepsFor } from "./decide.ts";
import type { Asker, PolicyDocument } from "@bulkhead/core";
import type { PolicyTool } from "./match-entry.ts";
import { sightBy } from "./sight.ts";

const named = (name: string): PolicyTool => ({ name });
const NAMES = ["read_file", "exec", "web_fetch", "weather", "weather_now", "gh_issue", "message"];
const TOOLS = NAMES.map((name) =>
  name.startsWith("gh_")
    ? { name, alias: "getIssue", mcp: { server: "github", tool: "get-issue" } }
    : named(name),
);
const NO_GRANTS = { mcpVersion: 0, mcp: {} };
const allowed = (policy: PolicyDocument, asker: Asker = {}): string[] =>
  TOOLS.filter((tool) => decide(policy, asker, tool).allowed).map(({ name }) => name);

describe("a policy", () => {
  it("that says nothing leaves everything", () => {
    expect(allowed({})).toEqual(NAMES);
    expect(allowed({}, { agentId: "alpha", provider: "openai", group: "g", subagentDepth: 3 })).toEqual(
      NAMES,
    );
  });

  it.each<[string, PolicyDocument, Asker, string[]]>([
    ["keeps what its profile names", { profile: "coding" }, {}, ["read_file", "exec"]],
    ["keeps everything by the profile full", { profile: "full" }, {}, NAMES],
    [
      "hears the provider's profile after its own",
      { profile: "full", byProvider: { small: { profile: "messaging" } } },
      { provider: "small" },
      ["message"],
    ],
    ["keeps what is allowed by name", { allow: ["weather", "exec"] }, {}, ["exec", "weather"]],
    ["takes what is denied by its alias", { deny: ["getIssue"] }, {}, NAMES.filter((n) => n !== "gh_issue")],
    ["keeps beginnings of aliases", { allow: ["getI*"] }, {}, ["gh_issue"]],
    ["keeps beginnings of names", { allow: ["weather*"] }, {}, ["weather", "weather_now"]],
    ["knows the product's groups", { allow: ["group:web", "group:fs"] }, {}, ["read_file", "web_fetch"]],
    [
      "knows all native tools as a group",
      { deny: ["group:native"] },
      {},
      ["weather", "weather_now", "gh_issue"],
    ],
    [
      "knows the groups of others' servers",
      { deny: ["group:mcp:github"] },
      {},
      NAMES.filter((n) => n !== "gh_issue"),
    ],
    [
      "knows groups of the tenant's own",
      { groups: { sky: ["weather*"] }, allow: ["group:sky"] },
      {},
      ["weather", "weather_now"],
    ],
    [
      "keeps for a provider what its list names too",
      { byProvider: { a: { allow: ["exec"] } } },
      { provider: "a" },
      ["exec"],
    ],
    [
      "keeps for an agent what its list names too",
      { agents: { alpha: { allow: ["exec"] } } },
      { agentId: "alpha" },
      ["exec"],
    ],
    ["leaves other agents alone", { agents: { alpha: { allow: ["exec"] } } }, { agentId: "beta" }, NAMES],
    [
      "hears an agent's list for a provider",
      { agents: { alpha: { byProvider: { a: { allow: ["exec"] } } } } },
      { agentId: "alpha", provider: "a" },
      ["exec"],
    ],
    [
      "hears the list of the caller's group",
      { groupAllow: { team: ["message"] } },
      { group: "team" },
      ["message"],
    ],
    ["takes what is denied, whatever allows it", { allow: ["exec"], deny: ["exec"] }, {}, []],
    ["takes what is denied to an agent", { agents: { alpha: { deny: ["*"] } } }, { agentId: "alpha" }, []],
    [
      "brings back by alsoAllow what a step took",
      { profile: "minimal", alsoAllow: ["weather"] },
      {},
      ["weather"],
    ],
    [
      "brings back for an agent alone",
      { allow: [], agents: { alpha: { alsoAllow: ["exec"] } } },
      { agentId: "alpha" },
      ["exec"],
    ],
    [
      "takes from subagents after all that",
      { alsoAllow: ["exec"], subagents: { deny: ["exec"], leafDeny: ["message"] } },
      { subagentDepth: 1 },
      NAMES.filter((n) => n !== "exec" && n !== "message"),
    ],
    ["takes nothing of those from who is none", { subagents: { deny: ["*"], leafDeny: ["*"] } }, {}, NAMES],
    [
      "gives nobody what is forbidden",
      { alsoAllow: ["*"], forbid: ["exec"] },
      {},
      NAMES.filter((n) => n !== "exec"),
    ],
    ["keeps nothing by a profile that this build doesn't know", { profile: "later" }, {}, []],
    ["means a tool named ahead once it is there", { allow: ["?exec"] }, {}, ["exec"]],
  ])("%s", (_what, policy, asker, expected) => {
    expect(allowed(policy, asker)).toEqual(expected);
  });

  it("says which list and which entry had the last word", () => {
    const policy: PolicyDocument = { allow: ["weather"], alsoAllow: ["group:runtime"], forbid: ["ex*"] };
    expect(decide(policy, {}, named("message"))).toEqual({ allowed: false, path: "allow", entry: null });
    expect(decide(policy, {}, named("exec"))).toEqual({ allowed: false, path: "forbid", entry: "ex*" });
    expect(decide(policy, {}, named("process"))).toEqual({
      allowed: true,
      path: "alsoAllow",
      entry: "group:runtime",
    });
    expect(decide(policy, {}, named("weather"))).toEqual({ allowed: true, path: null, entry: null });
  });

  it("takes tools that show and call what is left only where a list names them", () => {
    const finding = ["search_tools", "describe_tools", "list_custom_tools", "call_tool"];
    const seen = (policy: PolicyDocument) =>
      finding.filter((name) => decide(policy, {}, named(name)).allowed);
    expect(seen({ profile: "minimal", allow: ["exec"] })).toEqual(finding);
    expect(seen({ deny: ["call_tool"] })).toEqual(finding.slice(0, -1));
    expect(seen({ forbid: ["group:meta"] })).toEqual([]);
    expect(decide({ allow: ["exec"] }, {}, named("create_tool")).allowed).toBe(false);
    expect(decide({ allow: ["group:meta"] }, {}, named("create_tool")).allowed).toBe(true);
  });

  it("takes no tool of somebody's server for one of the product's, whatever the server calls it", () => {
    const theirs = (name: string): PolicyTool => ({ name, mcp: { server: "github", tool: name } });
    const gets = (policy: PolicyDocument, name: string) => decide(policy, {}, theirs(name)).allowed;
    expect(gets({ allow: ["group:fs", "group:native"] }, "read_file")).toBe(false);
    expect(gets({ groups: { mine: ["group:fs"] }, allow: ["group:mine"] }, "read_file")).toBe(false);
    expect(gets({ profile: "coding" }, "read_file")).toBe(false);
    expect(gets({ profile: "minimal" }, "session_status")).toBe(false);
    expect(gets({ allow: ["weather"] }, "get_execution")).toBe(false);
    expect(gets({ profile: "minimal", alsoAllow: ["group:fs"] }, "read_file")).toBe(false);
    expect(gets({ profile: "minimal", alsoAllow: ["group:mcp"] }, "read_file")).toBe(true);
    expect(gets({ deny: ["group:native"] }, "read_file")).toBe(true);
    expect(gets({ allow: ["read_file"] }, "read_file")).toBe(true);
  });

  it("takes no list from what every object has", () => {
    const asker = { agentId: "constructor", provider: "toString", group: "__proto__" };
    expect(stepsFor({ agents: {}, byProvider: {}, groupAllow: {} }, asker)).toEqual([]);
    expect(decide({ allow: ["group:constructor"] }, {}, named("exec")).allowed).toBe(false);
  });
});

const entry = fc.constantFrom(
  ...NAMES,
  "weather*",
  "*",
  "group:fs",
  "group:native",
  "group:mcp",
  "group:sky",
  "?exec",
);
const list = fc.array(entry, { maxLength: 5 });
const lists = fc.record({ allow: list, deny: list, alsoAllow: list }, { requiredKeys: [] });
const document: fc.Arbitrary<PolicyDocument> = fc
  .record(
    {
      profile: fc.constantFrom("full", "coding", "messaging", "minimal"),
      byProvider: fc.record({
        a: fc.record({ profile: fc.constant("coding"), allow: list }, { requiredKeys: [] }),
      }),
      agents: fc.record({ alpha: lists }),
      groupAllow: fc.record({ team: list }),
      subagents: fc.record({ deny: list, leafDeny: list }, { requiredKeys: [] }),
      forbid: list,
    },
    { requiredKeys: [] },
  )
  .chain((rest) => lists.map((own) => ({ ...rest, ...own, groups: { sky: ["weather*"] } })));
const asker: fc.Arbitrary<Asker> = fc.record(
  {
    agentId: fc.constant("alpha"),
    provider: fc.constant("a"),
    group: fc.constant("team"),
    subagentDepth: fc.nat(3),
  },
  { requiredKeys: [] },
);

/** The same lists, backwards. */
const turned = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.toReversed()
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, turned(part)]))
      : value;

/** The tools that one list means by itself. */
const meant = (entries: string[]): string[] => allowed({ allow: entries, groups: { sky: ["weather*"] } });

test("the order of entries never matters", () => {
  fc.assert(
    fc.property(document, asker, (policy, who) => {
      expect(allowed(turned(policy) as PolicyDocument, who)).toEqual(allowed(policy, who));
    }),
  );
});

test("what a step takes, only alsoAllow brings back", () => {
  fc.assert(
    fc.property(document, asker, (policy, who) => {
      const { alsoAllow, agents, ...rest } = policy;
      const { alsoAllow: agents1, ...alpha } = agents?.["alpha"] ?? {};
      const without = { ...rest, agents: { alpha } };
      const left = allowed(without, who);
      // Any list that is left out takes nothing away, so without it there is at least as much.
      for (const key of [
        "profile",
        "allow",
        "deny",
        "byProvider",
        "agents",
        "groupAllow",
        "subagents",
        "forbid",
      ] as const) {
        const { [key]: _out, ...fewer } = without;
        expect(allowed(fewer, who)).toEqual(expect.arrayContaining(left));
      }
      const broughtBack = [...(alsoAllow ?? []), ...(who.agentId === "alpha" ? (agents1 ?? []) : [])];
      for (const name of allowed(policy, who)) expect([...left, ...meant(broughtBack)]).toContain(name);
    }),
  );
});

test("deny beats every allow before it", () => {
  fc.assert(
    fc.property(document, asker, list, (policy, who, taken) => {
      const { alsoAllow: _also, agents, ...rest } = policy;
      const { alsoAllow: _agents, ...alpha } = agents?.["alpha"] ?? {};
      const byTenant = allowed({ ...rest, agents: { alpha }, deny: taken }, who);
      const byAgent = allowed(
        { ...rest, agents: { alpha: { ...alpha, deny: taken } } },
        { ...who, agentId: "alpha" },
      );
      for (const name of meant(taken)) {
        expect(byTenant).not.toContain(name);
        expect(byAgent).not.toContain(name);
      }
    }),
  );
});

test("what is forbidden is nobody's", () => {
  fc.assert(
    fc.property(document, asker, list, (policy, who, taken) => {
      for (const name of meant(taken)) expect(allowed({ ...policy, forbid: taken }, who)).not.toContain(name);
    }),
  );
});

test("two sights with one mark see the same", () => {
  fc.assert(
    fc.property(document, asker, asker, (policy, one, other) => {
      const [a, b] = [one, other].map((who) => sightBy({ ...NO_GRANTS, version: 1, document: policy }, who));
      if (a?.mark !== b?.mark) return;
      for (const tool of TOOLS) expect(a?.sees(tool)).toBe(b?.sees(tool));
    }),
  );
});
