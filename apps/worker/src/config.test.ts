import { SANDBOX_LAYERS } from "@bulkhead/core";
import { SettingsError } from "@bulkhead/process/settings";
import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

const STORES = {
  DATABASE_URL: "postgres://localhost/b",
  REDIS_URL: "redis://localhost",
  BULKHEAD_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
};

it.each([
  [undefined, []],
  ["", []],
  ["landlock", ["landlock"]],
  [" own_uid, ,network_namespace ", ["own_uid", "network_namespace"]],
  [SANDBOX_LAYERS.join(","), [...SANDBOX_LAYERS]],
])("SANDBOX_REQUIRE %j names the layers %j", (text, layers) => {
  expect(readConfig({ ...STORES, SANDBOX_REQUIRE: text }).SANDBOX_REQUIRE).toEqual(layers);
});

it("SANDBOX_REQUIRE refuses a layer that does not exist, and lists those that do", () => {
  const read = (): unknown => readConfig({ ...STORES, SANDBOX_REQUIRE: "landlock,seccomp,Environment" });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(/no such layer: seccomp, Environment; there are environment, no_new_privileges/);
});

it("OTEL_SDK_DISABLED leaves nothing of OpenTelemetry that could stop a start", () => {
  const env = { ...STORES, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(() => readConfig(env)).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL/);
  expect(readConfig({ ...env, OTEL_SDK_DISABLED: "true" }).OTEL_SDK_DISABLED).toBe("true");
});

it("BULKHEAD_MASTER_KEY_OLD is a list, and refused by name and place with no key in the message", () => {
  const [one, two] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const read = (text: string) => readConfig({ ...STORES, BULKHEAD_MASTER_KEY_OLD: text });
  expect(readConfig(STORES).BULKHEAD_MASTER_KEY_OLD).toEqual([]);
  expect(read(`${one}, ${two},`).BULKHEAD_MASTER_KEY_OLD.map((key) => key.reveal())).toEqual([one, two]);
  expect(() => read(`${one},hunter2`)).toThrow(/BULKHEAD_MASTER_KEY_OLD: key 2 of 2 must be 32 random bytes/);
  expect(() => read(`${one},hunter2`)).not.toThrow(/hunter2/);
});

it.each([undefined, "", "c2hvcnQ=", "x".repeat(44), Buffer.alloc(33).toString("base64")])(
  "BULKHEAD_MASTER_KEY %j is refused by name, with what it must be",
  (text) => {
    const read = (): unknown => readConfig({ ...STORES, BULKHEAD_MASTER_KEY: text });
    expect(read).toThrow(/BULKHEAD_MASTER_KEY: (is not set; it )?must be 32 random bytes as base64/);
  },
);

it("every required setting that is not there is told as that, with what it must be", () => {
  const read = (): unknown => readConfig({ REDIS_URL: "" });
  expect(read).toThrow(/^ {2}DATABASE_URL: is not set; it must be a URL .* as in postgres:/mu);
  expect(read).toThrow(/^ {2}REDIS_URL: is not set; it must be a URL of the form redis:/mu);
  expect(read).toThrow(/^ {2}BULKHEAD_MASTER_KEY: is not set; it must be 32 random bytes/mu);
  expect(read).not.toThrow(/Invalid/);
});

it("BULKHEAD_DEAD_WORKERS is a list of names as workers have them, and nothing else", () => {
  const [one, two] = [1, 2].map((n) => `wrk_${String(n).repeat(8)}-0000-4000-8000-${"0".repeat(12)}`);
  const read = (text?: string) =>
    readConfig({ ...STORES, BULKHEAD_DEAD_WORKERS: text }).BULKHEAD_DEAD_WORKERS;
  expect([read(), read("")]).toEqual([[], []]);
  expect(read(`${one},${two}`)).toEqual([one, two]);
  expect(() => read(`${one},worker-1`)).toThrow(/BULKHEAD_DEAD_WORKERS.* must be wrk_ and a UUID/);
  const itself = { ...STORES, BULKHEAD_WORKER_ID: one, BULKHEAD_DEAD_WORKERS: `${two},${one}` };
  expect(() => readConfig(itself)).toThrow(/BULKHEAD_DEAD_WORKERS: names this worker itself/);
  expect(readConfig(STORES).BULKHEAD_WORKER_ID).toBeUndefined();
  expect(() => readConfig({ ...STORES, BULKHEAD_WORKER_ID: "me" })).toThrow(/BULKHEAD_WORKER_ID/);
});

it("what several settings say together is told beside what one is bad for by itself", () => {
  const env = {
    REDIS_URL: "nowhere",
    BULKHEAD_MASTER_KEY: "short",
    WORKER_CONCURRENCY: "many",
    SANDBOX_REQUIRE: "seccomp",
    SPEECH_PROVIDER: "siri",
    IMAGE_MODEL: "flux",
    SEARCH_PROVIDER: "brave",
    EMBEDDINGS_MODEL: "tiny",
    BULKHEAD_WORKER_ID: "wrk_11111111-0000-4000-8000-000000000000",
    BULKHEAD_DEAD_WORKERS: "wrk_11111111-0000-4000-8000-000000000000",
  };
  const told = ((): string[] => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return (error as SettingsError).faults.map((fault) => fault.slice(0, fault.indexOf(":")));
    }
  })();
  expect(told.toSorted()).toEqual([
    "BULKHEAD_DEAD_WORKERS",
    "BULKHEAD_MASTER_KEY",
    "DATABASE_URL",
    "EMBEDDINGS_BASE_URL",
    "IMAGE_MODEL",
    "REDIS_URL",
    "SANDBOX_REQUIRE",
    "SEARCH_API_KEY",
    "SPEECH_PROVIDER",
    "WORKER_CONCURRENCY",
  ]);
});

it.each(["/no/such/chromium", "chromium", import.meta.filename, import.meta.dirname])(
  "CHROMIUM %s is no program, and no worker starts that would do without it in silence",
  (path) => {
    expect(() => readConfig({ ...STORES, CHROMIUM: path })).toThrow(/CHROMIUM: must be a program/);
    expect(readConfig({ ...STORES, CHROMIUM: process.execPath }).CHROMIUM).toBe(process.execPath);
  },
);
