import { encodeFrame } from "@bulkhead/sandbox/wire";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  OUTPUT_PIECE_CHARS_MAX,
  READS_A_FILE_MAX,
  SHELL_FRAME_BYTES_MAX,
  SHELL_SAID_BYTES_MAX,
} from "../built-in/shell/bounds.ts";
import type { FromShell, ListedFile } from "./shell-frames.ts";
import { ShellRun } from "./shell-process.ts";

const COMMAND = { command: "x", cwd: "", env: {}, stdin: "", keepsInput: false, timeoutMs: 60_000 };
const FILES: ListedFile[] = [
  ["a", 1, 0],
  ["b", 1, 0],
];

/** A run whose process says what the test has it say, and takes what it is told where `takes`. */
function hostile(read: (path: string) => Promise<Uint8Array> = async () => Buffer.from("x"), takes = true) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  if (takes) input.resume();
  const ended = Promise.withResolvers<null>();
  const child = { input, output, kill: () => ended.resolve(null), ended: ended.promise };
  const run = new ShellRun(child, COMMAND, { files: FILES, read, hear: () => undefined });
  const say = (...messages: FromShell[]): void => {
    output.write(Buffer.concat(messages.map((message) => encodeFrame(message, SHELL_FRAME_BYTES_MAX))));
  };
  say({ type: "ready" });
  return { say, end: run.end(new AbortController().signal) };
}

const reads = (count: number): FromShell[] =>
  Array.from({ length: count }, (_, id) => ({ type: "read", id: id + 1, path: "a" }));

test("a process that asks for its files again and again is ended, and nothing more is read for it", async () => {
  let read = 0;
  const { say, end } = hostile(async () => {
    read += 1;
    return Buffer.from("x");
  });
  say(...reads(READS_A_FILE_MAX * FILES.length + 1));
  expect(await end).toEqual({ outcome: "died", why: null });
  expect(read).toBeLessThanOrEqual(1);
});

test("a process that takes nothing of what it asked for is read no more than it takes", async () => {
  let read = 0;
  const { say, end } = hostile(async () => {
    read += 1;
    return Buffer.alloc(1_024 * 1_024);
  }, false);
  say(...reads(READS_A_FILE_MAX * FILES.length));
  for (let n = 0; n < 100; n += 1) await turn();
  expect(read).toBe(1);
  say({ type: "done", exitCode: 0, removed: [], odd: [], exceeded: null });
  expect(await end).toMatchObject({ outcome: "ended" });
});

test("a process that says more than any command has to say is ended", async () => {
  const { say, end } = hostile();
  const output: FromShell = { type: "output", from: "stdout", text: "x".repeat(OUTPUT_PIECE_CHARS_MAX) };
  for (let chars = 0; chars <= SHELL_SAID_BYTES_MAX; chars += OUTPUT_PIECE_CHARS_MAX) {
    say(output);
    await turn();
  }
  expect(await end).toEqual({ outcome: "died", why: null });
});
