/** A sandbox program that breaks the rules in the way its run asks for by its code. Connected as the real one is. */
import { Socket } from "node:net";
import { encodeFrame, encodeFromSandbox, FrameDecoder } from "../../wire/frame.ts";
import { readToSandbox, type RunFrame } from "../../wire/to-sandbox.ts";
import { TO_SANDBOX_BYTES_MAX, WIRE_VERSION } from "../../wire/bounds.ts";
import type { FromSandbox } from "../../wire/from-sandbox.ts";

const socket = new Socket({ fd: 3, readable: true, writable: true });
const decoder = new FrameDecoder(TO_SANDBOX_BYTES_MAX);
const measures = { cpuMs: 1, memoryPeakMib: 1, rssMib: 50 };
const frame = (message: FromSandbox): Buffer => encodeFrame(message, TO_SANDBOX_BYTES_MAX);
const returned = (executionId: string): Buffer =>
  frame({ type: "returned", executionId, json: "1", measures });
const returnedMuch = (executionId: string, json: string): Buffer =>
  encodeFromSandbox({ type: "returned", executionId, json, measures }, TO_SANDBOX_BYTES_MAX);
const log = (executionId: string, text: string): Buffer =>
  frame({ type: "log", executionId, lines: [{ level: "info", text }] });
const prefixed = (length: number, payload: Buffer): Buffer => {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return Buffer.concat([prefix, payload]);
};

const MISBEHAVIOURS: Record<string, (run: RunFrame) => void> = {
  "exits 0": () => process.exit(0),
  "exits 1": () => process.exit(1),
  "is killed": () => process.kill(process.pid, "SIGKILL"),
  aborts: () => process.abort(),
  "closes the connection": () => socket.end(),
  "sends garbage": () => socket.write(prefixed(7, Buffer.from("garbage"))),
  "sends bytes that are no text": () => socket.write(prefixed(2, Buffer.of(0xc3, 0x28))),
  "announces a huge frame": () => socket.write(prefixed(0xffffffff, Buffer.alloc(100))),
  "sends an unknown message": () => socket.write(prefixed(15, Buffer.from('{"type":"exec"}'))),
  "greets again": () => socket.write(frame({ type: "hello", version: WIRE_VERSION })),
  "answers twice": ({ executionId }) =>
    socket.write(Buffer.concat([returned(executionId), returned(executionId)])),
  "answers for another execution": () => socket.write(returned("exe_other")),
  "logs after its answer": ({ executionId }) =>
    socket.write(Buffer.concat([returned(executionId), log(executionId, "x")])),
  "returns what is not JSON": ({ executionId }) =>
    socket.write(frame({ type: "returned", executionId, json: "{", measures })),
  "returns much that is not JSON": ({ executionId }) =>
    socket.write(returnedMuch(executionId, `["${"x".repeat(100_000)}"`)),
  "returns much that nests too deep": ({ executionId }) =>
    socket.write(returnedMuch(executionId, "[".repeat(50_000) + "]".repeat(50_000))),
  "returns more than it may": ({ executionId, limits }) => {
    const json = JSON.stringify("x".repeat(limits.resultBytes));
    socket.write(frame({ type: "returned", executionId, json, measures }));
  },
  "floods the log": ({ executionId }) => {
    for (let i = 0; i < 100; i++) socket.write(log(executionId, "x".repeat(8_000)));
  },
  "floods standard error": () => {
    for (let i = 0; i < 100; i++) process.stderr.write("x".repeat(8_000));
  },
  "never answers": () => undefined,
  "spins on its main thread": () => {
    for (;;);
  },
  "answers, then dies": ({ executionId }) =>
    socket.write(returned(executionId), () => process.kill(process.pid, "SIGSEGV")),
  behaves: ({ executionId }) => socket.write(returned(executionId)),
};

socket.on("data", (chunk: Buffer) => {
  for (const text of decoder.push(chunk)) {
    const message = readToSandbox(text);
    if (message.type === "hello") socket.write(frame({ type: "hello", version: WIRE_VERSION }));
    else if (message.type === "run") MISBEHAVIOURS[message.code]?.(message);
  }
});
socket.on("end", () => process.exit(0));
