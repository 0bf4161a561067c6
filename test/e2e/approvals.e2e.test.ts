import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Answer, type Client } from "../support/client.ts";
import {
  closeLater,
  closeWatchedEvents,
  nextApprovalEvent as nextNews,
  watchEvents as watch,
} from "../support/tenant-events.ts";

const APPROVALS = "/api/v1/approvals";
const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let developer: Client;
let agent: Client;
closeWatchedEvents();

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  developer = await asRole("developer");
  agent = await asRole("agent");
  await createTool(owner, "shell", "return args.command ?? 'ran';", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
});

const asRole = (role: string, id = tenantId) => newClient(product, id, role);

const call = (client: Client, command: string, more: Record<string, unknown> = {}, tool = "shell") =>
  client.post(`${TOOLS}/${tool}/execute`, { arguments: { command }, ...more });

/** A call of the agent's that waits; with its approval. */
async function ask(command: string, more: Record<string, unknown> = {}): Promise<Answer["body"]> {
  const { status, body } = await call(agent, command, { mode: "async", ...more });
  expect([status, body.data?.status]).toEqual([202, "awaiting_approval"]);
  return { executionId: body.data.executionId, approval: body.data.links.approval };
}

const settings = (approval: Record<string, unknown>) => owner.patch("/api/v1/tenant/settings", { approval });
const execution = async (id: string) => (await owner.get(`/api/v1/executions/${id}`)).body.data;
const ended = (id: string) =>
  until(async () => ((await execution(id)).finishedAt ? execution(id) : null), { what: "the end" });

test("[P8, R26] an agent's call waits for a person, who allows it once, and then it runs", async () => {
  product.showLogsIfTestFails();
  const inbox = await watch(owner);
  const asked = await call(agent, "git push");
  expect(asked.status).toBe(202);
  const { executionId, status, links } = asked.body.data;
  expect(status).toBe("awaiting_approval");
  expect(links.approval).toMatch(/^\/api\/v1\/approvals\/apr_/);
  expect(asked.headers.get("location")).toBe(links.self);

  const listed = (await owner.get(APPROVALS)).body.data;
  const waiting = listed.approvals.find((one: { executionId: string }) => one.executionId === executionId);
  expect(waiting).toMatchObject({
    toolName: "shell",
    toolVersion: 1,
    arguments: { command: "git push" },
    status: "waiting",
    requestedBy: expect.stringMatching(/^key_/),
  });
  const wait = Date.parse(waiting.expiresAt) - Date.parse(waiting.createdAt);
  expect(wait).toBe(120_000);
  expect((await nextNews(inbox)).data).toMatchObject({
    approvalId: waiting.id,
    executionId,
    toolName: "shell",
    by: waiting.requestedBy,
    expiresAt: waiting.expiresAt,
  });

  const allowed = await owner.post(`${links.approval}/allow-once`);
  expect(allowed.status).toBe(200);
  expect(allowed.body.data).toMatchObject({ status: "allowed", answer: "allow_once" });
  expect(allowed.body.data.answeredBy).toMatch(/^key_/);
  const done = await ended(executionId);
  expect(done).toMatchObject({ status: "succeeded", result: "git push" });
  expect(done.approval).toMatchObject({ answer: "allow_once", answeredBy: allowed.body.data.answeredBy });
  const told = await nextNews(inbox);
  expect([told.event, told.data["answer"], told.data["executionId"]]).toEqual([
    "approval.answered",
    "allow_once",
    executionId,
  ]);
  expect((await owner.get(APPROVALS)).body.data.approvals).toEqual([]);
  expect((await call(agent, "git push", { mode: "async" })).body.data.status).toBe("awaiting_approval");
});

test("what is denied ends as denied, was never run and counts as no use", async () => {
  const uses = async () => (await owner.get(`${TOOLS}/shell`)).body.data.usageCount;
  const before = await uses();
  const { executionId, approval } = await ask("rm -rf /");
  expect((await owner.post(`${approval}/deny`)).body.data).toMatchObject({
    status: "denied",
    answer: "deny",
  });
  const done = await execution(executionId);
  expect(done).toMatchObject({
    status: "denied",
    attempts: 0,
    isError: true,
    error: { code: "approval.denied" },
  });
  expect(done.approval.answeredBy).toMatch(/^key_/);
  expect(await uses()).toBe(before);
});

test("a stream stays open, shows that it waits, and then all that follows, its ids rising", async () => {
  const reader = await agent.stream(`${TOOLS}/shell/execute`, {
    arguments: { command: "told" },
    mode: "stream",
  });
  closeLater(reader);
  const first = [await reader.next(), await reader.next()];
  expect(first.map((event) => [event?.event, event?.id])).toEqual([
    ["execution.queued", "0-1"],
    ["execution.awaiting_approval", "0-2"],
  ]);
  const { approvalId, executionId } = first[1]?.data ?? {};
  await owner.post(`${APPROVALS}/${String(approvalId)}/allow-once`);
  const rest = await reader.rest();
  expect(rest.map(({ event, id }) => [event, id])).toEqual([
    ["execution.queued", "1-1"],
    ["execution.started", "1-2"],
    ["execution.succeeded", expect.stringMatching(/^1-\d+$/)],
  ]);
  const resumed = await agent.follow(String(executionId), "0-1");
  closeLater(resumed);
  expect((await resumed.rest()).map(({ event }) => event)[0]).toBe("execution.awaiting_approval");
});

test("a call that nobody answers in time is denied, told, and can't be allowed any more", async () => {
  const quick = await newTenant(product);
  await createTool(quick.owner, "shell", "return 1;");
  await quick.owner.patch("/api/v1/tenant/settings", { approval: { timeoutMs: 1_000 } });
  const asker = await asRole("agent", quick.id);
  const { executionId, links } = (await asker.post(`${TOOLS}/shell/execute`)).body.data;
  const reader = await asker.follow(executionId);
  closeLater(reader);
  expect((await reader.rest()).map(({ event }) => event)).toEqual([
    "execution.queued",
    "execution.awaiting_approval",
    "execution.denied",
  ]);
  const { body } = await quick.owner.get(`/api/v1/executions/${executionId}`);
  expect(body.data).toMatchObject({ status: "denied", error: { code: "approval.expired" } });
  const late = await quick.owner.post(`${links.approval}/allow-once`);
  expect([late.status, late.body.code]).toEqual([409, "approval.already_answered"]);
  expect((await quick.owner.get(links.approval)).body.data).toMatchObject({
    status: "expired",
    answer: "expire",
  });
});

test("of many answers at once exactly one counts", async () => {
  for (const answers of [
    ["allow-once", "allow-once", "allow-once", "allow-once"],
    ["allow-once", "deny", "allow-once", "deny"],
  ]) {
    const { executionId, approval } = await ask("raced");
    const said = await Promise.all(answers.map((answer) => owner.post(`${approval}/${answer}`)));
    expect(said.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const won = said.find(({ status }) => status === 200)?.body.data;
    const done = await ended(executionId);
    expect(done.status).toBe(won.status === "allowed" ? "succeeded" : "denied");
    expect(done.attempts).toBe(won.status === "allowed" ? 1 : 0);
  }
});

test("allowing always lets such calls of this version run, until the tool changes or it is revoked", async () => {
  const { id } = await createTool(owner, "versioned", "return 1;", {
    parameters: { type: "object", properties: { command: { type: "string" } } },
  });
  const asked = (await call(agent, "git status", { mode: "async" }, "versioned")).body.data;
  const slip = await owner.post(`${asked.links.approval}/allow-always`, {
    argument: "/command",
    pattern: "rm *",
  });
  expect([slip.status, slip.body.errors[0].path]).toEqual([400, "pattern"]);
  const said = { argument: "/command", pattern: "git *" };
  const allowed = await owner.post(`${asked.links.approval}/allow-always`, said);
  expect(allowed.body.data).toMatchObject({ status: "allowed", answer: "allow_always" });
  expect((await call(agent, "git log", {}, "versioned")).body.data.result).toBe(1);
  expect((await call(agent, "rm -rf", { mode: "async" }, "versioned")).body.data.status).toBe(
    "awaiting_approval",
  );

  const [standing] = (await owner.get(`${APPROVALS}/standing`)).body.data.standing;
  expect(standing).toMatchObject({ toolId: id, toolName: "versioned", toolVersion: 1, ...said });
  // Of the three calls this approval let one through.
  const used = async () => (await owner.get(`${APPROVALS}/standing`)).body.data.standing[0];
  await expect.poll(used, { timeout: 20_000 }).toMatchObject({ uses: 1, lastUsedAt: expect.any(String) });
  await owner.patch(`${TOOLS}/versioned`, { code: "return 2;" });
  const again = await call(agent, "git log", { mode: "async" }, "versioned");
  expect(again.body.data.status).toBe("awaiting_approval");
  await owner.post(`${again.body.data.links.approval}/allow-always`, {});
  expect((await call(agent, "anything", {}, "versioned")).body.data.result).toBe(2);

  for (const one of (await owner.get(`${APPROVALS}/standing`)).body.data.standing)
    expect((await owner.delete(`${APPROVALS}/standing/${one.id}`)).status).toBe(200);
  expect((await call(agent, "git log", { mode: "async" }, "versioned")).body.data.status).toBe(
    "awaiting_approval",
  );
  expect((await owner.delete(`${APPROVALS}/standing/${standing.id}`)).body.code).toBe("approval.not_found");
});

test("who answers: owners, developers where the tenant lets them, never an agent or another tenant", async () => {
  const stranger = await newTenant(product);
  const { approval } = await ask("by whom");
  for (const client of [agent, developer, await asRole("viewer")]) {
    for (const answer of ["allow-once", "allow-always", "deny"]) {
      const refused = await client.post(`${approval}/${answer}`, answer === "allow-always" ? {} : undefined);
      expect([refused.status, refused.body.code]).toEqual([403, "auth.forbidden"]);
    }
  }
  const foreign = await stranger.owner.post(`${approval}/allow-once`);
  expect([foreign.status, foreign.body.code]).toEqual([404, "approval.not_found"]);
  expect((await stranger.owner.get(APPROVALS)).body.data.approvals).toEqual([]);
  await settings({ developersMayApprove: true });
  expect((await developer.post(`${approval}/allow-once`)).status).toBe(200);
  await settings({ developersMayApprove: false });
});

test("an Idempotency-Key gets the same waiting execution, however it is asked for", async () => {
  const key = { "idempotency-key": "once" };
  const body = { arguments: { command: "once" } };
  const [first, second] = [
    await agent.post(`${TOOLS}/shell/execute`, body, key),
    await agent.post(`${TOOLS}/shell/execute`, body, key),
  ];
  expect([first?.status, second?.status]).toEqual([202, 202]);
  expect(second?.body.data).toEqual(first?.body.data);
  const { executionId, links } = first?.body.data ?? {};
  await owner.post(`${links.approval}/allow-once`);
  expect((await agent.post(`${TOOLS}/shell/execute`, body, key)).body.data).toMatchObject({
    executionId,
    status: "succeeded",
    result: "once",
  });
});

test("items of a batch wait one by one, and a replay waits too", async () => {
  await createTool(owner, "free", "return 'free';", { approval: "preApproved" });
  const executions = [{ tool: "free" }, { tool: "shell", arguments: { command: "batched" } }];
  const sent = await agent.post("/api/v1/executions/batch", { executions }, { "idempotency-key": "batch" });
  const [ran, waits] = sent.body.data.executions;
  expect([ran.status, waits.status]).toEqual(["queued", "awaiting_approval"]);
  const again = await agent.post("/api/v1/executions/batch", { executions }, { "idempotency-key": "batch" });
  expect(again.body.data.executions[1]).toEqual(waits);
  expect((await ended(ran.executionId)).result).toBe("free");
  expect((await owner.post(`${APPROVALS}/${waits.executionId}/allow-once`)).status).toBe(200);
  expect((await ended(waits.executionId)).result).toBe("batched");
  const replayed = (await agent.post(`/api/v1/executions/${waits.executionId}/replay`)).body.data;
  expect(replayed.status).toBe("awaiting_approval");
  expect((await owner.get(replayed.links.approval)).body.data.arguments).toEqual({ command: "batched" });
});

test("what waits can be cancelled, and then not be allowed", async () => {
  const inbox = await watch(owner);
  const { executionId, approval } = await ask("never mind");
  expect((await agent.post(`/api/v1/executions/${executionId}/cancel`)).body.data.status).toBe("cancelled");
  const late = await owner.post(`${approval}/allow-once`);
  expect([late.status, late.body.code]).toEqual([409, "approval.already_answered"]);
  // What earlier tests left waiting may expire meanwhile.
  expect((await nextNews(inbox, executionId)).event).toBe("approval.requested");
  expect((await nextNews(inbox, executionId)).data).toMatchObject({ answer: "cancel", by: "" });
});

test("the time that a person takes is not the tool's, and a tool switched off meanwhile does not run", async () => {
  const short = await ask("slowly", { timeoutMs: 60_000 });
  await owner.post(`${short.approval}/allow-once`);
  expect((await ended(short.executionId)).status).toBe("succeeded");
  await createTool(owner, "switched", "return 1;");
  const { executionId, links } = (await call(agent, "x", { mode: "async" }, "switched")).body.data;
  await owner.post(`${TOOLS}/switched/disable`);
  expect((await owner.post(`${links.approval}/allow-once`)).status).toBe(200);
  expect(await ended(executionId)).toMatchObject({ status: "failed", error: { code: "tool.not_active" } });
});
