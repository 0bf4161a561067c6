import { TooManyProcessesError, type JsonObject, type SpeechDefault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { configsOf, MediaWorld, MP3, OGG, serviceOf } from "../fixtures/media-world.ts";
import { wavOf } from "../media-type.ts";
import { speak } from "./run.ts";
import { openSpeechProgram, type SpeechProgram } from "./speech-program.ts";

const KEY = "own-key-4711";
const WAV = wavOf(Buffer.alloc(16, 1), 24_000);
const said: Parameters<SpeechProgram["speak"]>[0][] = [];
const PROGRAM: SpeechProgram = {
  speak: async (one) => {
    said.push(one);
    return { ok: true, bytes: WAV };
  },
};
const NONE = { missing: "there is no espeak-ng on the worker's PATH" };

interface Has {
  values?: Record<string, string> | null;
  program?: SpeechProgram | { missing: string };
  byDefault?: SpeechDefault | null;
}
const say = (
  world: MediaWorld,
  args: JsonObject,
  { values = null, program = NONE, byDefault = null }: Has = {},
) => {
  const configs = configsOf(...(values === null ? [] : [serviceOf("speech", values, { key: KEY })]));
  return speak({ configs, byDefault, program }, { text: "Ships & sails", ...args }, world.call);
};

test.each([
  [
    { provider: "openai" },
    { speed: 2 },
    MP3,
    {
      url: "https://api.openai.com/v1/audio/speech",
      key: ["authorization", "Bearer <key>"],
      body: {
        model: "gpt-4o-mini-tts",
        input: "Ships & sails",
        voice: "alloy",
        response_format: "mp3",
        speed: 2,
      },
    },
  ],
  [
    { provider: "elevenlabs", voice: "JBFq nC/B" },
    { language: "de-AT", speed: 1.1, format: "opus" },
    OGG,
    {
      url: "https://api.elevenlabs.io/v1/text-to-speech/JBFq%20nC%2FB?output_format=opus_48000_64",
      key: ["xi-api-key", "<key>"],
      body: {
        text: "Ships & sails",
        model_id: "eleven_multilingual_v2",
        language_code: "de",
        voice_settings: { speed: 1.1 },
      },
    },
  ],
  [
    { provider: "minimax", voice: "Wise_Woman", base_url: "https://mm.example/v1/" },
    { language: "pt-BR", format: "wav" },
    { base_resp: { status_code: 0 }, data: { audio: WAV.toString("hex") } },
    {
      url: "https://mm.example/v1/t2a_v2",
      key: ["authorization", "Bearer <key>"],
      body: {
        model: "speech-02-turbo",
        text: "Ships & sails",
        stream: false,
        output_format: "hex",
        language_boost: "Portuguese",
        voice_setting: { voice_id: "Wise_Woman", speed: 1 },
        audio_setting: { format: "wav", sample_rate: 32_000, channel: 1 },
      },
    },
  ],
])("%j is asked as its API is", async (values, args, body, { url, key: [header, value], body: asked }) => {
  const world = new MediaWorld();
  world.answers = [{ body }];
  expect(await say(world, args as JsonObject, { values })).toMatchObject({
    ok: true,
    value: { content: [{ type: "audio" }, { json: { provider: values.provider } }] },
  });
  const [request] = world.requests;
  expect(request).toMatchObject({ url, method: "POST", redirect: "error" });
  const headers = Object.fromEntries(request?.headers ?? []);
  expect(headers).toEqual({
    "content-type": "application/json",
    [header as string]: value?.replace("<key>", world.placed[0]?.placeholder ?? ""),
  });
  expect(JSON.parse(request?.body ?? "")).toEqual(asked);
});

test("Azure Speech is asked in SSML, at its region, in the language of the voice", async () => {
  const world = new MediaWorld();
  world.answers = [{ body: WAV }];
  const values = { provider: "edge", region: "westeurope", voice: "de-DE-KatjaNeural" };
  expect(await say(world, { format: "wav", speed: 0.5 }, { values })).toMatchObject({ ok: true });
  const [request] = world.requests;
  expect(request?.url).toBe("https://westeurope.tts.speech.microsoft.com/cognitiveservices/v1");
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    "content-type": "application/ssml+xml",
    "x-microsoft-outputformat": "riff-24khz-16bit-mono-pcm",
    "ocp-apim-subscription-key": world.placed[0]?.placeholder,
  });
  expect(request?.body).toMatch(
    /xml:lang="de-DE"><voice name="de-DE-KatjaNeural"><prosody rate="-50%">Ships &amp; sails</,
  );
});

test("bare sound of ElevenLabs becomes a file of sound", async () => {
  const world = new MediaWorld();
  world.answers = [{ body: Buffer.alloc(10, 3) }];
  const values = { provider: "elevenlabs", voice: "v" };
  expect(await say(world, { saveAs: "a.wav" }, { values })).toMatchObject({
    value: { provider: "elevenlabs", voice: "v", format: "wav", files: [{ path: "a.wav", size: 54 }] },
  });
  expect(world.requests[0]?.url).toMatch(/output_format=pcm_24000$/);
});

test.each([
  [{ provider: "openai" }, { language: "de" }, "invalid_request", /^language: openai speaks/],
  [{ provider: "edge", region: "x" }, { language: "de" }, "invalid_request", /^language: edge speaks/],
  [
    { provider: "minimax", voice: "v" },
    { language: "tlh" },
    "invalid_request",
    /^language: minimax has no name/,
  ],
  [
    { provider: "minimax", voice: "v" },
    { format: "opus" },
    "invalid_request",
    /^format: minimax makes mp3 and wav/,
  ],
  [
    { provider: "elevenlabs", voice: "v" },
    { speed: 2 },
    "invalid_request",
    /^speed: elevenlabs takes 0\.7 to 1\.2/,
  ],
  [{ provider: "elevenlabs" }, {}, "invalid_request", /^voice: elevenlabs needs one/],
  [{ provider: "openai" }, { format: "mp3", saveAs: "a.wav" }, "invalid_request", /^saveAs: the ending/],
  [{ provider: "edge" }, {}, "capability_denied", /needs a base_url or a region/],
  [{ provider: "openai" }, { provider: "edge" }, "capability_denied", /^edge is not set up: .*"tts_edge"/],
  [
    { provider: "openai" },
    { provider: "espeak_ng" },
    "capability_denied",
    /can't be used: there is no espeak-ng on the worker's PATH\.$/,
  ],
  [
    { provider: "espeak_ng" },
    {},
    "capability_denied",
    /can't be used: there is no espeak-ng on the worker's PATH\.$/,
  ],
])("%j with %j is refused before anybody is asked", async (values, args, code, message) => {
  const world = new MediaWorld();
  const answer = await say(world, args, { values });
  expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
  expect(world.requests).toEqual([]);
});

test("a provider without its key is told where to enter one", async () => {
  const configs = configsOf(serviceOf("speech", { provider: "minimax", voice: "v" }));
  const answer = await speak(
    { configs, byDefault: null, program: NONE },
    { text: "a" },
    new MediaWorld().call,
  );
  expect(answer).toMatchObject({ message: expect.stringMatching(/needs an api_key.*in the service "tts"/) });
});

test.each([
  [{ body: "<html>" }, "failed", /something that is no mp3/],
  [{ body: WAV }, "failed", /something that is no mp3/],
  [{ status: 429, headers: [["retry-after", "9"]], body: "" }, "capability_limit", /in 9 seconds/],
] as const)("an answer %j is no speech", async (answer, code, message) => {
  const world = new MediaWorld();
  world.answers = [answer as (typeof world.answers)[number]];
  expect(await say(world, {}, { values: { provider: "openai" } })).toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test.each([
  [
    { base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    "capability_limit",
    /nothing left.*insufficient balance/,
  ],
  [
    { base_resp: { status_code: 1004, status_msg: KEY } },
    "failed",
    /refused the key: a valid one is to be entered in the service "tts"/,
  ],
  [{ base_resp: { status_code: 1026 } }, "capability_denied", /by its rules/],
  [{ base_resp: { status_code: 77 } }, "failed", /could not do it/],
  [{ base_resp: { status_code: 0 }, data: { audio: "xyz" } }, "failed", /no mp3/],
  [{ base_resp: { status_code: 0 }, data: { audio: `${MP3.toString("hex")}0` } }, "failed", /no mp3/],
  [{ base_resp: { status_code: 0 }, data: { audio: "" } }, "failed", /no mp3/],
  [{ base_resp: { status_code: 0 }, data: null }, "failed", /no mp3/],
  ["no JSON", "failed", /no mp3/],
])("MiniMax's answer %j is told in words", async (body, code, message) => {
  const world = new MediaWorld();
  world.answers = [{ body }];
  const answer = await say(world, {}, { values: { provider: "minimax", voice: "v" } });
  expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
  expect(JSON.stringify(answer)).not.toContain(KEY);
});

test("long speech in hexadecimal is read whole", async () => {
  const world = new MediaWorld();
  const long = wavOf(Buffer.alloc(6 * 1_024 * 1_024, 1), 24_000);
  world.answers = [{ body: { base_resp: { status_code: 0 }, data: { audio: long.toString("hex") } } }];
  const answer = await say(world, { saveAs: "a.wav" }, { values: { provider: "minimax", voice: "v" } });
  expect(answer).toMatchObject({ ok: true, value: { files: [{ size: long.length }] } });
});

test("the program speaks where nothing is set up, without a network", async () => {
  const world = new MediaWorld();
  world.hasNetwork = false;
  expect(await say(world, { language: "de", speed: 2 }, { program: PROGRAM })).toMatchObject({
    value: {
      content: [{ mimeType: "audio/wav" }, { json: { provider: "espeak_ng", voice: "de", format: "wav" } }],
    },
  });
  expect(said.at(-1)).toMatchObject({ tenantId: "ten_a", text: "Ships & sails", voice: "de", speed: 2 });
  const values = { provider: "openai" };
  expect(await say(world, {}, { program: PROGRAM, values })).toMatchObject({ code: "tool_not_allowed" });
  expect(await say(world, { provider: "espeak_ng" }, { program: PROGRAM, values })).toMatchObject({
    ok: true,
  });
  const byDefault = { provider: "espeak_ng", baseUrl: null, model: null, voice: "fr+f3", key: null } as const;
  expect(await say(world, {}, { program: PROGRAM, byDefault })).toMatchObject({ ok: true });
  expect(said.at(-1)?.voice).toBe("fr+f3");
});

test.each([
  [new TooManyProcessesError("The tenant has 8 servers' processes on this worker."), "capability_limit"],
  [new Error("The machine can't keep them in."), "capability_denied"],
])("a program that is not started, %s, is refused as %s", async (cause, code) => {
  const program = openSpeechProgram({ launch: () => Promise.reject(cause) }, "/usr/bin/espeak-ng");
  expect(await say(new MediaWorld(), {}, { program })).toMatchObject({
    code,
    message: `tts: espeak_ng can't be run here: ${cause.message}`,
  });
});

test.each([
  [{ voice: "-f/etc/passwd" }, /^voice: espeak_ng takes a language/],
  [{ voice: "en+../../x" }, /^voice: /],
  [{ voice: "mb/mb-us1" }, /^voice: /],
  [{ voice: "en", language: "de" }, /^language: /],
  [{ format: "mp3" }, /^format: espeak_ng makes wav, not mp3/],
  [{ speed: 4 }, /^speed: espeak_ng takes 0\.5 to 2\.5/],
])("the program is not started with %j", async (args, message) => {
  const before = said.length;
  const answer = await say(new MediaWorld(), args, { program: PROGRAM });
  expect(answer).toMatchObject({ code: "invalid_request", message: expect.stringMatching(message) });
  expect(said).toHaveLength(before);
});

test("a voice that the program hasn't is told of where it is entered", async () => {
  const values = { provider: "espeak_ng", voice: "Wise Woman" };
  expect(await say(new MediaWorld(), {}, { program: PROGRAM, values })).toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(/^voice: .*; another voice is entered in the service "tts"\.$/),
  });
});

test("nothing that is set up, and no program, is told with what to do", async () => {
  expect(await say(new MediaWorld(), {})).toMatchObject({
    code: "capability_denied",
    message: expect.stringContaining('make a service "tts" of the kind speech'),
  });
});
