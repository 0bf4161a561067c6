import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";
import {
  closeWatchedEvents,
  nextApprovalEvent as nextNews,
  watchEvents as watch,
} from "../support/tenant-events.ts";

const APPROVALS = "/api/v1/approvals";
const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let agent: Client;
closeWatchedEvents();

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  agent = await withRole("agent");
});

const withRole = (role: string, id = tenantId) => newClient(product, id, role);

const create = (name: string, more: object = {}, client = agent) =>
  client.post("/api/v1/meta-tools/create_tool", {
    name,
    description: name,
    parameters: '{"type":"object"}',
    code: "return 1",
    ...more,
  });
const remove = (name: string, client = agent) =>
  client.post("/api/v1/meta-tools/delete_custom_tool", { name, confirm: true });
const statusOf = async (name: string) => (await owner.get(`${TOOLS}/${name}`)).status;

/** Where the creation of such a tool, which waits, is read and answered. */
async function ask(name: string, more: object = {}): Promise<string> {
  const { status, body } = await create(name, more);
  expect([status, body.data?.status]).toEqual([202, "awaiting_approval"]);
  return body.data.links.self;
}

test("an agent's creation waits for a person, who allows it once, and then the agent reads what came of it", async () => {
  product.showLogsIfTestFails();
  const inbox = await watch(owner);
  const asked = await create("made_by_agent", { context: { conversationId: "talk" } });
  expect(asked.status).toBe(202);
  const { approvalId, links } = asked.body.data;
  expect(asked.body.data).toEqual({
    approvalId: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
    status: "awaiting_approval",
    links: { self: `${APPROVALS}/${approvalId}` },
  });
  expect(asked.headers.get("location")).toBe(links.self);
  expect(await statusOf("made_by_agent")).toBe(404);

  const [waiting] = (await owner.get(APPROVALS)).body.data.approvals;
  expect(waiting).toMatchObject({
    id: approvalId,
    kind: "meta_tool",
    toolName: "create_tool",
    arguments: { name: "made_by_agent", code: "return 1" },
    context: { conversationId: "talk" },
    requestedBy: expect.stringMatching(/^key_/),
    status: "waiting",
  });
  expect(Date.parse(waiting.expiresAt) - Date.parse(waiting.createdAt)).toBe(120_000);
  expect((await nextNews(inbox)).data).toMatchObject({
    approvalId,
    executionId: "",
    toolName: "create_tool",
    by: waiting.requestedBy,
    expiresAt: waiting.expiresAt,
  });

  const allowed = (await owner.post(`${links.self}/allow-once`)).body.data;
  expect(allowed).toMatchObject({ status: "allowed", answer: "allow_once" });
  expect(allowed.result).toMatchObject({
    id: waiting.toolId,
    name: "made_by_agent",
    createdBy: "llm",
    version: 1,
    message: expect.stringContaining("was created"),
  });
  expect((await agent.get(links.self)).body.data).toEqual(allowed);
  expect((await owner.get(`${TOOLS}/made_by_agent`)).body.data).toMatchObject({
    id: waiting.toolId,
    createdBy: "llm",
    status: "active",
    requiresApproval: true,
  });
  const told = await nextNews(inbox);
  expect([told.event, told.data["answer"], told.data["approvalId"]]).toEqual([
    "approval.answered",
    "allow_once",
    approvalId,
  ]);
  expect((await owner.get(APPROVALS)).body.data.approvals).toEqual([]);
});

test("what came of it is for who asked and for people, not for another agent", async () => {
  const self = await ask("secretive");
  await owner.post(`${self}/allow-once`);
  expect((await agent.get(self)).body.data.result.name).toBe("secretive");
  expect((await (await withRole("viewer")).get(self)).body.data.result.name).toBe("secretive");
  const other = (await (await withRole("agent")).get(self)).body.data;
  expect(other.status).toBe("allowed");
  expect(other).not.toHaveProperty("result");
});

test("[M6] a deletion waits too, and deletes the tool that was meant, not the one that has its name by now", async () => {
  await create("doomed", {}, owner);
  const first = (await remove("doomed")).body.data.links.self;
  expect((await owner.get(first)).body.data).toMatchObject({
    kind: "meta_tool",
    toolName: "delete_custom_tool",
    arguments: { name: "doomed" },
  });
  expect(await statusOf("doomed")).toBe(200);
  expect((await owner.post(`${first}/allow-once`)).body.data.result).toMatchObject({
    deleted: true,
    name: "doomed",
  });
  expect(await statusOf("doomed")).toBe(404);

  await create("doomed", {}, owner);
  const second = (await remove("doomed")).body.data.links.self;
  await owner.delete(`${TOOLS}/doomed`);
  await create("doomed", {}, owner);
  const { status, error } = (await owner.post(`${second}/allow-once`)).body.data;
  expect([status, error.code, error.status]).toEqual(["allowed", "tool.not_found", 404]);
  expect(await statusOf("doomed")).toBe(200);
});

test("of many who allow and deny at once one counts, and the tool is created once or never", async () => {
  for (const [n, answers] of [
    ["allow-once", "allow-once", "allow-once", "allow-once"],
    ["deny", "allow-once", "deny", "allow-once"],
  ].entries()) {
    const name = `raced_${n}`;
    const self = await ask(name);
    const said = await Promise.all(answers.map((answer) => owner.post(`${self}/${answer}`)));
    const { status } = (await owner.get(self)).body.data;
    expect(["allowed", "denied"]).toContain(status);
    const done = await until(
      async () => {
        const { data } = (await owner.get(self)).body;
        return data.result ?? data.error;
      },
      { what: "what came of it" },
    );
    expect(done.code).toBe(status === "allowed" ? undefined : "approval.denied");
    expect(await statusOf(name)).toBe(status === "allowed" ? 200 : 404);
    // Who allows what is allowed and not done yet helps to get it done; everyone else came too late.
    for (const answer of said) expect([200, 409]).toContain(answer.status);
    const again = await owner.post(`${self}/allow-once`);
    expect([again.status, again.body.code]).toEqual([409, "approval.already_answered"]);
  }
});

test("two that ask for one name can both be allowed; the second meets the first, and the agent is told why", async () => {
  const [first, second] = [await ask("wanted_twice"), await ask("wanted_twice")];
  expect((await owner.post(`${first}/allow-once`)).body.data.result.name).toBe("wanted_twice");
  expect((await owner.post(`${second}/allow-once`)).body.data.status).toBe("allowed");
  expect((await agent.get(second)).body.data.error).toMatchObject({
    code: "tool.name_taken",
    status: 409,
    title: expect.any(String),
    detail: expect.any(String),
    retryable: false,
  });
});

test("nobody is asked about what would be refused anyway", async () => {
  const before = (await owner.get(APPROVALS)).body.data.approvals.length;
  await create("is_there", {}, owner);
  for (const [answer, code] of [
    [await create("broken", { code: "return (" }), "tool.code_invalid"],
    [await create("broken", { parameters: '{"type":"string"}' }), "tool.schema_invalid"],
    [await create("is_there"), "tool.name_taken"],
    [await remove("nowhere"), "tool.not_found"],
  ] as const)
    expect(answer.body.code).toBe(code);
  expect((await owner.get(APPROVALS)).body.data.approvals).toHaveLength(before);
});

test("what is denied is never done, and the agent is told", async () => {
  const self = await ask("denied_one");
  const changed = await owner.post(`${self}/allow-once`, { arguments: { name: "other" } });
  expect([changed.status, changed.body.errors[0].path]).toEqual([400, "arguments"]);
  const denied = await owner.post(`${self}/deny`, { reason: "Take search_mail." });
  expect(denied.body.data).toMatchObject({ status: "denied", answer: "deny", reason: "Take search_mail." });
  expect((await agent.get(self)).body.data).toMatchObject({
    status: "denied",
    reason: "Take search_mail.",
    error: { code: "approval.denied", detail: "A person denied the call: Take search_mail." },
  });
  const late = await owner.post(`${self}/allow-once`);
  expect([late.status, late.body.code]).toEqual([409, "approval.already_answered"]);
  expect(await statusOf("denied_one")).toBe(404);
});

test("what nobody answers in time expires, is told, and can't be allowed any more", async () => {
  const quick = await newTenant(product);
  await quick.owner.patch("/api/v1/tenant/settings", { approval: { timeoutMs: 1_000 } });
  const inbox = await watch(quick.owner);
  const { self } = (await create("too_late", {}, await withRole("agent", quick.id))).body.data.links;
  expect((await nextNews(inbox)).event).toBe("approval.requested");
  expect((await nextNews(inbox)).data).toMatchObject({ answer: "expire", by: "" });
  expect((await quick.owner.get(self)).body.data).toMatchObject({
    status: "expired",
    answer: "expire",
    error: { code: "approval.expired" },
  });
  const late = await quick.owner.post(`${self}/allow-once`);
  expect([late.status, late.body.code]).toEqual([409, "approval.already_answered"]);
  expect((await quick.owner.get(`${TOOLS}/too_late`)).status).toBe(404);
});

test("a meta-tool is allowed for good by the settings alone, which can also block it", async () => {
  const always = await owner.post(`${await ask("for_good")}/allow-always`, {});
  expect([always.status, always.body.code]).toEqual([400, "request.invalid"]);
  expect(always.body.detail).toContain("approval.metaTools");
  const free = await newTenant(product);
  const itsAgent = await withRole("agent", free.id);
  const metaTools = (decision: string) =>
    free.owner.patch("/api/v1/tenant/settings", { approval: { metaTools: decision } });
  await metaTools("preApproved");
  expect((await create("at_once", {}, itsAgent)).status).toBe(201);
  expect((await free.owner.get(`${TOOLS}/at_once`)).body.data.createdBy).toBe("llm");
  expect((await remove("at_once", itsAgent)).body.data.deleted).toBe(true);
  await metaTools("ask");
  const waits = (await create("asked_before", {}, itsAgent)).body.data.links.self;
  await metaTools("blocked");
  const blocked = await create("at_once", {}, itsAgent);
  expect([blocked.status, blocked.body.code]).toEqual([403, "tool.blocked"]);
  // What waited already is blocked too, but can still be denied.
  const late = await free.owner.post(`${waits}/allow-once`, {});
  expect([late.status, late.body.code]).toEqual([403, "tool.blocked"]);
  expect((await free.owner.get(`${TOOLS}/asked_before`)).status).toBe(404);
  expect((await free.owner.get(waits)).body.data.status).toBe("waiting");
  expect((await free.owner.post(`${waits}/deny`)).body.data.status).toBe("denied");
});

test("who answers: owners, and no agent, viewer or other tenant; nor does another tenant see it", async () => {
  const stranger = await newTenant(product);
  const self = await ask("by_whom");
  for (const client of [agent, await withRole("viewer"), await withRole("developer")])
    for (const answer of ["allow-once", "deny"])
      expect((await client.post(`${self}/${answer}`)).body.code).toBe("auth.forbidden");
  expect((await stranger.owner.post(`${self}/allow-once`)).body.code).toBe("approval.not_found");
  expect((await stranger.owner.get(self)).status).toBe(404);
  expect((await stranger.owner.get(APPROVALS)).body.data.approvals).toEqual([]);
  expect(await statusOf("by_whom")).toBe(404);
});

test("both kinds are listed together, newest first, page by page", async () => {
  const both = await newTenant(product);
  const itsAgent = await withRole("agent", both.id);
  await createTool(both.owner, "plain", "return 1;");
  const names: string[] = [];
  for (const name of ["one", "two", "three"]) {
    await create(name, {}, itsAgent);
    const { status } = await itsAgent.post(`${TOOLS}/plain/execute`, { arguments: {} });
    expect(status).toBe(202);
    names.unshift("execution", "meta_tool");
  }
  const kinds: string[] = [];
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { approvals, nextCursor } = (await both.owner.get(`${APPROVALS}?limit=2${more}`)).body.data;
    kinds.push(...approvals.map(({ kind }: { kind: string }) => kind));
    ids.push(...approvals.map(({ id }: { id: string }) => id));
    cursor = nextCursor;
  }
  expect(new Set(ids).size).toBe(6);
  expect(kinds.toSorted()).toEqual(names.toSorted());
  expect(ids).toEqual(ids.toSorted().toReversed());
});
