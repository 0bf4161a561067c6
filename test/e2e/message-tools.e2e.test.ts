import { sharedProduct } from "@bulkhead/testing";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Server as TcpServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scriptedSmtp, type ReceivedMail } from "../../libs/egress/src/outside/scripted-smtp.ts";
import { newAgentTenant } from "../support/agents.ts";
import type { Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";

const product = await sharedProduct();
const SERVICES = "/api/v1/config-services";
const TOOLS = "/api/v1/custom-tools";
const LOGIN = { user: "tools", password: "pass-of-the-mailbox" };
const HOOK = "/services/T0/B0/secret-path-of-the-hook";

const posted: { url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
let mails: ReceivedMail[];
let owner: Client;
let agent: Client;
let stranger: Client;
let ofFew: Client;
const servers: (Server | TcpServer)[] = [];

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function channels(client: Client, of: Record<string, [kind: string, data: object]>): Promise<void> {
  for (const [name, [kind, data]] of Object.entries(of)) {
    await client.post(SERVICES, { name, kind });
    const made = await client.post(`${SERVICES}/${name}/entries`, { data });
    expect([name, made.status]).toEqual([name, 201]);
  }
}

beforeAll(async () => {
  const smtp = scriptedSmtp({ login: LOGIN });
  ({ mails } = smtp);
  const port = await listen(smtp.server);
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = request.url ?? "";
      posted.push({ url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const isRefused = url.startsWith("/refuses");
      response.writeHead(isRefused ? 404 : 200).end(isRefused ? `{"message":"no hook at ${url}"}` : "ok");
    });
  });
  const base = `http://127.0.0.1:${await listen(http)}`;
  ({ owner, one: agent } = await newAgentTenant(product));
  ({ one: stranger } = await newAgentTenant(product));
  ({ owner: ofFew } = await newAgentTenant(product, { messagesPerDay: 2 }));
  const mail = { host: "127.0.0.1", port, security: "none", ...LOGIN };
  const box = { ...mail, from: "Our Tools <tools@example.com>", recipients: "@example.com" };
  await channels(owner, {
    post: ["smtp", box],
    hook: ["webhook", { url: `${base}${HOOK}`, signingSecret: "whsec_c2VjcmV0c2VjcmV0" }],
    team: ["slack", { url: `${base}${HOOK}` }],
    guild: ["discord", { url: `${base}${HOOK}` }],
    bot: ["telegram", { token: "123456:secret-of-the-bot", chatId: "-100", base_url: base }],
    gone: ["discord", { url: `${base}/refuses${HOOK}` }],
  });
  await channels(ofFew, { post: ["smtp", box] });
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  }
});

const call = (client: Client, tool: string, args: object) =>
  client.post(`${TOOLS}/${tool}/execute`, { arguments: args });
const message = (client: Client, args: object) => call(client, "message", args);
const make = async (client: Client, name: string, code: string, more: object = {}) => {
  const made = await client.post(TOOLS, {
    name,
    description: "Tells.",
    parameters: { type: "object" },
    code,
    ...more,
  });
  expect(made.status).toBe(201);
  return made.body.data;
};
const NEEDS_POST = { permissions: ["email"], requiredConfigServices: [{ name: "post", kind: "smtp" }] };

test("a mail goes out by its channel, from the channel's sender", async () => {
  product.showLogsIfTestFails();
  const args = { channel: "post", to: ["ann@example.com"], subject: "Done", text: "All of it." };
  expect((await message(owner, args)).body.data).toMatchObject({
    status: "succeeded",
    result: { channel: "post", kind: "smtp", accepted: ["ann@example.com"], rejected: [] },
  });
  const { data, ...mail } = mails.at(-1)!;
  expect(mail).toEqual({ from: "tools@example.com", to: ["ann@example.com"], login: "tools", secure: false });
  expect(data).toMatch(/^From: Our Tools <tools@example\.com>\r\n/m);
  expect(data).toMatch(/^Subject: Done\r\n/m);
});

test("[G14] each other channel is sent its own form, and no answer holds its URL or token", async () => {
  const forms: Record<string, [url: string, body: object]> = {
    team: [HOOK, { text: "Hi\n\na &amp; b", mrkdwn: false }],
    guild: [HOOK, { content: "Hi\n\na & b", allowed_mentions: { parse: [] } }],
    bot: ["/bot123456:secret-of-the-bot/sendMessage", { chat_id: "-100", text: "Hi\n\na & b" }],
  };
  for (const [channel, [url, body]] of Object.entries(forms)) {
    const { data } = (await message(owner, { channel, subject: "Hi", text: "a & b" })).body;
    expect(data).toMatchObject({ status: "succeeded", result: { channel } });
    expect([posted.at(-1)?.url, JSON.parse(posted.at(-1)?.body ?? "")]).toEqual([url, body]);
    expect(JSON.stringify(data)).not.toMatch(/secret/);
  }
  const { executionId } = (await message(owner, { channel: "hook", text: "a" })).body.data;
  expect(JSON.parse(posted.at(-1)?.body ?? "")).toMatchObject({ channel: "hook", text: "a", executionId });
  expect(posted.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,/);
  const { error } = (await message(owner, { channel: "gone", text: "a" })).body.data;
  expect(error.message).toMatch(/refused the message with status 404\./);
  expect(error.message).not.toContain("secret-path");
});

test.each([
  [{ text: "a" }, /required/],
  [{ channel: "team" }, /required/],
  [{ channel: "team", text: "" }, /text/],
  [{ channel: "post", to: [], subject: "a", text: "a" }, /to/],
  [{ channel: "post", to: "ann@example.com", subject: "a".repeat(251), text: "a" }, /subject/],
  [{ channel: "team", text: "a", from: "boss@example.com" }, /additional|unknown|not allowed/i],
])("it refuses what its schema does not allow: %#", async (args, message_) => {
  const { status, body } = await message(owner, args);
  expect([status, body.code]).toEqual([400, "tool.arguments_invalid"]);
  expect(JSON.stringify(body.errors)).toMatch(message_);
});

test.each([
  [
    { channel: "post", to: "eve@evil.example", subject: "a", text: "a" },
    /may not write to eve@evil\.example/,
  ],
  [
    { channel: "post", to: "ann@example.com\r\nBcc: eve@evil.example", subject: "a", text: "a" },
    /to\.0: must be one plain address/,
  ],
  [
    { channel: "post", to: "ann@example.com", subject: "a\r\nBcc: eve@evil.example", text: "a" },
    /subject: must be one line/,
  ],
  [{ channel: "post", text: "a" }, /^to: is required$/],
  [{ channel: "team", to: "ann@example.com", text: "a" }, /writes to one place/],
  [{ channel: "guild", text: "a".repeat(2_001) }, /discord takes 2000 at most/],
  [{ channel: "none", text: "a" }, /no channel "none"/],
])("%j fails in words that a model can use, and nothing is sent", async (args, words) => {
  const before = mails.length + posted.length;
  const { status, error } = (await message(owner, args)).body.data;
  expect([status, error.code]).toEqual(["failed", "tool.threw"]);
  expect(error.message).toMatch(words);
  expect(mails.length + posted.length).toBe(before);
});

test("code sends by the channels that its tool names, with what is secret covered", async () => {
  const { warnings } = await make(
    owner,
    "tells",
    `const sent = await utils.email.send({ to: "ann@example.com", subject: "Token", text: "it is ghp_${"a1B2".repeat(9)}" });
     const refused = await utils.email.send({ to: "bob@example.com", subject: "a", text: "a", channel: "other" }).catch(({ code }) => code);
     const passed = await utils.callTool("message", { channel: "team", text: "a" }).catch(({ code }) => code);
     return { sent, refused, passed };`,
    NEEDS_POST,
  );
  expect(warnings ?? []).toEqual([]);
  expect((await call(owner, "tells", {})).body.data.result).toMatchObject({
    sent: { covered: true, accepted: ["ann@example.com"] },
    refused: "not_found",
    passed: "not_found",
  });
  expect(mails.at(-1)?.data).toContain("it is [REDACTED]");
});

test("[G9] without the permission there is none, and a tool without a channel is told so when it is made", async () => {
  await make(owner, "silent", "return typeof utils.email");
  expect((await call(owner, "silent", {})).body.data.result).toBe("undefined");
  const code = `return utils.email.send({ to: "ann@example.com", subject: "a", text: "a" })`;
  const { warnings } = await make(owner, "mute", code, { permissions: ["email"] });
  expect(warnings).toEqual([expect.stringContaining("none of its services is a channel")]);
  expect((await call(owner, "mute", {})).body.data.error.message).toMatch(/no mail channel here/);
});

test("[G14] a tenant sends as many as its limit lets it, each recipient counted", async () => {
  const args = { channel: "post", to: ["a@example.com", "b@example.com"], subject: "a", text: "a" };
  expect((await message(ofFew, args)).body.data.status).toBe("succeeded");
  const { error } = (await message(ofFew, { ...args, to: "a@example.com" })).body.data;
  expect(error.message).toMatch(/limit of 2 messages a day is reached/);
  const { limits } = (await ofFew.get("/api/v1/me")).body.data;
  expect(limits.messagesPerDay).toBe(2);
});

test("an agent is let by a word of it alone, also of one channel; another tenant's has none of them", async () => {
  const settings = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
  const args = { channel: "team", text: "a" };
  const before = posted.length;
  expect((await message(agent, args)).body.data?.result).toBeUndefined();
  expect((await message(stranger, args)).body.data?.result).toBeUndefined();
  expect(posted).toHaveLength(before);
  await settings({
    rules: [{ tool: "message", argument: "/channel", pattern: "team", decision: "preApproved" }],
  });
  expect((await message(agent, args)).body.data.status).toBe("succeeded");
  await settings({ tools: { message: "blocked" } });
  expect((await message(agent, args)).body.code).toBe("tool.blocked");
  const misspelt = (await settings({ tools: { mesage: "ask" }, rules: [] })).body.data;
  expect(misspelt).toMatchObject({
    approval: { tools: { mesage: "ask" } },
    warnings: [{ path: "approval.tools.mesage" }],
  });
  expect((await settings({ tools: {} })).body.data).not.toHaveProperty("warnings");
  const shown = async (client: Client) =>
    (await client.get("/api/v1/built-in-tools")).body.data.tools.find(
      ({ name }: { name: string }) => name === "message",
    );
  expect((await shown(stranger)).engine).toEqual({
    available: false,
    missing: expect.stringContaining("No channel is set up"),
  });
  expect(await shown(owner)).toMatchObject({
    group: "messaging",
    permission: "email",
    letBy: "name",
    engine: { available: true, missing: null },
  });
});

test("an agent is told which channels there are, at each door that shows it the tool", async () => {
  const ALL = "bot (telegram), gone (discord), guild (discord), hook (webhook), post (smtp), team (slack)";
  const body = JSON.stringify({ alsoAllow: ["message"] });
  const headers = { authorization: `Bearer ${owner.key}`, "content-type": "application/json" };
  await fetch(`${product.url}/api/v1/policy`, { method: "PUT", headers, body });
  const defined = async (format: string) =>
    JSON.stringify((await agent.get(`${TOOLS}/active/definitions?format=${format}`)).body.data.tools);
  const described = await agent.post("/api/v1/meta-tools/describe_tools", { names: ["message"] });
  const mcp = JSON.stringify((await (await connectMcp(product, agent, "auto")).listTools()).tools);
  const listed = JSON.stringify((await agent.get("/api/v1/built-in-tools")).body.data.tools);
  for (const text of [listed, mcp, await defined("anthropic"), JSON.stringify(described.body.data.tools)])
    expect(text).toContain(`For channel this tenant has ${ALL}.`);
  const rule = { tool: "message", argument: "/channel", pattern: "post", decision: "blocked" };
  await owner.patch("/api/v1/tenant/settings", { approval: { rules: [rule] } });
  expect(await defined("openai")).not.toContain("post (smtp)");
  await channels(owner, { later: ["slack", { url: `https://hooks.example.com${HOOK}` }] });
  expect(await defined("openai")).toContain("hook (webhook), later (slack), team (slack).");
  const others = JSON.stringify((await stranger.get("/api/v1/built-in-tools")).body.data.tools);
  expect(others).toContain("For channel this tenant has none yet.");
  expect(others).not.toContain("guild (");
});
