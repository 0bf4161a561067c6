import { describe, expect, test } from "vitest";
import {
  asked,
  call,
  connects,
  created,
  deeds,
  finds,
  offersTools,
  forgotten,
  SERVER,
  tenantId,
  useMcpApi,
} from "./fixtures/mcp-api.ts";

useMcpApi();

const PROCESS = { name: "local", transport: "stdio", url: null, headers: {}, command: "/opt/server" };

describe("a server [R63]", () => {
  test("keeps its prefix once its tools have names by it", async () => {
    await created({ toolPrefix: "gh_" });
    const patch = (toolPrefix: string | null) =>
      call("owner", "PATCH", "/mcp-servers/github", { toolPrefix });
    expect(await patch("hub_")).toMatchObject({ status: 200, data: { toolPrefix: "hub_" } });
    offersTools(1);
    expect(await patch("hub_")).toMatchObject({ status: 200 });
    expect(await patch(null)).toMatchObject({
      status: 409,
      problem: { code: "mcp_server.has_tools", errors: [{ path: "toolPrefix" }] },
    });
  });

  test("is registered, read, changed, switched and deleted", async () => {
    const { status, data } = await created();
    expect([status, data]).toEqual([
      201,
      expect.objectContaining({
        name: "github",
        url: "https://mcp.github.example/",
        enabled: true,
        state: "idle",
        args: [],
        headers: {
          authorization: { config: "github.token" },
          "x-team": "blue",
        },
        timeoutMs: 60_000,
      }),
    ]);
    expect(data).not.toHaveProperty("tenantId");
    expect((await call("viewer", "GET", "/mcp-servers")).data.servers).toEqual([
      { ...data, toolCount: 0, waitingToolCount: 0 },
    ]);
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
    expect(asked.map(([what]) => what)).toEqual(["drop", "drop", "tools off", "drop", "tools on", "drop"]);
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
      transport: "streamable-http",
      at: "mcp.github.example",
      fields: ["agentIds"],
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
    finds({
      ok: true,
      connectMs: 3,
      serverName: "gh",
      serverVersion: "1",
      protocol: "2025-11-25",
      offers: [],
    });
    expect((await call("owner", "POST", "/mcp-servers/github/test")).data).toEqual({
      ok: true,
      connectMs: 3,
      serverName: "gh",
      serverVersion: "1",
      protocol: "2025-11-25",
      tools: 0,
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

  test("is connected only as long as a worker holds it", async () => {
    await created();
    const state = async () => [
      (await call("owner", "GET", "/mcp-servers/github")).data.state,
      (await call("owner", "GET", "/mcp-servers")).data.servers[0].state,
    ];
    await connects(true);
    expect(await state()).toEqual(["connected", "connected"]);
    await connects(false);
    expect(await state()).toEqual(["idle", "idle"]);
  });

  test("has tools, which people approve and block", async () => {
    expect(await call("owner", "GET", "/mcp-servers/github/tools")).toMatchObject({ status: 404 });
    await created();
    const { data } = await call("viewer", "GET", "/mcp-servers/github/tools");
    expect(data.tools).toEqual([
      {
        tool: "get-issue",
        toolId: "tool_1",
        name: "get_issue",
        alias: "mcp__github__get-issue",
        standing: "changed",
        reason: "Its server has changed it.",
        version: 1,
        requiresApproval: false,

        description: "Reads one.",
        annotations: { readOnlyHint: true },

        waiting: {
          version: 2,
          description: "Reads all.",
          parameters: { type: "object" },
        },
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
