import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Asker,
  type AuditDeed,
  type McpAccess,
  type PolicyDocument,
  type TenantPrincipal,
  type ToolScope,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { explainPolicy } from "./explain-policy.ts";
import { openPolicies } from "./policies.ts";
import { getPolicy, putPolicy, warnOfApprovals } from "./tenant-policy.ts";

const OWNER: TenantPrincipal = {
  role: "owner",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};

/** A tenant with a few tools, one of them of the agent "alpha". */
function world() {
  let [version, document]: [number, PolicyDocument] = [0, {}];
  const mcp: McpAccess = { github: { agentIds: ["alpha"], grants: [] } };
  const told: AuditDeed[] = [];
  const heard: unknown[] = [];
  let reads = 0;
  const policies = {
    find: async () => ((reads += 1), { version, document, mcpVersion: 2, mcp }),
    put: async (_tenantId: string, next: PolicyDocument, seen: readonly number[] | null) => {
      if (seen !== null && !seen.includes(version)) return null;
      const before = document;
      [version, document] = [version + 1, next];
      return { before, version };
    },
  };
  const called = (name: string, alias: string | null = null) => ({
    id: `tool_${name}`,
    name,
    alias,
    mcp: null,
    status: "active" as const,
  });
  const issue = { ...called("gh_issue"), mcp: { server: "github", tool: "issue" } };
  const shared = [
    called("weather", "getWeather"),
    called("orders"),
    issue,
    { ...called("off"), status: "disabled" as const },
  ];
  const names = async (_tenantId: string, { agentId, seesAll }: ToolScope) =>
    seesAll || agentId === "alpha" ? [...shared, called("alphas")] : shared;
  const deps = {
    policies,
    catalogue: { names },
    bus: { publish: async (signal: unknown) => void heard.push(signal) },
    audit: {
      record: async (_by: unknown, _tenantId: string, ...deeds: AuditDeed[]) => void told.push(...deeds),
    },
  };
  return { deps, told, heard, reads: () => reads };
}

test("a document that was put is in force, told to all processes, and on record by what it changes", async () => {
  const { deps, told, heard } = world();
  expect(await getPolicy(deps, OWNER)).toMatchObject({ version: 0, document: {} });
  const document = { deny: ["weather", "later*"], agents: { alpha: { allow: ["alphas"] } } };
  expect(await putPolicy(deps, OWNER, document, [0])).toEqual({
    version: 1,
    warnings: [{ path: "deny.1", message: '"later*" means no tool that is there' }],
  });
  expect(await getPolicy(deps, OWNER)).toMatchObject({ version: 1, document });
  expect(heard).toEqual([{ type: "forget", kind: "tenant", id: "ten_1", tenantId: "ten_1" }]);
  expect(told).toEqual([
    {
      action: "policy.updated",
      id: "ten_1",
      details: { version: 1, changed: ["agents.alpha.allow", "deny"] },
    },
  ]);
});

test("a document with names that mean nothing, or over a version that was not seen, is not put", async () => {
  const { deps, heard } = world();
  await expect(putPolicy(deps, OWNER, { allow: ["nobodys"], profile: "all" }, null)).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "profile" }, { path: "allow.0" }],
  });
  await putPolicy(deps, OWNER, {}, null);
  await expect(putPolicy(deps, OWNER, { deny: ["weather"] }, [0])).rejects.toMatchObject({
    code: "policy.precondition_failed",
  });
  expect(heard).toHaveLength(1);
});

test("approvals that name a tool that is not there are told, those of tools and of the platform's own are not", async () => {
  const { deps } = world();
  const warn = (change?: Parameters<typeof warnOfApprovals>[2]) =>
    warnOfApprovals(deps, "ten_1", change, "approval.");
  const rule = (tool: string) => ({ tool, argument: null, pattern: "*", decision: "ask" as const });
  expect(
    await warn({
      tools: { weather: "ask", tool_orders: "ask", alphas: "ask", browser: "blocked", brwser: "blocked" },
      rules: [rule("exec"), rule("exce")],
    }),
  ).toEqual({
    warnings: [
      { path: "approval.tools.brwser", message: '"brwser" means no tool that is there' },
      { path: "approval.rules.1.tool", message: '"exce" means no tool that is there' },
    ],
  });
  expect([await warn(), await warn({}), await warn({ tools: { create_tool: "ask" } })]).toEqual([{}, {}, {}]);
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`none_${n}`, "ask" as const]));
  expect((await warn({ tools: many })).warnings).toHaveLength(50);
});

test("what changes in many places is on record by some of them, and how many there are", async () => {
  const { deps, told } = world();
  const agents = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`a${n}`, { deny: ["weather"] }]));
  await putPolicy(deps, OWNER, { agents }, null);
  expect(told[0]?.details).toMatchObject({ changedInAll: 60 });
  expect(told[0]?.details?.["changed"]).toHaveLength(50);
});

test("each tool is explained by the list that had the last word, beside another document", async () => {
  const { deps } = world();
  await putPolicy(deps, OWNER, { allow: ["weather"], agents: { alpha: { alsoAllow: ["alphas"] } } }, null);
  const asked = { candidate: { deny: ["weather"] }, limit: 100, after: undefined };
  const all = await explainPolicy(deps, OWNER, { ...asked, asker: { agentId: "alpha" } });
  const of = (name: string) => all.tools.find((tool) => tool.name === name);
  expect(of("weather")).toEqual({
    name: "weather",
    status: "active",
    verdict: { allowed: true, path: null, entry: null },
    candidate: { allowed: false, path: "deny", entry: "weather" },
  });
  expect(of("orders")?.verdict).toEqual({ allowed: false, path: "allow", entry: null });
  expect(of("alphas")?.verdict).toEqual({ allowed: true, path: "agents.alpha.alsoAllow", entry: "alphas" });
  expect(of("web_fetch")?.verdict.allowed).toBe(false);
  expect(of("search_tools")?.verdict.allowed).toBe(true);
  expect(all.changes?.taken).toBe(1);
  const shared = await explainPolicy(deps, OWNER, { ...asked, asker: {} });
  expect(shared.tools.map(({ name }) => name)).not.toContain("alphas");
});

test("a tool that is not active is explained with its status, whatever the policy says of it", async () => {
  const { deps } = world();
  const asked = { asker: { agentId: "alpha" }, candidate: undefined, limit: 100, after: undefined };
  const { tools } = await explainPolicy(deps, OWNER, asked);
  const statusOf = (name: string) => tools.find((tool) => tool.name === name)?.status;
  expect([statusOf("off"), statusOf("orders"), statusOf("web_fetch")]).toEqual([
    "disabled",
    "active",
    "active",
  ]);
});

test("an alias means the tool as its name does", async () => {
  const { deps } = world();
  await putPolicy(deps, OWNER, { deny: ["getWeather"] }, null);
  const { tools } = await explainPolicy(deps, OWNER, {
    asker: {},
    candidate: undefined,
    limit: 100,
    after: undefined,
  });
  const verdict = { allowed: false, path: "deny", entry: "getWeather" };
  expect(tools.find(({ name }) => name === "weather")?.verdict).toEqual(verdict);
});

test("a tool of an MCP server is explained by the server's word, where the policy leaves it", async () => {
  const { deps } = world();
  const explained = async (asker: Asker, candidate?: PolicyDocument) => {
    const { tools } = await explainPolicy(deps, OWNER, { asker, candidate, limit: 100, after: undefined });
    return tools.find(({ name }) => name === "gh_issue");
  };
  const taken = { allowed: false, path: "mcp-servers.github.agentIds", entry: null };
  expect((await explained({ agentId: "alpha" }))?.verdict.allowed).toBe(true);
  expect((await explained({ agentId: "beta" }, { deny: ["group:mcp"] }))?.verdict).toEqual(taken);
  expect((await explained({ agentId: "alpha" }, { deny: ["group:mcp:github"] }))?.candidate).toEqual({
    allowed: false,
    path: "deny",
    entry: "group:mcp:github",
  });
});

test("explanations go on page by page, in the order of names", async () => {
  const { deps } = world();
  const asked = { asker: {}, candidate: undefined };
  const all = await explainPolicy(deps, OWNER, { ...asked, limit: 100, after: undefined });
  const pages: string[] = [];
  let after: string | undefined;
  do {
    const page = await explainPolicy(deps, OWNER, { ...asked, limit: 3, after });
    pages.push(...page.tools.map(({ name }) => name));
    expect(page.count).toBe(all.count);
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(pages).toEqual(all.tools.map(({ name }) => name));
  expect(pages).toEqual(pages.toSorted());
});

test("each version of a document is read once, and none where there is none", async () => {
  const { deps, reads } = world();
  await putPolicy(deps, OWNER, { deny: ["weather"] }, null);
  const policies = openPolicies(deps);
  expect(await policies.of("ten_1", 0)).toBeNull();
  expect(reads()).toBe(0);
  const [one, two] = [await policies.of("ten_1", 1), await policies.of("ten_1", 1)];
  expect([one, two, reads()]).toMatchObject([
    { version: 1, document: { deny: ["weather"] }, mcpVersion: 2 },
    one,
    1,
  ]);
});

test("of a tenant that is gone nothing is allowed", async () => {
  const policies = openPolicies({ policies: { find: async () => null } });
  expect(await policies.of("ten_2", 4)).toMatchObject({ version: 4, document: { forbid: ["*"] } });
});
