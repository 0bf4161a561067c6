import { MCP_SERVER_OFF } from "@bulkhead/core";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteTool, moveTool } from "../registry/change-status.ts";
import { decideVersion } from "../registry/review/decide-version.ts";
import { updateTool } from "../registry/update-tool.ts";
import { restoreVersion } from "../versions/restore-version.ts";
import {
  ACTIVE,
  CHANGED,
  database,
  deeds,
  deps,
  forgetTold,
  news,
  offered,
  OTHER,
  owner,
  people,
  READ,
  stateOf,
  switched,
  tenantId,
  toolOf,
  useBridgedRegistry,
} from "./fixtures/bridged-registry.ts";
import { offerOf } from "./fixtures/servers.ts";
import { changedReason, rejectedReason } from "./plan-sync.ts";

useBridgedRegistry();

describe("a changed tool", () => {
  beforeEach(async () => {
    await offered(READ);
    forgetTold();
    await offered(OTHER);
  });

  test("is disabled with the reason, and what is offered now waits beside what was approved", async () => {
    expect(await toolOf("read")).toMatchObject({
      ...CHANGED,
      description: "Does read.",
      requiresApproval: false,
    });
    expect(await people.list(tenantId, "files")).toMatchObject([
      {
        standing: "changed",
        reason: changedReason(2),
        waiting: { version: 2, description: "Deletes everything." },
      },
    ]);
    expect(deeds.map(({ action }) => action)).toEqual(["tool.version_proposed", "tool.disabled"]);
    expect(news.map(({ type }) => type)).toEqual(["tool.version_proposed", "tool.disabled"]);
    const { id } = await toolOf("read");
    expect(await database.tools.findReview(tenantId, id, 2)).toMatchObject({
      state: "pending",
      proposedBy: null,
    });
  });

  test("is active again as it was, once its server offers that", async () => {
    await offered(READ);
    expect(await stateOf("read")).toEqual(ACTIVE);
    const { id } = await toolOf("read");
    expect(await database.tools.findVersion(tenantId, id, 2)).toMatchObject({ state: "superseded" });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...CHANGED, statusReason: changedReason(3), pendingVersion: 3 });
  });

  test("that a person approves is what its server offers now", async () => {
    expect(await people.approve(owner, "files", "read")).toMatchObject({ standing: "active", version: 2 });
    expect(await toolOf("read")).toMatchObject({
      ...ACTIVE,
      version: 2,
      description: "Deletes everything.",
      annotations: null,
      requiresApproval: true,
      idempotent: false,
      retry: null,
    });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, version: 2 });
  });

  test("that changes twice is approved only by its number", async () => {
    await offered(offerOf("read", { description: "A third." }));
    await expect(people.approve(owner, "files", "read")).rejects.toMatchObject({ code: "tool.changed" });
    expect(await people.approve(owner, "files", "read", 3)).toMatchObject({
      version: 3,
      description: "A third.",
    });
  });

  test("that a person rejects stays away, until the person thinks again", async () => {
    await people.block(owner, "files", "read");
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled" });
    await offered(READ);
    expect(await people.list(tenantId, "files")).toMatchObject([{ standing: "blocked" }]);
    const { id } = await toolOf("read");
    for (const role of ["agent", "developer"] as const)
      await expect(moveTool(deps, { ...owner, role }, id, "enable")).rejects.toMatchObject({
        code: "tool.bridged",
      });
    expect(await people.approve(owner, "files", "read")).toMatchObject({ standing: "active", version: 1 });
  });

  test("that is blocked comes back by a developer whom the tenant lets approve", async () => {
    await people.block(owner, "files", "read");
    const approval = { ...owner.approval, developersMayApprove: true };
    const { id } = await toolOf("read");
    const after = await moveTool(deps, { ...owner, role: "developer", approval }, id, "enable");
    expect(after.status).toBe("active");
  });

  test("whose new version was rejected is not that version by an approval while its server is disabled", async () => {
    const { id } = await toolOf("read");
    await decideVersion(deps, owner, id, { to: "rejected", version: 2, seen: null });
    await offered(READ);
    await switched(false);
    await expect(people.approve(owner, "files", "read")).rejects.toMatchObject({ code: "tool.bridged" });
    expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: MCP_SERVER_OFF });
  });

  test("that was rejected by its version says so, and is not proposed again", async () => {
    const { id } = await toolOf("read");
    await expect(moveTool(deps, owner, id, "enable")).rejects.toMatchObject({ code: "tool.bridged" });
    await decideVersion(deps, owner, id, { to: "rejected", version: 2, seen: null });
    await offered(OTHER);
    expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: rejectedReason(2) });
    expect(await people.approve(owner, "files", "read")).toMatchObject({
      standing: "active",
      version: 3,
      description: "Deletes everything.",
    });
  });
});

test("the tools of a disabled server are disabled with it, and come back as they were", async () => {
  await offered(READ);
  forgetTold();
  await switched(false);
  expect(await stateOf("read")).toEqual({ ...ACTIVE, status: "disabled", statusReason: MCP_SERVER_OFF });
  expect(await people.list(tenantId, "files")).toMatchObject([{ standing: "off", reason: MCP_SERVER_OFF }]);
  const { id } = await toolOf("read");
  await expect(moveTool(deps, owner, id, "enable")).rejects.toMatchObject({
    code: "tool.bridged",
    detail: expect.stringContaining("/mcp-servers/files/enable"),
  });
  await switched(false);
  await switched(true);
  expect(await stateOf("read")).toEqual(ACTIVE);
  expect(deeds.map(({ action }) => action)).toEqual(["tool.disabled", "tool.enabled"]);
  await people.block(owner, "files", "read");
  await switched(false);
  await switched(true);
  expect(await people.list(tenantId, "files")).toMatchObject([{ standing: "blocked" }]);
});

test("what a person approves under a disabled server is called once that is enabled", async () => {
  await offered(READ);
  await offered(OTHER, offerOf("write"));
  await switched(false);
  const off = { standing: "off", reason: MCP_SERVER_OFF, waiting: null };
  expect(await people.approve(owner, "files", "read")).toMatchObject({ ...off, version: 2 });
  expect(await people.approve(owner, "files", "write")).toMatchObject({ ...off, version: 1 });
  await switched(true);
  expect(await stateOf("read")).toEqual({ ...ACTIVE, version: 2 });
  expect(await stateOf("write")).toEqual(ACTIVE);
  await people.block(owner, "files", "read");
  await switched(false);
  expect(await people.approve(owner, "files", "read")).toMatchObject(off);
});

test("a switch that a later one has overtaken moves no tool", async () => {
  await offered(READ);
  await people.switchAll({ tenantId, name: "files" }, false);
  expect(await stateOf("read")).toEqual(ACTIVE);
});

describe("of a server's tool", () => {
  test("its tenant says what is its own, and nothing that its server says", async () => {
    await offered(READ);
    const { id } = await toolOf("read");
    const { version, pinned } = await toolOf("read");
    const own = { alias: "look", approval: "blocked", category: "files" } as const;
    await updateTool(deps, owner, id, own);
    expect(await toolOf("read")).toMatchObject({ ...own, version, pinned });
    await updateTool(deps, owner, id, { description: "Does read." });
    for (const change of [{ description: "Mine." }, { code: "return 1" }, { name: "mine" }, { limits: {} }])
      await expect(updateTool(deps, owner, id, change)).rejects.toMatchObject({
        code: "tool.bridged",
        errors: [{ path: Object.keys(change)[0] }],
      });
    await expect(restoreVersion(deps, owner, id, 1)).rejects.toMatchObject({ code: "tool.bridged" });
  });

  test("nothing is deleted by itself but what was rejected, which waits anew", async () => {
    await offered(READ);
    await offered(READ, offerOf("write"));
    await expect(deleteTool(deps, owner, (await toolOf("read")).id)).rejects.toMatchObject({
      code: "tool.bridged",
    });
    expect(await people.block(owner, "files", "write")).toMatchObject({ standing: "blocked" });
    await offered(READ, offerOf("write"));
    await expect(people.approve(owner, "files", "write")).rejects.toMatchObject({ code: "tool.bridged" });
    await deleteTool(deps, owner, (await toolOf("write")).id);
    await offered(READ, offerOf("write"));
    expect(await stateOf("write")).toMatchObject({ status: "pending_approval" });
  });
});
