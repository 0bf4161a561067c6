import { everyNth } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { createTool, newTenant } from "../support/client.ts";
import { MEDIA_KEY, MP3, useMediaWorld } from "../support/media-world.ts";

const world = await useMediaWorld();
const SERVICES = "/api/v1/config-services";
const OPUS = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("OpusHead")]);
const WAV = Buffer.concat([
  Buffer.from("RIFF\u0000\u0000\u0000\u0000WAVEdata\u00ff\u00ff\u00ff\u007f", "latin1"),
  Buffer.alloc(8, 1),
]);

describe("tts", () => {
  const own = { voice: "v-1", api_key: MEDIA_KEY };
  const PROVIDERS: [string, string, object, Buffer | object, object][] = [
    ["openai", "/v1/audio/speech", { authorization: `Bearer ${MEDIA_KEY}` }, MP3, {}],
    [
      "elevenlabs",
      "/v1/text-to-speech/v-1?output_format=opus_48000_64",
      { "xi-api-key": MEDIA_KEY },
      OPUS,
      { format: "opus" },
    ],
    ["edge", "/v1/cognitiveservices/v1", { "ocp-apim-subscription-key": MEDIA_KEY }, WAV, { format: "wav" }],
    [
      "minimax",
      "/v1/t2a_v2",
      { authorization: `Bearer ${MEDIA_KEY}` },
      { base_resp: { status_code: 0 }, data: { audio: MP3.toString("hex") } },
      {},
    ],
  ];
  test.each(everyNth(PROVIDERS, 2))(
    "%s is asked as its API is, and its answer is sound",
    async (provider, url, headers, body, more) => {
      await world.setUp("tts", "speech", { provider, base_url: `${world.base}/v1`, ...own });
      world.gives(body);
      const { data } = await world.call("tts", { text: "Ships & <sails>", ...more });
      expect(data).toMatchObject({
        status: "succeeded",
        result: { content: [{ type: "audio" }, { json: { provider, voice: "v-1" } }] },
      });
      expect(world.seen).toMatchObject([{ method: "POST", url, headers }]);
      expect(world.seen[0]?.body).toContain(
        provider === "edge" ? "Ships &amp; &lt;sails&gt;" : "Ships & <sails>",
      );
      expect(JSON.stringify(data)).not.toContain(MEDIA_KEY);
    },
  );

  test("a second provider stands beside the first, by its name", async () => {
    await world.setUp("tts", "speech", { provider: "edge", base_url: world.base, ...own });
    await world.setUp("tts_openai", "speech", { provider: "openai", base_url: `${world.base}/v1`, ...own });
    world.gives(MP3);
    const said = { text: "a", provider: "openai", saveAs: "a.mp3" };
    expect((await world.call("tts", said)).data.result).toMatchObject({
      provider: "openai",
      files: [{ path: "a.mp3" }],
    });
    expect((await world.read("a.mp3", world.owner)).bytes).toEqual(MP3);
    expect(await world.failure("tts", { text: "a", provider: "minimax" })).toMatch(/minimax is not set up/);
    expect(await world.failure("tts", { text: "a", provider: "openai", language: "de" })).toMatch(
      /^.*language: openai/,
    );
    expect(
      await world.failure("tts", { text: "a", provider: "openai" }, (await newTenant(world.product)).owner),
    ).toMatch(/openai is not set up/);
    expect(world.seen).toHaveLength(1);
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
    const { code, errors } = await world.call("tts", args);
    expect(code).toBe("tool.arguments_invalid");
    expect(JSON.stringify(errors)).toMatch(message);
  });

  test("a tool without the network may call it, and an endpoint is refused by name; a file needs its permission", async () => {
    const code = "return utils.callTool('tts', { text: 'a', provider: 'openai', ...args });";
    await createTool(world.owner, "offline_tts", code);
    await createTool(world.owner, "online_tts", code, { permissions: ["network"] });
    world.gives(MP3);
    expect(await world.failure("offline_tts", {})).toMatch(/openai uses the network/);
    await createTool(world.owner, "saving_tts", code.replace("...args", "saveAs: 'a.mp3'"), {
      permissions: ["network"],
    });
    expect(await world.failure("saving_tts", {})).toMatch(
      /"tts" with saveAs needs the permission filesystem/,
    );
    expect(world.seen).toEqual([]);
    expect((await world.call("online_tts", {})).data.status).toBe("succeeded");
  });

  test("a secret of the run is not said", async () => {
    await world.owner.post(SERVICES, { name: "vault", delivery: "reveal", allowedHosts: [] });
    await world.owner.post(`${SERVICES}/vault/entries`, { data: { api_key: "very-secret-word-4711" } });
    const code = `return utils.callTool('tts', { text: 'It is ' + await utils.getApiKey('vault'), provider: 'openai' });`;
    const needs = { permissions: ["network"], requiredConfigServices: [{ name: "vault" }] };
    await createTool(world.owner, "telling_tts", code, needs);
    world.gives(MP3);
    const { data } = await world.call("telling_tts", {});
    expect(data.status).toBe("succeeded");
    expect(JSON.parse(world.seen[0]?.body ?? "{}").input).toBe("It is [REDACTED]");
  });
});
