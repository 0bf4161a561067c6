import { DEFAULT_CONFIG_SCHEMA, type ConfigField, type StoredSecret, Fault } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { readData, type EntryData } from "./read-data.ts";

const SECRET = "sk_live_0123456789abcd";
const NOTHING = { values: {}, secrets: {} };
const SET: StoredSecret = {
  sealed: "v1.sealed",
  setAt: new Date(0),
  setBy: "key_1",
  lastFour: null,
  wholeWordsOnly: false,
};

const read = (data: EntryData, before: Parameters<typeof readData>[2] = NOTHING, allowWeak = false) =>
  readData({ kind: "api", configSchema: [...DEFAULT_CONFIG_SCHEMA] }, data, before, allowWeak);

function faultsOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("what is said of an entry", () => {
  test("secrets are told apart from what may be shown", () => {
    expect(read({ api_key: SECRET, base_url: "https://a.example" })).toEqual({
      values: { base_url: "https://a.example" },
      secrets: [{ field: "api_key", value: SECRET, wholeWordsOnly: false }],
      keptSecrets: {},
      warnings: [],
    });
  });

  test("what is not named stays, null takes away, and a new secret takes the old one's place", () => {
    const before = { values: { base_url: "https://a.example" }, secrets: { api_key: SET } };
    expect(read({}, before)).toMatchObject({ values: before.values, keptSecrets: { api_key: SET } });
    expect(read({ base_url: null }, before)).toMatchObject({ values: {}, keptSecrets: { api_key: SET } });
    expect(read({ api_key: SECRET }, before)).toMatchObject({
      keptSecrets: {},
      secrets: [{ value: SECRET }],
    });
    expect(before).toEqual({ values: { base_url: "https://a.example" }, secrets: { api_key: SET } });
  });

  test("a required field can't be taken away, and one with a default need not be filled in", () => {
    expect(faultsOf(() => read({ api_key: null }, { values: {}, secrets: { api_key: SET } })).errors).toEqual(
      [{ path: "data.api_key", message: "is required" }],
    );
    const preset: ConfigField[] = [{ name: "port", type: "number", required: true, default: 25 }];
    expect(readData({ kind: "api", configSchema: preset }, {}, NOTHING, false).values).toEqual({});
  });

  test.each<[string, ConfigField["type"], string]>([
    ["text", "text", ""],
    ["text of spaces", "text", "  "],
    ["URL", "url", ""],
    ["number", "number", ""],
    ["choice", "select", ""],
    ["secret, although weak ones are taken", "secret", "   "],
  ])("a required field is not filled in with an empty %s", (_what, type, value) => {
    const schema: ConfigField[] = [{ name: "user", type, required: true, options: ["a"] }];
    const { errors } = faultsOf(() =>
      readData({ kind: "api", configSchema: schema }, { user: value }, NOTHING, true),
    );
    expect(errors.map(({ path }) => path)).toEqual(["data.user"]);
    const before = { values: { user: "ann" }, secrets: {} };
    expect(
      faultsOf(() => readData({ kind: "api", configSchema: schema }, { user: value }, before, true)).errors,
    ).toEqual(errors);
  });

  test("a field that is not required may be filled in with an empty text", () => {
    const schema: ConfigField[] = [{ name: "user", type: "text", required: false }];
    expect(readData({ kind: "api", configSchema: schema }, { user: "" }, NOTHING, false).values).toEqual({
      user: "",
    });
  });

  test("a field that is called as what every object has is filled in or missing as any other", () => {
    const schema: ConfigField[] = [{ name: "constructor", type: "text", required: true }];
    expect(
      faultsOf(() => readData({ kind: "api", configSchema: schema }, {}, NOTHING, false)).errors,
    ).toMatchObject([{ path: "data.constructor" }]);
    const { values } = readData(
      { kind: "api", configSchema: schema },
      JSON.parse('{"constructor":"x"}'),
      NOTHING,
      false,
    );
    expect(values).toEqual({ constructor: "x" });
  });

  test("every fault is named with its path, and none with its value", () => {
    const fault = faultsOf(() => read({ base_url: SECRET, other: SECRET, api_key: "" }));
    expect(fault.errors.map(({ path }) => path)).toEqual(["data.base_url", "data.other", "data.api_key"]);
    expect(JSON.stringify([fault.detail, fault.errors, fault.message])).not.toContain(SECRET);
  });

  test.each(["short", "password", "aaaaaaaaaaaaaaaaaaaa"])(
    "the weak secret %s is refused, or taken for whole words with a warning",
    (value) => {
      const { errors } = faultsOf(() => read({ api_key: value }));
      expect(errors).toEqual([{ path: "data.api_key", message: expect.stringContaining("allowWeak: true") }]);
      expect(read({ api_key: value }, NOTHING, true)).toMatchObject({
        secrets: [{ field: "api_key", value, wholeWordsOnly: true }],
        warnings: [expect.stringMatching(/^data\.api_key .*whole word/)],
      });
    },
  );
});
