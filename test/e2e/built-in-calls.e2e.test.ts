import { sharedProduct } from "@bulkhead/testing";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
const EXECUTE = "/api/v1/custom-tools/web_fetch/execute";
let site: Server;
let url: string;
let tenantId: string;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<title>News</title><p>Ships sail.</p>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const tenant = await newTenant(product);
  ({ id: tenantId, owner } = tenant);
  agent = await newClient(product, tenantId, "agent");
});

afterAll(() => void site?.close());

const PAGE = { title: "News", text: "Ships sail.", status: 200, truncated: false };

test("a built-in tool is called by its name like one of the tenant's own", async () => {
  product.showLogsIfTestFails();
  const { status, body } = await owner.post(EXECUTE, { arguments: { url } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: "succeeded",
    tool: "web_fetch",
    isError: false,
    result: PAGE,
    metadata: { usage: { networkRequests: 1 } },
  });
  const { data } = (await owner.get(`/api/v1/executions/${body.data.executionId}`)).body;
  expect(data).toMatchObject({ toolId: null, toolName: "web_fetch", arguments: { url }, attempts: 1 });
  const listed = (await owner.get("/api/v1/executions?tool=web_fetch")).body.data.executions;
  expect(listed.map(({ id }: { id: string }) => id)).toContain(data.id);
});

test("it is accepted once per key, streamed, and called in a batch beside others", async () => {
  const once = { "idempotency-key": "built-in" };
  const [first, second] = [
    await owner.post(EXECUTE, { arguments: { url } }, once),
    await owner.post(EXECUTE, { arguments: { url } }, once),
  ];
  expect(second.body.data.executionId).toBe(first.body.data.executionId);
  expect((await owner.post(EXECUTE, { arguments: { url: `${url}other` } }, once)).status).toBe(409);

  const executions = [
    { tool: "web_fetch", arguments: { url } },
    { tool: "web_fetch", arguments: {} },
    { tool: "web_fetch", arguments: { url }, version: 1 },
    { tool: "no_such_tool" },
  ];
  const { body } = await owner.post("/api/v1/executions/batch", { executions });
  const [accepted, ...refused] = body.data.executions;
  expect(refused.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
    "tool.arguments_invalid",
    "tool.version_not_found",
    "tool.not_found",
  ]);
  const events = await (await owner.follow(accepted.executionId)).rest();
  expect(events.map(({ event }) => event)).toEqual([
    "execution.queued",
    "execution.started",
    "execution.succeeded",
  ]);
});

test("its arguments are checked by its schema, and what it may not reach is refused as to any tool", async () => {
  const wrong = await owner.post(EXECUTE, { arguments: { url, maxLength: "ten" } });
  expect(wrong.status).toBe(400);
  expect(wrong.body).toMatchObject({
    code: "tool.arguments_invalid",
    errors: [{ path: expect.stringContaining("maxLength") }],
  });
  const { body } = await owner.post(EXECUTE, { arguments: { url: "http://[fd00::1]/" } });
  expect(body.data).toMatchObject({ status: "failed", error: { code: "tool.egress_denied" } });
});

const setTo = (decision: string) =>
  owner.patch("/api/v1/tenant/settings", { approval: { tools: { web_fetch: decision } } });

test("an agent's call waits for a person, and runs once it is allowed", async () => {
  const asked = await agent.post(EXECUTE, { arguments: { url } });
  expect(asked.status).toBe(202);
  const { executionId, links } = asked.body.data;
  expect((await owner.get(links.approval)).body.data).toMatchObject({
    kind: "execution",
    toolId: null,
    toolName: "web_fetch",
    toolVersion: 0,
    arguments: { url },
    status: "waiting",
  });
  const listed = (await owner.get("/api/v1/approvals")).body.data.approvals;
  expect(listed.map((one: { executionId: string }) => one.executionId)).toEqual([executionId]);
  expect((await agent.post(`${links.approval}/allow-once`, {})).body.code).toBe("auth.forbidden");
  // Other arguments are checked by the tool's own parameters.
  const wrong = await owner.post(`${links.approval}/allow-once`, { arguments: { url: 1 } });
  expect(wrong.body.code).toBe("tool.arguments_invalid");
  const changed = { arguments: { url, maxLength: 5 } };
  expect((await owner.post(`${links.approval}/allow-once`, changed)).status).toBe(200);
  await (await owner.follow(executionId)).rest();
  const { data } = (await agent.get(`/api/v1/executions/${executionId}`)).body;
  expect(data).toMatchObject({ status: "succeeded", result: { text: "Ships", truncated: true } });
});

test("a denied call tells why, and one that is blocked meanwhile can't be allowed", async () => {
  const denied = (await agent.post(EXECUTE, { arguments: { url } })).body.data;
  await owner.post(`${denied.links.approval}/deny`, { reason: "not now" });
  const { data } = (await agent.get(`/api/v1/executions/${denied.executionId}`)).body;
  expect(data).toMatchObject({ status: "denied", error: { message: expect.stringContaining("not now") } });
  const waiting = (await agent.post(EXECUTE, { arguments: { url } })).body.data;
  await setTo("blocked");
  expect((await owner.post(`${waiting.links.approval}/allow-once`, {})).body.code).toBe("tool.blocked");
  await setTo("ask");
  expect((await owner.post(`${waiting.links.approval}/allow-once`, {})).status).toBe(200);
});

test("what is allowed always becomes a rule of the settings, and asks nobody again", async () => {
  const { links } = (await agent.post(EXECUTE, { arguments: { url } })).body.data;
  const scope = { argument: "/url", pattern: `${url}*` };
  expect((await owner.post(`${links.approval}/allow-always`, scope)).status).toBe(200);
  const { rules } = (await owner.get("/api/v1/tenant/settings")).body.data.approval;
  expect(rules).toEqual([{ tool: "web_fetch", ...scope, decision: "preApproved" }]);
  expect((await agent.post(EXECUTE, { arguments: { url: `${url}x` } })).body.data.result).toMatchObject(PAGE);
  expect((await agent.post(EXECUTE, { arguments: { url: "https://example.com" } })).status).toBe(202);
  await owner.patch("/api/v1/tenant/settings", { approval: { rules: [] } });
});

test("a call of a batch waits like any other", async () => {
  const executions = [{ tool: "web_fetch", arguments: { url } }];
  const { body } = await agent.post("/api/v1/executions/batch", { executions });
  expect(body.data.executions).toMatchObject([{ status: "awaiting_approval" }]);
});

test("an agent calls it where the tenant lets agents do so without asking", async () => {
  await owner.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } });
  expect((await agent.post(EXECUTE, { arguments: { url } })).status).toBe(202);
  expect((await setTo("preApproved")).status).toBe(200);
  expect((await agent.post(EXECUTE, { arguments: { url } })).body.data).toMatchObject({ result: PAGE });
  await setTo("blocked");
  expect((await agent.post(EXECUTE, { arguments: { url } })).body.code).toBe("tool.blocked");
  expect((await owner.post(EXECUTE, { arguments: { url } })).status).toBe(200);
});

test("it is no tool of the tenant's: nobody reads, changes or deletes it", async () => {
  for (const answer of [
    await owner.get("/api/v1/custom-tools/web_fetch"),
    await owner.patch("/api/v1/custom-tools/web_fetch", { description: "mine" }),
    await owner.delete("/api/v1/custom-tools/web_fetch"),
  ])
    expect(answer.body.code).toBe("tool.not_found");
  const { executionId } = (await owner.post(EXECUTE, { arguments: { url } })).body.data;
  const replay = await owner.post(`/api/v1/executions/${executionId}/replay`);
  expect(replay.body.code).toBe("execution.not_replayable");
});
