import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { LastWords } from "./last-words.ts";

it("keeps the end of what was said, at most 4 KiB", async () => {
  const stream = new PassThrough();
  const words = new LastWords(stream);
  stream.end(`${"x".repeat(10_000)}the end\n`);
  await words.ended;
  expect(words.text).toHaveLength(4_096);
  expect(words.text.endsWith("xthe end\n")).toBe(true);
});

it("reads no more for a moment from one who floods, and all that is left once its process has ended", async () => {
  const stream = new PassThrough({ highWaterMark: 2 ** 20 });
  const words = new LastWords(stream);
  for (let part = 0; part < 8; part++) stream.write("x".repeat(64 * 1024));
  await new Promise(setImmediate);
  expect(stream.isPaused()).toBe(true);
  expect(stream.readableLength).toBeGreaterThan(0);
  words.finish();
  stream.end("the end");
  await words.ended;
  expect(words.text.endsWith("the end")).toBe(true);
});

it("ends with a stream that breaks", async () => {
  const stream = new PassThrough();
  const words = new LastWords(stream);
  stream.destroy(new Error("broken"));
  await words.ended;
  expect(words.text).toBe("");
});
