import { readSettings } from "@bulkhead/process/settings";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  checkImages,
  checkSpeech,
  imageDefaultOf,
  imageSettings,
  mediaEngines,
  speechDefaultOf,
  speechSettings,
} from "./media-settings.ts";

const Settings = z.object({ ...imageSettings, ...speechSettings });
const read = (env: NodeJS.ProcessEnv) =>
  readSettings(Settings.superRefine(checkImages).superRefine(checkSpeech), env);

test("an operator's endpoints are read, and none is none", () => {
  expect([imageDefaultOf(read({})), speechDefaultOf(read({}))]).toEqual([null, null]);
  expect(imageDefaultOf(read({ IMAGE_API_KEY: "k" }))).toEqual({ baseUrl: null, model: null, key: "k" });
  const local = { IMAGE_BASE_URL: "http://pics:8080/v1", IMAGE_MODEL: "flux" };
  expect(imageDefaultOf(read(local))).toEqual({ baseUrl: "http://pics:8080/v1", model: "flux", key: null });
  const minimax = { SPEECH_PROVIDER: "minimax", SPEECH_API_KEY: "k", SPEECH_VOICE: "v" };
  expect(speechDefaultOf(read(minimax))).toEqual({
    provider: "minimax",
    baseUrl: null,
    model: null,
    voice: "v",
    key: "k",
  });
});

test.each([
  [{ IMAGE_MODEL: "flux" }, /IMAGE_MODEL: is nowhere/],
  [{ IMAGE_BASE_URL: "file:///etc" }, /IMAGE_BASE_URL: must be a URL/],
  [{ SPEECH_PROVIDER: "siri" }, /SPEECH_PROVIDER/],
  [{ SPEECH_VOICE: "v" }, /SPEECH_PROVIDER: must be set/],
  [{ SPEECH_PROVIDER: "edge", SPEECH_API_KEY: "k" }, /SPEECH_BASE_URL: must be set for edge/],
  [{ SPEECH_PROVIDER: "elevenlabs", SPEECH_API_KEY: "k" }, /SPEECH_VOICE: must be set for elevenlabs/],
  [{ SPEECH_PROVIDER: "espeak_ng", SPEECH_API_KEY: "k" }, /SPEECH_API_KEY: is nothing that espeak_ng takes/],
])("%j is refused at the start", (env, fault) => {
  expect(() => read(env)).toThrow(fault);
});

const MISSING = { missing: "/usr/bin/espeak-ng can't be kept in: no layers" };
test.each([
  [{}, MISSING, [false, false], /not set, and \/usr\/bin\/espeak-ng can't be kept in: no layers: each/],
  [{}, { file: "/usr/bin/espeak-ng" }, [false, true], /^espeak_ng$/],
  [
    { SPEECH_PROVIDER: "espeak_ng" },
    MISSING,
    [false, false],
    /SPEECH_PROVIDER is espeak_ng, and .* can't be kept in/,
  ],
  [{ SPEECH_PROVIDER: "openai", IMAGE_API_KEY: "k" }, MISSING, [true, true], /^openai$/],
])("a worker with %j and the program %j tells what it has", (env, program, available, detail) => {
  const facts = mediaEngines(read(env), program);
  expect(facts.map(({ engine }) => engine)).toEqual(["image_model", "speech"]);
  expect(facts.map((fact) => fact.available)).toEqual(available);
  expect(facts[1]?.detail).toMatch(detail);
});
