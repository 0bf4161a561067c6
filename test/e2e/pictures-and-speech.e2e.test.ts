import { sharedProduct } from "@bulkhead/testing";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";

const product = await sharedProduct();
const KEY = "media-key-4711-abcdef";
const SERVICES = "/api/v1/config-services";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const MP3 = Buffer.from(`fffb90640000${"00".repeat(40)}`, "hex");
const OPUS = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("OpusHead")]);
const WAV = Buffer.concat([
  Buffer.from("RIFF\u0000\u0000\u0000\u0000WAVEdata\u00ff\u00ff\u00ff\u007f", "latin1"),
  Buffer.alloc(8, 1),
]);

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}
let server: Server;
let base: string;
let owner: Client;
let agent: Client;
let other: Client;
let stranger: Client;
let seen: Seen[] = [];
let answer: (response: ServerResponse, url: string) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method, url = "", headers } = request;
      seen.push({ method, url, headers, body });
      answer(response, url);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ owner, one: agent, two: other } = await newAgentTenant(product));
  ({ owner: stranger } = await newAgentTenant(product));
});
beforeEach(() => void (seen = []));
afterAll(() => {
  server?.close();
  server?.closeAllConnections();
});

const gives = (body: Buffer | object, status = 200, headers: Record<string, string> = {}) =>
  void (answer = (response) => {
    response.writeHead(status, headers);
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
const picture = { data: [{ b64_json: PNG.toString("base64"), revised_prompt: "A red ship" }] };

async function setUp(name: string, kind: string, data: object): Promise<void> {
  await owner.delete(`${SERVICES}/${name}`);
  expect((await owner.post(SERVICES, { name, kind })).status).toBe(201);
  const made = await owner.post(`${SERVICES}/${name}/entries`, { data });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
}
const call = async (tool: string, args: object, by = owner, more: object = {}) =>
  (await by.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args, ...more })).body;
const failure = async (...asked: Parameters<typeof call>) => (await call(...asked)).data.error.message;
const engineOf = async (tool: string, by = owner) =>
  (await by.get("/api/v1/built-in-tools")).body.data.tools.find(({ name }: { name: string }) => name === tool)
    .engine;
const read = async (path: string, by: Client, query = "") => {
  const response = await fetch(`${product.url}/api/v1/files/${path}${query}`, {
    headers: { authorization: `Bearer ${by.key}` },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe("image", () => {
  test("without a model it is not there, and says what to enter", async () => {
    product.showLogsIfTestFails();
    expect(await engineOf("image")).toEqual({
      available: false,
      missing: expect.stringContaining('make a service "image" of the kind image'),
    });
    expect(await failure("image", { prompt: "a ship" })).toMatch(/No model for pictures is set up/);
  });

  test("asks the tenant's model, and its picture is content that is billed as requests", async () => {
    await setUp("image", "image", { base_url: `${base}/v1`, api_key: KEY, model: "flux" });
    gives(picture);
    const { data } = await call("image", { prompt: "a ship", size: "256x256" });
    expect(data).toMatchObject({
      status: "succeeded",
      result: {
        content: [
          { type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
          { json: { model: "flux", pictures: [{ revisedPrompt: "A red ship", bytes: PNG.length }] } },
        ],
      },
    });
    expect(data.metadata.usage.networkRequests).toBe(1);
    expect(seen).toMatchObject([
      { method: "POST", url: "/v1/images/generations", headers: { authorization: `Bearer ${KEY}` } },
    ]);
    const asked = { model: "flux", prompt: "a ship", n: 1, size: "256x256", response_format: "b64_json" };
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual(asked);
    expect(await engineOf("image")).toEqual({ available: true, missing: null });
  });

  test("fetches a picture from where it lies, without the key", async () => {
    answer = (response, url) =>
      void response.end(url === "/1.png" ? PNG : JSON.stringify({ data: [{ url: `${base}/1.png` }] }));
    expect((await call("image", { prompt: "a ship" })).data.status).toBe("succeeded");
    expect(seen.map(({ url }) => url)).toEqual(["/v1/images/generations", "/1.png"]);
    expect(seen[1]?.headers.authorization).toBeUndefined();
  });

  test("saves into the caller's own workspace, which nobody else sees", async () => {
    await owner.patch("/api/v1/tenant/settings", { approval: { tools: { image: "preApproved" } } });
    gives({ data: [...picture.data, ...picture.data] });
    const context = { userId: "ann" };
    const { data } = await call("image", { prompt: "a", n: 2, saveAs: "art/ship.webp" }, agent, { context });
    expect(data.result).toMatchObject({
      files: [{ path: "art/ship.png", size: PNG.length, mimeType: "image/png" }, { path: "art/ship-2.png" }],
    });
    const ofAnn = "?agentId=one&userId=ann";
    expect(await read("art/ship-2.png", owner, ofAnn)).toEqual({ status: 200, bytes: PNG });
    expect((await read("art/ship.png", owner, "?agentId=one&userId=bob")).status).toBe(404);
    expect((await read("art/ship.png", other)).status).toBe(404);
    expect((await read("art/ship.png", stranger, ofAnn)).status).toBe(404);
    expect(await failure("image", { prompt: "a", saveAs: "../ship.png" })).toMatch(/saveAs: /);
    expect(seen).toHaveLength(1);
  });

  test.each([
    [400, { error: { code: "moderation_blocked", message: "Not that." } }, /by its rules: Not that/],
    [429, { error: { code: "insufficient_quota" } }, /nothing left on its plan/],
    [429, {}, /try again in 7 seconds/],
    [401, { error: { message: `wrong key ${KEY}` } }, /refused the key \(401\).*service "image"/],
    [500, { error: { message: `${KEY} broke` } }, /status 500: \[REDACTED\] broke/],
    [302, {}, /redirect/],
    [200, { data: [{ b64_json: Buffer.from("<svg/>").toString("base64") }] }, /no picture in PNG/],
    [200, Buffer.alloc(17 * 1_024 * 1_024, "a"), /bytes/],
  ])("an answer %i is told in words, and never with the key", async (status, body, message) => {
    gives(body, status, {
      "retry-after": "7",
      ...(status === 302 && { location: "https://elsewhere.example/" }),
    });
    const { data } = await call("image", { prompt: "a ship" });
    expect([data.status, data.error.message]).toEqual(["failed", expect.stringMatching(message)]);
    expect(JSON.stringify(data)).not.toContain(KEY);
  });

  test.each([
    [{}, /required/],
    [{ prompt: " " }, /prompt/],
    [{ prompt: "a", n: 5 }, /\bn\b/],
    [{ prompt: "a", size: "big" }, /size/],
    [{ prompt: "a", saveAs: "a.svg" }, /saveAs/],
    [{ prompt: "a", seed: 1 }, /additional|unknown|not allowed/i],
  ])("%j is refused by its schema", async (args, message) => {
    const { code, errors } = await call("image", args);
    expect(code).toBe("tool.arguments_invalid");
    expect(JSON.stringify(errors)).toMatch(message);
  });

  test("permission and hosts are the caller's", async () => {
    gives(picture);
    const code = "return utils.callTool('image', { prompt: 'a ship', ...args });";
    await createTool(owner, "offline_image", code);
    await createTool(owner, "fenced_image", code, {
      permissions: ["network"],
      allowedHosts: ["example.com"],
    });
    await createTool(owner, "online_image", code, { permissions: ["network"] });
    expect(await failure("offline_image", {})).toMatch(/network/);
    expect((await call("fenced_image", {})).data.error.code).toBe("tool.egress_denied");
    expect(seen).toEqual([]);
    expect((await call("online_image", {})).data.status).toBe("succeeded");
  });
});

describe("tts", () => {
  const own = { voice: "v-1", api_key: KEY };
  test.each([
    ["openai", "/v1/audio/speech", { authorization: `Bearer ${KEY}` }, MP3, {}],
    [
      "elevenlabs",
      "/v1/text-to-speech/v-1?output_format=opus_48000_64",
      { "xi-api-key": KEY },
      OPUS,
      { format: "opus" },
    ],
    ["edge", "/v1/cognitiveservices/v1", { "ocp-apim-subscription-key": KEY }, WAV, { format: "wav" }],
    [
      "minimax",
      "/v1/t2a_v2",
      { authorization: `Bearer ${KEY}` },
      { base_resp: { status_code: 0 }, data: { audio: MP3.toString("hex") } },
      {},
    ],
  ])("%s is asked as its API is, and its answer is sound", async (provider, url, headers, body, more) => {
    await setUp("tts", "speech", { provider, base_url: `${base}/v1`, ...own });
    gives(body);
    const { data } = await call("tts", { text: "Ships & <sails>", ...more });
    expect(data).toMatchObject({
      status: "succeeded",
      result: { content: [{ type: "audio" }, { json: { provider, voice: "v-1" } }] },
    });
    expect(seen).toMatchObject([{ method: "POST", url, headers }]);
    expect(seen[0]?.body).toContain(provider === "edge" ? "Ships &amp; &lt;sails&gt;" : "Ships & <sails>");
    expect(JSON.stringify(data)).not.toContain(KEY);
  });

  test("a second provider stands beside the first, by its name", async () => {
    await setUp("tts", "speech", { provider: "edge", base_url: base, ...own });
    await setUp("tts_openai", "speech", { provider: "openai", base_url: `${base}/v1`, ...own });
    gives(MP3);
    const said = { text: "a", provider: "openai", saveAs: "a.mp3" };
    expect((await call("tts", said)).data.result).toMatchObject({
      provider: "openai",
      files: [{ path: "a.mp3" }],
    });
    expect((await read("a.mp3", owner)).bytes).toEqual(MP3);
    expect(await failure("tts", { text: "a", provider: "minimax" })).toMatch(/minimax is not set up/);
    expect(await failure("tts", { text: "a", provider: "openai", language: "de" })).toMatch(
      /^.*language: openai/,
    );
    expect(await failure("tts", { text: "a", provider: "openai" }, stranger)).toMatch(/openai is not set up/);
    expect(seen).toHaveLength(1);
  });

  test.each([
    [{ text: " " }, /text/],
    [{ text: "a".repeat(4_097) }, /text/],
    [{ text: "a", voice: "../../etc/passwd" }, /voice/],
    [{ text: "a", voice: "--help" }, /voice/],
    [{ text: "a", language: "de_DE" }, /language/],
    [{ text: "a", speed: 9 }, /speed/],
    [{ text: "a", format: "flac" }, /format/],
    [{ text: "a", provider: "siri" }, /provider/],
    [{ text: "a", saveAs: "a.png" }, /saveAs/],
  ])("%j is refused by its schema", async (args, message) => {
    const { code, errors } = await call("tts", args);
    expect(code).toBe("tool.arguments_invalid");
    expect(JSON.stringify(errors)).toMatch(message);
  });

  test("a tool without the network may call it, and an endpoint is refused by name; a file needs its permission", async () => {
    const code = "return utils.callTool('tts', { text: 'a', provider: 'openai', ...args });";
    await createTool(owner, "offline_tts", code);
    await createTool(owner, "online_tts", code, { permissions: ["network"] });
    gives(MP3);
    expect(await failure("offline_tts", {})).toMatch(/openai uses the network/);
    await createTool(owner, "saving_tts", code.replace("...args", "saveAs: 'a.mp3'"), {
      permissions: ["network"],
    });
    expect(await failure("saving_tts", {})).toMatch(/"tts" with saveAs needs the permission filesystem/);
    expect(seen).toEqual([]);
    expect((await call("online_tts", {})).data.status).toBe("succeeded");
  });

  test("a secret of the run is not said", async () => {
    await owner.post(SERVICES, { name: "vault", delivery: "reveal", allowedHosts: [] });
    await owner.post(`${SERVICES}/vault/entries`, { data: { api_key: "very-secret-word-4711" } });
    const code = `return utils.callTool('tts', { text: 'It is ' + await utils.getApiKey('vault'), provider: 'openai' });`;
    const needs = { permissions: ["network"], requiredConfigServices: [{ name: "vault" }] };
    await createTool(owner, "telling_tts", code, needs);
    gives(MP3);
    const { data } = await call("telling_tts", {});
    expect(data.status).toBe("succeeded");
    expect(JSON.parse(seen[0]?.body ?? "{}").input).toBe("It is [REDACTED]");
  });
});

test("an agent needs a word of each by its name, and its policy shows and hides them", async () => {
  gives(MP3);
  await owner.patch("/api/v1/tenant/settings", { approval: { tools: {} } });
  const said = { text: "a", provider: "openai" };
  expect((await call("tts", said, agent)).data.status).toBe("awaiting_approval");
  await owner.patch("/api/v1/tenant/settings", { approval: { tools: { tts: "preApproved" } } });
  expect((await call("tts", said, agent)).data.status).toBe("succeeded");
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  expect((await put({ allow: ["image", "tts"] })).status).toBe(200);
  const { tools } = (await agent.get("/api/v1/custom-tools/active/definitions")).body.data;
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(["image", "tts"]);
  expect((await put({ deny: ["tts"] })).status).toBe(200);
  expect((await call("tts", said, agent)).code).toBe("tool.not_found");
  expect((await put({})).status).toBe(200);
});

test("the fields of both kinds are the product's, and code is told nothing of them", async () => {
  const { data } = (await owner.get(`${SERVICES}/tts`)).body;
  expect(data.configSchema.map(({ name }: { name: string }) => name)).toEqual([
    "provider",
    "base_url",
    "api_key",
    "region",
    "model",
    "voice",
  ]);
  const bad = await owner.post(`${SERVICES}/tts/entries`, {
    label: "b",
    data: { provider: "edge", region: "a/b" },
  });
  expect(bad.status).toBeGreaterThanOrEqual(400);
  const code = "return utils.getConfig('tts').then((all) => JSON.stringify(all ?? null), (e) => e.message);";
  const needs = { requiredConfigServices: [{ name: "tts", kind: "speech" }] };
  await createTool(owner, "peeks", code, needs);
  expect(JSON.stringify(await call("peeks", {}))).not.toContain("media-key");
});
