/** A sandbox program in an attacker's hands: after an honest greeting it does what its run's code names. */
import { Socket } from "node:net";
import {
  encodeFrame,
  FrameDecoder,
  TO_SANDBOX_BYTES_MAX,
  WIRE_VERSION,
  type RunFrame,
  type ToSandbox,
} from "@bulkhead/sandbox/wire";

const socket = new Socket({ fd: 3, readable: true, writable: true });
const decoder = new FrameDecoder(TO_SANDBOX_BYTES_MAX);
const measures = { cpuMs: 1, memoryPeakMib: 1, rssMib: 50 };
const frame = (message: unknown): Buffer => encodeFrame(message, TO_SANDBOX_BYTES_MAX);
const prefix = (length: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};
const raw = (text: string): Buffer => Buffer.concat([prefix(Buffer.byteLength(text)), Buffer.from(text)]);
const returned = (executionId: string, json = "1"): object => ({
  type: "returned",
  executionId,
  json,
  measures,
});
const stopped = (executionId: string, more: object): object => ({
  type: "stopped",
  executionId,
  reason: "threw",
  layer: "guest",
  message: "x",
  code: null,
  retryAfterMs: null,
  measures,
  ...more,
});
const effect = (executionId: string, requestId: number, head: string): Buffer =>
  frame({ type: "effect", executionId, requestId, head, body: null, bodyEncoding: "utf8" });
const LIST = '{"kind":"list_tools"}';

function flood(make: (n: number) => Buffer): void {
  const pour = (n: number): void => {
    while (socket.write(make(n))) n += 1;
    socket.once("drain", () => pour(n + 1));
  };
  pour(1);
}

const ATTACKS: Record<string, (run: RunFrame) => void> = {
  behaves: ({ executionId }) => socket.write(frame(returned(executionId))),
  "sends a frame byte by byte": ({ executionId }) => {
    socket.setNoDelay?.(true);
    const bytes = frame(returned(executionId));
    const drip = (at: number): void => {
      if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(() => drip(at + 1)));
    };
    drip(0);
  },
  "sends half a frame and falls silent": () => socket.write(frame(returned("x")).subarray(0, 20)),
  "sends half a prefix and falls silent": () => socket.write(Buffer.of(0, 0)),
  "sends an empty frame": () => socket.write(prefix(0)),
  "floods empty frames": () => flood(() => prefix(0)),
  "floods log lines": ({ executionId }) =>
    flood(() => frame({ type: "log", executionId, lines: [{ level: "info", text: "x".repeat(4_000) }] })),
  "floods empty log lines": ({ executionId }) =>
    flood(() => frame({ type: "log", executionId, lines: [{ level: "info", text: "" }] })),
  "floods progress": ({ executionId }) => flood(() => frame({ type: "progress", executionId, json: "1" })),
  "floods what is never a whole frame": () => {
    socket.write(prefix(500 * 1024));
    flood(() => Buffer.alloc(1_024, 0x20));
  },
  "floods requests": ({ executionId }) => flood((requestId) => effect(executionId, requestId, LIST)),
  "floods what it gives up": ({ executionId }) =>
    flood((requestId) => frame({ type: "give_up", executionId, requestId })),
  "floods greetings": () => flood(() => frame({ type: "hello", version: WIRE_VERSION })),
  "floods a frame of the other direction": () =>
    flood(() => frame({ type: "hello", version: WIRE_VERSION, warmMemoryMib: 50 })),
  "forges a frame to itself": (run) => socket.write(frame(run)),
  "answers for another tenant's run": () => socket.write(frame(returned("exe_of_the_canary"))),
  "answers with an id of a prototype": () => socket.write(frame(returned("__proto__"))),
  "answers with no id": () => socket.write(raw('{"type":"returned","json":"1"}')),
  "answers with a prototype in the frame": ({ executionId }) =>
    socket.write(
      raw(`{"__proto__":{"polluted":1},"type":"returned","executionId":"${executionId}","json":"1"}`),
    ),
  "answers with fields that are not on the wire": ({ executionId }) =>
    socket.write(frame({ ...returned(executionId), admin: true })),
  "answers with measures that are none": ({ executionId }) =>
    socket.write(
      frame({ ...returned(executionId), measures: { cpuMs: -1, memoryPeakMib: 1e300, rssMib: "0" } }),
    ),
  "answers with measures that are not numbers": ({ executionId }) =>
    socket.write(raw(JSON.stringify(returned(executionId)).replace('"cpuMs":1', '"cpuMs":1e999'))),
  "answers with JSON that nests too deep": ({ executionId }) =>
    socket.write(frame(returned(executionId, "[".repeat(5_000) + "]".repeat(5_000)))),
  "sends a frame that nests too deep": () => socket.write(raw("[".repeat(100_000) + "]".repeat(100_000))),
  "stops for a reason that is none": ({ executionId }) =>
    socket.write(frame(stopped(executionId, { reason: "free" }))),
  "stops with a message that is too long": ({ executionId }) =>
    socket.write(frame(stopped(executionId, { message: "x".repeat(1e5) }))),
  "stops in the name of a layer outside it": ({ executionId }) =>
    socket.write(frame(stopped(executionId, { layer: "system" }))),
  "logs at a level that is none": ({ executionId }) =>
    socket.write(frame({ type: "log", executionId, lines: [{ level: "root", text: "x" }] })),
  "emits what is not JSON": ({ executionId }) =>
    socket.write(frame({ type: "progress", executionId, json: "{" })),
  "asks with an id that was used": ({ executionId }) =>
    socket.write(Buffer.concat([effect(executionId, 1, LIST), effect(executionId, 1, LIST)])),
  "asks with an id that is none": ({ executionId }) => socket.write(effect(executionId, -1, LIST)),
  "asks for an effect that is none": ({ executionId }) =>
    socket.write(effect(executionId, 1, '{"kind":"read_file","path":"/x"}')),
  "sends a second text after its frame": ({ executionId }) =>
    socket.write(Buffer.concat([frame(returned(executionId)), Buffer.from("GET / HTTP/1.1\r\n\r\n")])),
  "speaks before it is asked": ({ executionId }) => {
    socket.write(frame(returned(executionId)), () =>
      setTimeout(() => socket.write(frame(returned(executionId))), 20),
    );
  },
  "stops itself": () => process.kill(process.pid, "SIGSTOP"),
  "shuts its ear": () => socket.pause(),
  "ends only its own half": () => socket.end(),
  "floods standard error": () => {
    for (let n = 0; n < 1_000; n += 1) process.stderr.write("x".repeat(10_000));
  },
};

socket.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) {
    const message = JSON.parse(text) as ToSandbox;
    if (message.type === "hello") socket.write(frame({ type: "hello", version: WIRE_VERSION }));
    else if (message.type === "run") ATTACKS[message.code]?.(message);
  }
});
socket.on("error", () => process.exit(1));
socket.on("end", () => process.exit(0));
