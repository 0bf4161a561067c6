import { describe, expect, test } from "vitest";
import { call, created, deeds, forgotten, news, useMcpApi } from "./fixtures/mcp-api.ts";

useMcpApi();

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
    const warned = await call("owner", "POST", path, { ...grant, toolDeny: ["get-isue"] });
    expect(warned.data.warnings.map(({ path: at }: { path: string }) => at)).toEqual([
      "toolAllow.0",
      "toolDeny.0",
    ]);
    expect((await call("owner", "POST", path, { ...grant, toolAllow: null })).data.warnings).toBeUndefined();
    await call("owner", "POST", path, grant);
    expect((await call("developer", "GET", path)).data).toEqual({ grants: [grant], nextCursor: null });
    expect(await call("developer", "POST", path, { scope: "agent", id: "a" })).toMatchObject({ status: 403 });
    expect(forgotten).toEqual(["tenant", "tenant", "tenant", "tenant"]);
    expect((await call("owner", "DELETE", `${path}?scope=user&id=ann`)).data).toEqual({ deleted: true });
    expect(await call("owner", "DELETE", `${path}?scope=user&id=ann`)).toMatchObject({
      problem: { code: "mcp_grant.not_found" },
    });
    expect(deeds.slice(4).map(({ action, id, details }) => [action, id, details])).toEqual([
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
    expect((await seen("agent/alpha")).servers).toEqual(["github"]);
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
