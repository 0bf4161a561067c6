import { describe, expect, it } from "vitest";
import { encodeFrame } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { fromSandbox } from "./from-sandbox.ts";
import { toSandbox } from "./to-sandbox.ts";
import { WireError } from "./wire-error.ts";

const MAX = 100_000;
const measures = { cpuMs: 1, memoryPeakMib: 2, rssMib: 60 };
const limits = { cpuMs: 1, wallMs: 1, memoryMib: 8, resultBytes: 64, logBytes: 0, bytesOut: 0 };
const readFrom = (message: unknown): unknown[] => [
  ...new FrameReader(fromSandbox, MAX).push(encodeFrame(message, MAX)),
];
const readTo = (message: unknown): unknown[] => [
  ...new FrameReader(toSandbox, MAX).push(encodeFrame(message, MAX)),
];

describe("what a sandbox says", () => {
  it.each([
    { type: "hello", version: 1 },
    { type: "log", executionId: "exe_1", level: "info", text: "x" },
    { type: "returned", executionId: "exe_1", json: "null", measures },
    { type: "stopped", executionId: "exe_1", reason: "cpu", message: "", code: null, measures },
  ])("arrives as it was sent: $type", (message) => {
    expect(readFrom(message)).toEqual([message]);
  });

  it.each([
    ["an unknown type", { type: "exec", executionId: "exe_1" }],
    ["a field more", { type: "hello", version: 1, also: true }],
    ["a field less", { type: "log", executionId: "exe_1", level: "info" }],
    [
      "a line that is too long",
      { type: "log", executionId: "exe_1", level: "info", text: "x".repeat(8_193) },
    ],
    ["a level that does not exist", { type: "log", executionId: "exe_1", level: "trace", text: "x" }],
    ["a reason that is not on the list", { type: "stopped", executionId: "e", reason: "tired", message: "" }],
    ["an id that is too long", { type: "log", executionId: "e".repeat(65), level: "info", text: "x" }],
    ["no object at all", null],
  ])("is refused with %s", (_, message) => {
    expect(() => readFrom(message)).toThrow(WireError);
  });

  it("is refused when it is not JSON, and the fault does not repeat what was sent", () => {
    const garbage = Buffer.from("\0\0\0\x06secret", "latin1");
    expect(() => [...new FrameReader(fromSandbox, MAX).push(garbage)]).toThrow("a frame is not JSON");
  });
});

describe("what a worker says", () => {
  const run = {
    type: "run",
    executionId: "exe_1",
    isolateKey: "k",
    code: "return 1",
    argumentsJson: "{}",
    contextJson: "{}",
    network: false,
    limits,
  };
  it("arrives as it was sent", () => {
    const refused = { ok: false, code: "egress_denied", message: "no" };
    const messages = [run, { type: "fetched", executionId: "exe_1", requestId: 1, answer: refused }];
    expect(messages.flatMap(readTo)).toEqual(messages);
  });

  it("is refused with a heap under what isolated-vm takes", () => {
    expect(() => readTo({ ...run, limits: { ...limits, memoryMib: 7 } })).toThrow(WireError);
  });
});
