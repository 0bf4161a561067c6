import { describe, expect, it } from "vitest";
import { RESULT_CHARS_MAX } from "./bounds.ts";
import { encodeFrame, encodeFromSandbox, encodeText } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { readEffectHead } from "./effect.ts";
import { readToSandbox } from "./to-sandbox.ts";
import { WireError } from "./wire-error.ts";

const MAX = 100_000;
const measures = { cpuMs: 1, memoryPeakMib: 2, rssMib: 60 };
const readFrom = (message: unknown): unknown[] => [...new FrameReader(MAX).push(encodeFrame(message, MAX))];

describe("what a sandbox says", () => {
  it.each([
    { type: "hello", version: 2 },
    { type: "log", executionId: "exe_1", lines: [{ level: "info", text: "x" }] },
    { type: "effect", executionId: "exe_1", requestId: 1, head: "{}", body: null, bodyEncoding: "utf8" },
    { type: "give_up", executionId: "exe_1", requestId: 1 },
    { type: "returned", executionId: "exe_1", json: "null", measures },
    {
      type: "stopped",
      executionId: "exe_1",
      reason: "cpu",
      layer: "process",
      message: "",
      code: null,
      retryAfterMs: 4_000,
      measures,
    },
  ])("arrives as it was sent: $type", (message) => {
    expect(readFrom(message)).toEqual([message]);
  });

  it("arrives whole where its result comes apart, however the bytes are cut", () => {
    const large = {
      type: "returned",
      executionId: "exe_1",
      json: `"${"é".repeat(40_000)}"`,
      measures,
    } as const;
    const small = { ...large, json: "1" };
    const bytes = Buffer.concat([large, small].map((message) => encodeFromSandbox(message, MAX)));
    for (const size of [1_000, 65_536, bytes.length]) {
      const reader = new FrameReader(MAX);
      const heard: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size)
        heard.push(...reader.push(bytes.subarray(at, at + size)));
      expect(heard).toEqual([large, small]);
    }
  });

  it("is refused where a result that comes apart is over its bound", () => {
    const head = encodeFrame({ type: "returned", executionId: "exe_1", json: null, measures }, MAX);
    const reader = new FrameReader(16 * 1024 * 1024);
    expect([...reader.push(head)]).toEqual([]);
    expect(() => [...reader.push(encodeText(" ".repeat(RESULT_CHARS_MAX + 1)))]).toThrow(WireError);
  });

  it.each([
    ["an unknown type", { type: "exec", executionId: "exe_1" }],
    ["a field more", { type: "hello", version: 1, also: true }],
    ["a field less", { type: "log", executionId: "exe_1", lines: [{ level: "info" }] }],
    ["no line", { type: "log", executionId: "exe_1", lines: [] }],
    [
      "too many lines",
      {
        type: "log",
        executionId: "exe_1",
        lines: Array.from({ length: 1_001 }, () => ({ level: "info", text: "" })),
      },
    ],
    [
      "a line that is too long",
      { type: "log", executionId: "exe_1", lines: [{ level: "info", text: "x".repeat(8_193) }] },
    ],
    [
      "a level that does not exist",
      { type: "log", executionId: "exe_1", lines: [{ level: "trace", text: "x" }] },
    ],
    ["a reason that is not on the list", { type: "stopped", executionId: "e", reason: "tired", message: "" }],
    [
      "an id that is too long",
      { type: "log", executionId: "e".repeat(65), lines: [{ level: "info", text: "x" }] },
    ],
    ["no object at all", null],
  ])("is refused with %s", (_, message) => {
    expect(() => readFrom(message)).toThrow(WireError);
  });

  it("is refused when it is not JSON, and the fault does not repeat what was sent", () => {
    const garbage = Buffer.from("\0\0\0\x06secret", "latin1");
    expect(() => [...new FrameReader(MAX).push(garbage)]).toThrow("a frame is not JSON");
  });
});

describe("an effect's head", () => {
  const HMAC = {
    kind: "hmac",
    service: "a",
    entry: null,
    field: "f",
    algorithm: "sha1",
    encoding: "base64url",
  };
  const fetch = { kind: "fetch", url: "https://a", method: "GET", headers: [["a", "b"]], redirect: "follow" };

  it.each([
    fetch,
    { kind: "read_body", bodyId: 1 },
    { kind: "call_tool", name: "x" },
    { kind: "list_tools" },
    HMAC,
  ])("is read: $kind", (head) => {
    expect(readEffectHead({ head: JSON.stringify(head) })).toEqual(head);
  });

  it.each([
    ["of an unknown kind", { kind: "spawn" }],
    ["with a field more", { ...fetch, also: 1 }],
    ["with a URL that is too long", { ...fetch, url: "x".repeat(16_385) }],
    ["with an algorithm that is not on the list", { ...HMAC, algorithm: "md5" }],
    ["with a name that is too long", { ...HMAC, service: "x".repeat(257) }],
    ["with too many headers", { ...fetch, headers: Array.from({ length: 257 }, () => ["a", "b"]) }],
    ["that is no object", null],
  ])("is nothing %s", (_, head) => {
    expect(readEffectHead({ head: JSON.stringify(head) })).toBeNull();
  });

  it("is nothing where it is not JSON", () => {
    expect(readEffectHead({ head: "{" })).toBeNull();
  });
});

describe("what a worker says", () => {
  it.each([
    { type: "hello", version: 2, warmMemoryMib: 50 },
    {
      type: "answered",
      executionId: "exe_1",
      requestId: 1,
      answer: { ok: false, code: "failed", message: "" },
    },
  ])("arrives as it was sent: $type", (message) => {
    expect(readToSandbox(JSON.stringify(message))).toEqual(message);
  });

  it("is refused where this release has no such message", () => {
    expect(() => readToSandbox('{"type":"fetched"}')).toThrow(WireError);
  });
});
