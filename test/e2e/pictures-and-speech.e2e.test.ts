import { everyNth } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { MEDIA_KEY, MP3, PNG, useMediaWorld } from "../support/media-world.ts";

const world = await useMediaWorld();
const SERVICES = "/api/v1/config-services";

let agent: Client;
let other: Client;
let stranger: Client;
beforeAll(async () => {
  ({ owner: stranger } = await newAgentTenant(world.product));
  ({ one: agent, two: other } = world.tenant!);
});

const picture = { data: [{ b64_json: PNG.toString("base64"), revised_prompt: "A red ship" }] };
const engineOf = async (tool: string) =>
  (await world.owner.get("/api/v1/built-in-tools")).body.data.tools.find(
    ({ name }: { name: string }) => name === tool,
  ).engine;

describe("image", () => {
  test("without a model it is not there, and says what to enter", async () => {
    world.product.showLogsIfTestFails();
    expect(await engineOf("image")).toEqual({
      available: false,
      missing: expect.stringContaining('make a service "image" of the kind image'),
    });
    expect(await world.failure("image", { prompt: "a ship" })).toMatch(/No model for pictures is set up/);
  });

  test("asks the tenant's model, and its picture is content that is billed as requests", async () => {
    await world.setUp("image", "image", { base_url: `${world.base}/v1`, api_key: MEDIA_KEY, model: "flux" });
    world.gives(picture);
    const { data } = await world.call("image", { prompt: "a ship", size: "256x256" });
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
    expect(world.seen).toMatchObject([
      { method: "POST", url: "/v1/images/generations", headers: { authorization: `Bearer ${MEDIA_KEY}` } },
    ]);
    const asked = { model: "flux", prompt: "a ship", n: 1, size: "256x256", response_format: "b64_json" };
    expect(JSON.parse(world.seen[0]?.body ?? "")).toEqual(asked);
    expect(await engineOf("image")).toEqual({ available: true, missing: null });
  });

  test("fetches a picture from where it lies, without the key", async () => {
    world.answer = (response, url) =>
      void response.end(url === "/1.png" ? PNG : JSON.stringify({ data: [{ url: `${world.base}/1.png` }] }));
    expect((await world.call("image", { prompt: "a ship" })).data.status).toBe("succeeded");
    expect(world.seen.map(({ url }) => url)).toEqual(["/v1/images/generations", "/1.png"]);
    expect(world.seen[1]?.headers.authorization).toBeUndefined();
  });

  test("saves into the caller's own workspace, which nobody else sees", async () => {
    await world.owner.patch("/api/v1/tenant/settings", { approval: { tools: { image: "preApproved" } } });
    world.gives({ data: [...picture.data, ...picture.data] });
    const context = { userId: "ann" };
    const { data } = await world.call("image", { prompt: "a", n: 2, saveAs: "art/ship.webp" }, agent, {
      context,
    });
    expect(data.result).toMatchObject({
      files: [{ path: "art/ship.png", size: PNG.length, mimeType: "image/png" }, { path: "art/ship-2.png" }],
    });
    const ofAnn = "?agentId=one&userId=ann";
    expect(await world.read("art/ship-2.png", world.owner, ofAnn)).toEqual({ status: 200, bytes: PNG });
    expect((await world.read("art/ship.png", world.owner, "?agentId=one&userId=bob")).status).toBe(404);
    expect((await world.read("art/ship.png", other)).status).toBe(404);
    expect((await world.read("art/ship.png", stranger, ofAnn)).status).toBe(404);
    expect(await world.failure("image", { prompt: "a", saveAs: "../ship.png" })).toMatch(/saveAs: /);
    expect(world.seen).toHaveLength(1);
  });

  const ANSWERS: [number, object, RegExp][] = [
    [400, { error: { code: "moderation_blocked", message: "Not that." } }, /by its rules: Not that/],
    [429, { error: { code: "insufficient_quota" } }, /nothing left on its plan/],
    [429, {}, /try again in 7 seconds/],
    [401, { error: { message: `wrong key ${MEDIA_KEY}` } }, /refused the key \(401\).*service "image"/],
    [500, { error: { message: `${MEDIA_KEY} broke` } }, /status 500: \[REDACTED\] broke/],
    [302, {}, /redirect/],
    [200, { data: [{ b64_json: Buffer.from("<svg/>").toString("base64") }] }, /no picture in PNG/],
    [200, Buffer.alloc(17 * 1_024 * 1_024, "a"), /bytes/],
  ];
  test.each(everyNth(ANSWERS, 2))(
    "an answer %i is told in words, and never with the key",
    async (status, body, message) => {
      world.gives(body, status, {
        "retry-after": "7",
        ...(status === 302 && { location: "https://elsewhere.example/" }),
      });
      const { data } = await world.call("image", { prompt: "a ship" });
      expect([data.status, data.error.message]).toEqual(["failed", expect.stringMatching(message)]);
      expect(JSON.stringify(data)).not.toContain(MEDIA_KEY);
    },
  );

  test.each([
    [{}, /required/],
    [{ prompt: " " }, /prompt/],
    [{ prompt: "a", n: 5 }, /\bn\b/],
    [{ prompt: "a", size: "big" }, /size/],
    [{ prompt: "a", saveAs: "a.svg" }, /saveAs/],
    [{ prompt: "a", seed: 1 }, /additional|unknown|not allowed/i],
  ])("%j is refused by its schema", async (args, message) => {
    const { code, errors } = await world.call("image", args);
    expect(code).toBe("tool.arguments_invalid");
    expect(JSON.stringify(errors)).toMatch(message);
  });

  test("permission and hosts are the caller's", async () => {
    world.gives(picture);
    const code = "return utils.callTool('image', { prompt: 'a ship', ...args });";
    await createTool(world.owner, "offline_image", code);
    await createTool(world.owner, "fenced_image", code, {
      permissions: ["network"],
      allowedHosts: ["example.com"],
    });
    await createTool(world.owner, "online_image", code, { permissions: ["network"] });
    expect(await world.failure("offline_image", {})).toMatch(/network/);
    expect((await world.call("fenced_image", {})).data.error.code).toBe("tool.egress_denied");
    expect(world.seen).toEqual([]);
    expect((await world.call("online_image", {})).data.status).toBe("succeeded");
  });
});

test("an agent needs a word of each by its name, and its policy shows and hides them", async () => {
  await world.setUp("tts", "speech", {
    provider: "openai",
    base_url: `${world.base}/v1`,
    api_key: MEDIA_KEY,
  });
  world.gives(MP3);
  await world.owner.patch("/api/v1/tenant/settings", { approval: { tools: {} } });
  const said = { text: "a", provider: "openai" };
  expect((await world.call("tts", said, agent)).data.status).toBe("awaiting_approval");
  await world.owner.patch("/api/v1/tenant/settings", { approval: { tools: { tts: "preApproved" } } });
  expect((await world.call("tts", said, agent)).data.status).toBe("succeeded");
  const put = (policy: object) =>
    fetch(`${world.product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${world.owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  expect((await put({ allow: ["image", "tts"] })).status).toBe(200);
  const { tools } = (await agent.get("/api/v1/custom-tools/active/definitions")).body.data;
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(["image", "tts"]);
  expect((await put({ deny: ["tts"] })).status).toBe(200);
  expect((await world.call("tts", said, agent)).code).toBe("tool.not_found");
  expect((await put({})).status).toBe(200);
});

test("clients of MCP get pictures as images and speech as audio", async () => {
  const tools = { image: "preApproved", tts: "preApproved" };
  await world.owner.patch("/api/v1/tenant/settings", { approval: { tools } });
  const client = await connectMcp(world.product, world.owner, "auto");
  world.gives(picture);
  const drawn = await client.callTool({ name: "image", arguments: { prompt: "a ship" } });
  expect(drawn.content).toContainEqual({
    type: "image",
    data: PNG.toString("base64"),
    mimeType: "image/png",
  });
  world.gives(MP3);
  const said = await client.callTool({ name: "tts", arguments: { text: "a", provider: "openai" } });
  expect(said.content).toContainEqual({
    type: "audio",
    data: MP3.toString("base64"),
    mimeType: "audio/mpeg",
  });
});

test("the fields of both kinds are the product's, and code is told nothing of them", async () => {
  const { data } = (await world.owner.get(`${SERVICES}/tts`)).body;
  expect(data.configSchema.map(({ name }: { name: string }) => name)).toEqual([
    "provider",
    "base_url",
    "api_key",
    "region",
    "model",
    "voice",
  ]);
  const bad = await world.owner.post(`${SERVICES}/tts/entries`, {
    label: "b",
    data: { provider: "edge", region: "a/b" },
  });
  expect(bad.status).toBeGreaterThanOrEqual(400);
  const code = "return utils.getConfig('tts').then((all) => JSON.stringify(all ?? null), (e) => e.message);";
  const needs = { requiredConfigServices: [{ name: "tts", kind: "speech" }] };
  await createTool(world.owner, "peeks", code, needs);
  expect(JSON.stringify(await world.call("peeks", {}))).not.toContain("media-key");
});
