import {
  APPROVAL_SETTINGS_DEFAULT,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type AuditDeed,
  type McpLook,
  type McpServerKey,
  type McpServerTool,
  type TenantNews,
  type TenantRole,
} from "@bulkhead/core";
import { openEgressPolicy } from "@bulkhead/egress";
import { openDatabase, type Database } from "@bulkhead/postgres";
import { NO_METER } from "@bulkhead/process/telemetry";
import { openScrubbers } from "@bulkhead/scrub";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { usePermissions } from "../../edge/authentication.ts";
import { useMetrics } from "../../edge/http-metrics.ts";
import { useProblems } from "../../edge/problems.ts";
import { refuseUnaskedInput } from "../../edge/unasked-input.ts";
import { validatorCompiler } from "../../edge/validate.ts";
import { mcpAccessRoutes } from "./mcp-access-requests.ts";
import { mcpGrantRoutes } from "./mcp-grants.ts";
import { mcpServerToolRoutes } from "./mcp-server-tools.ts";
import { mcpServerRoutes } from "./mcp-servers.ts";

leakCheck();

let testDatabase: TestDatabase;
let database: Database;
let app: FastifyInstance;
/** Each test has a tenant of its own. */
let tenantId: string;

/** What was said to the bridge, to people and to other processes. */
const asked: [what: string, server: string][] = [];
const deeds: AuditDeed[] = [];
const news: TenantNews[] = [];
const forgotten: string[] = [];
let look: McpLook;

const TOOL: McpServerTool = {
  ...{ tool: "get-issue", name: "get_issue", alias: "mcp__github__get-issue", toolId: "tool_1", version: 1 },
  ...{ standing: "changed", reason: "Its server has changed it.", title: null, description: "Reads one." },
  ...{ annotations: { readOnlyHint: true }, requiresApproval: false },
  waiting: {
    ...{ version: 2, title: null, description: "Reads all.", annotations: null },
    ...{ parameters: { type: "object" }, outputSchema: null },
  },
};

beforeAll(async () => {
  testDatabase = await openTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolMax: 4 });
  app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  useMetrics(app, NO_METER);
  useProblems(app);
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => {
    const [role = "", agentId = null] = String(request.headers.authorization).split("/");
    const key = { keyId: `key_${role}`, limitsAsOf: new Date(0), approval: APPROVAL_SETTINGS_DEFAULT };
    request.principal =
      role === "admin"
        ? { role, keyId: "admin" }
        : { ...key, role: role as TenantRole, tenantId, agentId, limits: TENANT_LIMITS_DEFAULT };
  });
  usePermissions(app);
  refuseUnaskedInput(app);
  const deps = {
    ...database,
    bridge: {
      refresh: async ({ name }: McpServerKey) => (asked.push(["refresh", name]), look),
      drop: async ({ name }: McpServerKey) => void asked.push(["drop", name]),
    },
    egressPolicy: openEgressPolicy([]),
    scrubbers: openScrubbers(),
    bus: { publish: async (signal: object) => void forgotten.push((signal as { kind: string }).kind) },
    audit: {
      record: async (_by: unknown, _tenantId: string, ...said: AuditDeed[]) => void deeds.push(...said),
    },
    tenantEvents: { publish: async (_tenantId: string, said: TenantNews) => void news.push(said) },
    coverReason: async (_tenantId: string, reason: string | undefined) =>
      reason?.replaceAll("s3cr3t", "[REDACTED]"),
    mcpServerTools: {
      list: async () => [TOOL],
      approve: async (_by: unknown, server: string, tool: string, version?: number) => {
        asked.push([`approve ${tool} ${version}`, server]);
        return { ...TOOL, standing: "active" as const, waiting: null };
      },
      block: async (_by: unknown, server: string, tool: string) => {
        asked.push([`block ${tool}`, server]);
        return { ...TOOL, standing: "blocked" as const, waiting: null };
      },
    },
    clock: () => new Date(),
  };
  const api = app.withTypeProvider();
  mcpServerRoutes(api, deps);
  mcpServerToolRoutes(api, deps);
  mcpGrantRoutes(api, deps);
  mcpAccessRoutes(api, deps);
  await app.ready();
});
afterAll(async () => {
  await app?.close();
  await database?.close();
  await testDatabase?.close();
});
beforeEach(async () => {
  tenantId = newTenantId();
  await database.tenants.create({
    ...{ id: tenantId, slug: tenantId.replace("_", "-"), name: "A tenant", createdAt: new Date() },
    ...{ limits: TENANT_LIMITS_DEFAULT, settings: TENANT_SETTINGS_DEFAULT },
  });
  for (const list of [asked, deeds, news, forgotten]) list.length = 0;
  look = { ok: false, message: "nobody answers" };
});

/** `as` is a role, of agents with their id: `agent/alpha`. */
async function call(as: string, method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) {
  const answer = await app.inject({
    ...{ method, url: path, headers: { authorization: as } },
    ...(body && { payload: body }),
  });
  const { data, ...problem } = answer.json();
  return { status: answer.statusCode, data, problem };
}

const SERVER = {
  name: "github",
  transport: "streamable-http",
  url: "https://mcp.github.example/",
  headers: { Authorization: { config: "github.token" }, "x-team": "blue" },
};
const created = (fields: object = {}, as = "owner") =>
  call(as, "POST", "/mcp-servers", { ...SERVER, ...fields });
const PROCESS = { name: "local", transport: "stdio", url: null, headers: {}, command: "/opt/server" };

describe("a server [R63]", () => {
  test("is registered, read, changed, switched and deleted", async () => {
    const { status, data } = await created();
    expect([status, data]).toEqual([
      201,
      expect.objectContaining({
        ...{ name: "github", url: "https://mcp.github.example/", enabled: true, state: "idle", args: [] },
        headers: { authorization: { config: "github.token" }, "x-team": "blue" },
        timeoutMs: 60_000,
      }),
    ]);
    expect(data).not.toHaveProperty("tenantId");
    expect((await call("viewer", "GET", "/mcp-servers")).data.servers).toEqual([data]);
    expect(forgotten).toEqual([]);
    const changed = await call("developer", "PATCH", "/mcp-servers/github", { agentIds: ["alpha"] });
    expect(changed.data.agentIds).toEqual(["alpha"]);
    expect([asked, forgotten]).toEqual([[], ["tenant"]]);
    await call("owner", "PATCH", "/mcp-servers/github", { url: "https://other.example/", agentIds: null });
    const off = await call("owner", "POST", "/mcp-servers/github/disable");
    expect(off.data).toMatchObject({ enabled: false, url: "https://other.example/" });
    expect(off.data).not.toHaveProperty("agentIds");
    expect((await call("owner", "POST", "/mcp-servers/github/enable")).data.enabled).toBe(true);
    expect(await call("owner", "DELETE", "/mcp-servers/github")).toMatchObject({ status: 200 });
    expect(await call("owner", "GET", "/mcp-servers/github")).toMatchObject({
      problem: { code: "mcp_server.not_found" },
    });
    expect(asked.map(([what]) => what)).toEqual(["drop", "drop", "drop", "drop"]);
    expect(forgotten.slice(-2)).toEqual(["tenant", "tools"]);
    expect(deeds.map(({ action }) => action.split(".")[1])).toEqual([
      "created",
      "updated",
      "updated",
      "disabled",
      "enabled",
      "deleted",
    ]);
    expect(deeds[1]?.details).toEqual({
      ...{ transport: "streamable-http", at: "mcp.github.example", fields: ["agentIds"] },
    });
  });

  test("keeps its name for itself, and bad input is told by its place", async () => {
    await created();
    expect(await created()).toMatchObject({ status: 409, problem: { code: "mcp_server.name_taken" } });
    const places = async (fields: object) =>
      (await created(fields)).problem.errors.map(({ path }: { path: string }) => path);
    expect(await places({ name: "Git-Hub" })).toEqual(["name"]);
    expect(await places({ name: "b", url: "http://plain.example/" })).toEqual(["url"]);
    expect(await places({ name: "b", url: "https://127.0.0.1/" })).toEqual(["url"]);
    expect(await places({ name: "b", headers: { a: { config: "nofield" } } })).toEqual(["headers.a.config"]);
    expect(await places({ name: "b", headers: { "x-api-key": "v3ry-pr1vate" } })).toEqual([
      "headers.x-api-key",
    ]);
    const told = await created({ name: "b", headers: { "x-a": `ghp_${"a1B2".repeat(9)}` } });
    expect(told.problem.errors).toEqual([
      { path: "headers.x-a", message: expect.stringContaining("Config Center") },
    ]);
    expect(JSON.stringify(told)).not.toContain("a1B2");
    expect(await call("owner", "PATCH", "/mcp-servers/github", { url: null })).toMatchObject({
      status: 400,
      problem: { errors: [{ path: "url" }] },
    });
  });

  test("that is a process is said by the administrator alone, for the tenant that they name", async () => {
    const refused = { status: 403, problem: { code: "mcp.stdio_admin_only" } };
    expect(await created(PROCESS)).toMatchObject(refused);
    expect(await call("admin", "POST", "/mcp-servers", { ...SERVER, ...PROCESS })).toMatchObject({
      problem: { code: "tenant.required" },
    });
    const at = (id: string, path = "") => `/mcp-servers${path}?tenantId=${id}`;
    const body = { ...SERVER, ...PROCESS };
    expect(await call("admin", "POST", at("ten_0000000000000000"), body)).toMatchObject({
      problem: { code: "tenant.not_found" },
    });
    expect(await call("admin", "POST", at(tenantId), body)).toMatchObject({ status: 201 });
    expect((await call("owner", "GET", "/mcp-servers/local")).data.command).toBe("/opt/server");
    expect(await call("owner", "PATCH", "/mcp-servers/local", { command: "/bin/sh" })).toMatchObject(refused);
    expect(await call("owner", "PATCH", "/mcp-servers/local", { agentIds: [] })).toMatchObject({
      status: 200,
    });
    await created();
    const turned = { transport: "stdio", url: null, headers: {}, command: "/bin/sh" };
    expect(await call("owner", "PATCH", "/mcp-servers/github", turned)).toMatchObject(refused);
    expect(await call("admin", "PATCH", at(tenantId, "/local"), { args: ["-v"] })).toMatchObject({
      data: { args: ["-v"] },
    });
    expect(await call("owner", "GET", at("ten_0000000000000000"))).toMatchObject({
      status: 400,
      problem: { errors: [{ path: "tenantId" }] },
    });
  });

  test("is nothing to an agent, and nobody's to change who only reads", async () => {
    for (const as of ["agent/alpha", "viewer"])
      expect(await created({}, as)).toMatchObject({ status: 403, problem: { code: "auth.forbidden" } });
    expect(await call("agent/alpha", "GET", "/mcp-servers")).toMatchObject({ status: 403 });
  });

  test("is looked at, and what was found is told", async () => {
    await created();
    expect(await call("owner", "POST", "/mcp-servers/github/test")).toMatchObject({
      status: 200,
      data: { ok: false, message: "nobody answers" },
    });
    expect(await call("owner", "POST", "/mcp-servers/github/refresh")).toMatchObject({
      status: 502,
      problem: { code: "mcp_server.unreachable", detail: "nobody answers" },
    });
    look = {
      ok: true,
      connectMs: 3,
      serverName: "gh",
      serverVersion: "1",
      protocol: "2025-11-25",
      offers: [],
    };
    expect((await call("owner", "POST", "/mcp-servers/github/test")).data).toEqual({
      ...{ ok: true, connectMs: 3, serverName: "gh", serverVersion: "1", protocol: "2025-11-25", tools: 0 },
    });
    expect((await call("owner", "POST", "/mcp-servers/github/refresh")).data).toMatchObject({
      name: "github",
    });
    await call("owner", "POST", "/mcp-servers/github/disable");
    asked.length = 0;
    expect(await call("owner", "POST", "/mcp-servers/github/refresh")).toMatchObject({
      problem: { code: "mcp_server.disabled" },
    });
    expect(asked).toEqual([]);
  });

  test("has tools, which people approve and block", async () => {
    expect(await call("owner", "GET", "/mcp-servers/github/tools")).toMatchObject({ status: 404 });
    await created();
    const { data } = await call("viewer", "GET", "/mcp-servers/github/tools");
    expect(data.tools).toEqual([
      {
        ...{ tool: "get-issue", toolId: "tool_1", name: "get_issue", alias: "mcp__github__get-issue" },
        ...{ standing: "changed", reason: "Its server has changed it.", version: 1, requiresApproval: false },
        ...{ description: "Reads one.", annotations: { readOnlyHint: true } },
        waiting: { version: 2, description: "Reads all.", parameters: { type: "object" } },
      },
    ]);
    const path = "/mcp-servers/github/tools/get-issue";
    expect((await call("owner", "POST", `${path}/approve`, { version: 2 })).data.standing).toBe("active");
    expect((await call("owner", "POST", `${path}/block`)).data.standing).toBe("blocked");
    expect(await call("developer", "POST", `${path}/approve`)).toMatchObject({ status: 403 });
    expect(asked).toEqual([
      ["approve get-issue 2", "github"],
      ["block get-issue", "github"],
    ]);
  });
});

describe("a grant", () => {
  const path = "/mcp-servers/github/grants";
  test("is put, listed and deleted by an owner, and all processes hear of it", async () => {
    expect(await call("owner", "POST", path, { scope: "agent", id: "alpha" })).toMatchObject({ status: 404 });
    await created();
    const grant = { scope: "user", id: "ann", toolAllow: ["get-issue"], toolDeny: [], enabled: true };
    expect(
      await call("owner", "POST", path, { scope: "user", id: "ann", toolAllow: ["get-issue"] }),
    ).toMatchObject({
      status: 200,
      data: grant,
    });
    expect((await call("developer", "GET", path)).data).toEqual({ grants: [grant], nextCursor: null });
    expect(await call("developer", "POST", path, { scope: "agent", id: "a" })).toMatchObject({ status: 403 });
    expect(forgotten).toEqual(["tenant"]);
    expect((await call("owner", "DELETE", `${path}?scope=user&id=ann`)).data).toEqual({ deleted: true });
    expect(await call("owner", "DELETE", `${path}?scope=user&id=ann`)).toMatchObject({
      problem: { code: "mcp_grant.not_found" },
    });
    expect(deeds.slice(1).map(({ action, id, details }) => [action, id, details])).toEqual([
      ["mcp_server.granted", "github", { scope: "user", grantee: "ann", enabled: true, toolsAllowed: 1 }],
      ["mcp_server.grant_deleted", "github", { scope: "user", grantee: "ann" }],
    ]);
  });
});

describe("a request for access [R64]", () => {
  const path = "/mcp-access-requests";
  test("is an agent's for itself, and an owner's answer grants it", async () => {
    await created({ agentIds: [] });
    const agent = "agent/alpha";
    const made = await call(agent, "POST", path, {
      server: "github",
      toolAllow: ["get-issue"],
      reason: "for s3cr3t",
    });
    expect(made).toMatchObject({
      status: 201,
      data: {
        scope: "agent",
        id: "alpha",
        status: "pending",
        reason: "for [REDACTED]",
        requestedBy: "key_agent",
      },
    });
    const again = await call(agent, "POST", path, { server: "github", toolAllow: ["get-issue"] });
    expect(again.data.requestId).toBe(made.data.requestId);
    expect(news).toEqual([
      {
        type: "mcp.access_requested",
        data: {
          requestId: made.data.requestId,
          server: "github",
          scope: "agent",
          grantee: "alpha",
          by: "key_agent",
        },
        agentId: "alpha",
      },
    ]);
    const at = `${path}/${made.data.requestId}`;
    expect(await call("developer", "POST", `${at}/approve`)).toMatchObject({ status: 403 });
    expect(await call(agent, "POST", `${at}/approve`)).toMatchObject({ status: 403 });
    expect((await call("owner", "POST", `${at}/approve`)).data).toMatchObject({ status: "approved" });
    expect((await call("owner", "GET", "/mcp-servers/github/grants")).data.grants).toMatchObject([
      { scope: "agent", id: "alpha", toolAllow: ["get-issue"] },
    ]);
    expect(await call("owner", "POST", `${at}/reject`)).toMatchObject({
      status: 409,
      problem: { code: "mcp_access.already_answered" },
    });
    expect(news.at(-1)).toMatchObject({ type: "mcp.access_answered", data: { answer: "approved" } });
    expect(forgotten.at(-1)).toBe("tenant");
  });

  test("of an agent's key is for no other, and a person says for whom", async () => {
    await created();
    const place = async (as: string, body: object) =>
      (await call(as, "POST", path, { server: "github", ...body })).problem.errors?.[0]?.path;
    expect(await place("agent/alpha", { id: "beta" })).toBe("id");
    expect(await place("agent/alpha", { scope: "user", id: "ann" })).toBe("scope");
    expect(await place("agent", {})).toBe("id");
    expect(await place("developer", {})).toBe("id");
    expect(await place("developer", { scope: "user", id: "ann" })).toBeUndefined();
    expect(await call("viewer", "POST", path, { server: "github" })).toMatchObject({ status: 403 });
    expect(await call("developer", "POST", path, { server: "nobodys", id: "a" })).toMatchObject({
      problem: { code: "mcp_server.not_found" },
    });
  });

  test("is listed page by page, to an agent's key what it has asked for", async () => {
    await created();
    for (const id of ["a", "b", "c"]) await call("developer", "POST", path, { server: "github", id });
    await call("agent/alpha", "POST", path, { server: "github" });
    const seen = async (as: string, query = "") => (await call(as, "GET", path + query)).data;
    expect((await seen("agent/alpha")).requests.map(({ id }: { id: string }) => id)).toEqual(["alpha"]);
    const first = await seen("owner", "?limit=3&status=pending");
    const rest = await seen("owner", `?limit=3&status=pending&cursor=${first.nextCursor}`);
    expect([...first.requests, ...rest.requests].map(({ id }) => id)).toHaveLength(4);
    expect(new Set([...first.requests, ...rest.requests].map(({ id }) => id)).size).toBe(4);
    expect(rest.nextCursor).toBeNull();
    expect((await call("owner", "GET", `${path}?cursor=x`)).problem.errors).toMatchObject([
      { path: "cursor" },
    ]);
    const [{ requestId }] = first.requests;
    const rejected = await call("owner", "POST", `${path}/${requestId}/reject`, { reason: "not s3cr3t" });
    expect(rejected.data).toMatchObject({
      status: "rejected",
      answer: "not [REDACTED]",
      answeredBy: "key_owner",
    });
    expect((await seen("owner", "?status=rejected")).requests).toEqual([rejected.data]);
  });
});
