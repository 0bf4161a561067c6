import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

const STORES = {
  DATABASE_URL: "postgres://localhost/b",
  REDIS_URL: "redis://localhost",
  BULKHEAD_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
};

it("OTEL_SDK_DISABLED leaves nothing of OpenTelemetry that could stop a start", () => {
  const env = { ...STORES, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  expect(() => readConfig(env)).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL/);
  expect(readConfig({ ...env, OTEL_SDK_DISABLED: "true" }).OTEL_SDK_DISABLED).toBe("true");
});

it("every required setting that is not there is told as that, with what it must be", () => {
  const read = (): unknown => readConfig({ REDIS_URL: "" });
  expect(read).toThrow(/^ {2}DATABASE_URL: is not set; it must be a URL .* as in postgres:/mu);
  expect(read).toThrow(/^ {2}REDIS_URL: is not set; it must be a URL of the form redis:/mu);
  expect(read).toThrow(/^ {2}BULKHEAD_MASTER_KEY: is not set; it must be 32 random bytes/mu);
  expect(read).not.toThrow(/Invalid/);
});

const MODEL = { MODEL_BASE_URL: "http://ollama:11434/v1", MODEL_NAME: "small" };

it("a model has an address and a name, or there is none", () => {
  expect(readConfig({ ...STORES, ...MODEL })).toMatchObject(MODEL);
  expect(readConfig({ ...STORES, MODEL_BASE_URL: "", MODEL_NAME: "" }).MODEL_NAME).toBeUndefined();
  for (const name of Object.keys(MODEL))
    expect(() => readConfig({ ...STORES, ...MODEL, [name]: "" })).toThrow(
      `${name}: must be set where the other of the two is`,
    );
});

it.each([
  "ollama:11434",
  "ftp://ollama/v1",
  "https://user:word@api.example/v1",
  "https://api.example/v1?key=1",
])("%s is no address of a model", (url) => {
  expect(() => readConfig({ ...STORES, ...MODEL, MODEL_BASE_URL: url })).toThrow(/MODEL_BASE_URL: must/);
});

it("pages of listed origins may call the API, of none where none is, and of any with a star alone", () => {
  const read = (list: string) => readConfig({ ...STORES, CORS_ORIGINS: list }).CORS_ORIGINS;
  expect(read(" https://a.example, http://localhost:5173 ")).toEqual([
    "https://a.example",
    "http://localhost:5173",
  ]);
  expect([read(""), read("*"), readConfig(STORES).CORS_ORIGINS]).toEqual([[], ["*"], []]);
  const wrong = ["https://a.example/", "a.example", "*,https://a.example", "https://a.example:443", "null"];
  for (const list of wrong) expect(() => read(list), list).toThrow(/CORS_ORIGINS: must be origins/);
});
