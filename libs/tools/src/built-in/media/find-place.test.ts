import { Fault, type ImageDefault, type SpeechProvider } from "@bulkhead/core";
import { expect, test } from "vitest";
import { findImagePlace, findSpeechPlace, NO_IMAGE_SERVICE, placedKey } from "./find-place.ts";
import { configsOf, serviceOf } from "./fixtures/media-world.ts";

const OPERATORS: ImageDefault = {
  baseUrl: "http://pics.internal:8080/v1/",
  model: null,
  key: "operator-key",
};
const SPEAKS = { ...OPERATORS, provider: "openai" as const, voice: "nova" };

const imageOf = (...services: Parameters<typeof configsOf>) =>
  findImagePlace({ configs: configsOf(...services), byDefault: OPERATORS }, "ten_a");
const speechOf = (asked: SpeechProvider | null, ...services: Parameters<typeof configsOf>) =>
  findSpeechPlace({ configs: configsOf(...services), byDefault: SPEAKS }, "ten_a", asked);

test("the tenant's own goes before the operator's", async () => {
  const own = serviceOf(
    "image",
    { base_url: "https://own.example/v1/", model: "m" },
    { key: "own-key-4711" },
  );
  expect(await imageOf(own)).toMatchObject({
    baseUrl: "https://own.example/v1",
    model: "m",
    where: 'in the service "image"',
  });
  expect(await imageOf(serviceOf("image", null))).toMatchObject({ baseUrl: "http://pics.internal:8080/v1" });
  expect(await findImagePlace({ configs: configsOf(), byDefault: null }, "ten_a")).toBe(NO_IMAGE_SERVICE);
});

test("a key goes to the endpoint's own host alone, as a placeholder", async () => {
  const place = await imageOf();
  if (typeof place === "string") throw new Error(place);
  const { placeholder, secrets } = placedKey(place, place.baseUrl ?? "");
  expect(placeholder).toMatch(/^bhs_/);
  expect(secrets).toMatchObject([
    { placeholder, secret: { value: "operator-key", hosts: ["pics.internal:8080"], revealed: false } },
  ]);
  expect(placedKey({ key: null }, "https://a.example")).toEqual({ placeholder: null, secrets: [] });
});

test("a service of another kind is told, and isn't passed over for the operator's", async () => {
  expect(await imageOf(serviceOf("api", {}, { name: "image" }))).toMatch(
    /of the kind api, and has to be of the kind image/,
  );
  expect(await speechOf(null, serviceOf("api", {}, { name: "tts" }))).toMatch(/has to be of the kind speech/);
  expect(await speechOf("espeak_ng", serviceOf("api", {}, { name: "tts" }))).toBeNull();
});

test("a provider that is named is looked for by name, then with the operator", async () => {
  const edge = serviceOf("speech", { provider: "edge", region: "westeurope" });
  const eleven = serviceOf("speech", { provider: "elevenlabs", voice: "v" }, { name: "tts_elevenlabs" });
  expect(await speechOf(null, edge, eleven)).toMatchObject({ provider: "edge", region: "westeurope" });
  expect(await speechOf("elevenlabs", edge, eleven)).toMatchObject({ provider: "elevenlabs", voice: "v" });
  expect(await speechOf("openai", edge, eleven)).toMatchObject({ provider: "openai", voice: "nova" });
  expect(await speechOf("minimax", edge, eleven)).toBeNull();
});

test("a secret that can't be opened is told, and any other fault is one", async () => {
  const failing = (error: Error) => ({
    open: async () => {
      throw error;
    },
  });
  const unreadable = { configs: failing(new Fault("vault.unreadable")), byDefault: null };
  expect(await findImagePlace(unreadable, "ten_a")).toMatch(
    /service "image" can't be opened: enter it again/,
  );
  expect(await findSpeechPlace(unreadable, "ten_a", "openai")).toMatch(/service "tts" or "tts_openai" can't/);
  await expect(
    findImagePlace({ configs: failing(new Error("down")), byDefault: null }, "ten_a"),
  ).rejects.toThrow("down");
});
