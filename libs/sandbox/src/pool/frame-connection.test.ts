import type { RunLimits } from "@bulkhead/core";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeFrame } from "../wire/frame.ts";
import { WireError } from "../wire/wire-error.ts";
import type { FromSandbox } from "../wire/from-sandbox.ts";
import { expect, test } from "vitest";
import { FrameConnection } from "./frame-connection.ts";

const LIMITS = { resultBytes: 1e6, logBytes: 1e6, bytesOut: 1e6 };
const line = (text: string): Buffer => {
  const message: FromSandbox = { type: "log", executionId: "exe_1", lines: [{ level: "info", text }] };
  return encodeFrame(message, 1e6);
};
const longLine = (letter: string): Buffer => line(letter.repeat(5_000));

/** Everything that a connection tells, in its order. */
function listen({ refuse = "" } = {}) {
  const pipe = new PassThrough();
  const said: string[] = [];
  const connection = new FrameConnection(pipe, {
    hear: (message) => {
      const text = message.type === "log" ? message.lines.map((each) => each.text[0]).join() : message.type;
      if (text === refuse) throw new WireError(`${text} is refused`);
      said.push(text);
    },
    heardAll: () => said.push("heard all"),
    broke: (how) => said.push(`broke: ${how}`),
    lost: () => said.push("lost"),
  });
  connection.expectRun({ tenantId: "ten_a", limits: LIMITS as RunLimits });
  return { pipe, said, connection };
}

/** Until all that was written is heard, or refused. */
async function settled({ pipe, said }: ReturnType<typeof listen>, length: number): Promise<string[]> {
  for (let turn = 0; turn < 1_000 && (said.length < length || pipe.isPaused()); turn++) await nextTurn();
  return said;
}

test("a small chunk is heard at once", () => {
  const { pipe, said } = listen();
  pipe.emit("data", Buffer.concat([line("a"), line("b")]));
  expect(said).toEqual(["a", "b", "heard all"]);
});

test("a large chunk is heard in a later turn, in its order, and its pipe is paused until then", async () => {
  const heard = listen();
  heard.pipe.emit("data", Buffer.concat([longLine("a"), line("b")]));
  expect(heard.said).toEqual([]);
  expect(heard.pipe.isPaused()).toBe(true);
  heard.pipe.emit("data", line("c"));
  expect(heard.said).toEqual([]);
  expect(await settled(heard, 5)).toEqual(["a", "b", "heard all", "c", "heard all"]);
  expect(heard.pipe.isPaused()).toBe(false);
});

test("a frame that comes in many chunks is heard whole", async () => {
  const heard = listen();
  const frame = longLine("a");
  for (let start = 0; start < frame.length; start += 700)
    heard.pipe.write(frame.subarray(start, start + 700));
  await settled(heard, Math.ceil(frame.length / 700) + 1);
  expect(heard.said.filter((each) => each !== "heard all")).toEqual(["a"]);
});

test("what waits is heard before the end", async () => {
  const { pipe, said } = listen();
  pipe.emit("data", longLine("a"));
  pipe.emit("data", longLine("b"));
  pipe.emit("error", new Error("gone"));
  expect(said).toEqual(["a", "heard all", "b", "heard all", "lost"]);
  await nextTurn();
  expect(said).toHaveLength(5);
});

test("hearing all at once leaves nothing to its turn", async () => {
  const { pipe, said, connection } = listen();
  pipe.emit("data", longLine("a"));
  connection.hearAll();
  expect(said).toEqual(["a", "heard all"]);
  await nextTurn();
  await nextTurn();
  expect(said).toHaveLength(2);
});

test("behind what breaks the wire nothing more is heard", async () => {
  const heard = listen({ refuse: "b" });
  heard.pipe.emit("data", Buffer.concat([longLine("a"), line("b"), line("c")]));
  heard.pipe.emit("data", line("d"));
  expect(await settled(heard, 2)).toEqual(["a", "broke: b is refused"]);
  await nextTurn();
  expect(heard.said).toHaveLength(2);
});
