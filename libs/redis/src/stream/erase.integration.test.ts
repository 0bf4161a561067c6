import { expect, test } from "vitest";
import {
  append,
  ended,
  following,
  idOf,
  ids,
  key,
  redis,
  stream,
  useStreamBench,
  writer,
} from "./fixtures/stream-bench.ts";
import { logKey, tailKey } from "./names.ts";

useStreamBench();

const logOf = () => redis.xlen(logKey(key));

test("an erased log holds nothing, and takes nothing more of any attempt", async () => {
  await append(...ids(1, 2, 9));
  expect(await logOf()).toBeGreaterThan(0);
  await writer.erase(key);
  expect(await logOf()).toBe(0);
  expect(await append("1-10", "2-2")).toBe(false);
  expect(await append("999999-1")).toBe(false);
  expect(await logOf()).toBe(0);
  expect(await redis.pttl(tailKey(key))).toBeGreaterThan(0);
});

test("a log that no event had reached is closed to those on their way", async () => {
  await writer.erase(key);
  expect(await append("1-2")).toBe(false);
  expect(await logOf()).toBe(0);
});

test("who follows afterwards is told the end by the row, behind a gap", async () => {
  await append(...ids(1, 2, 9));
  await writer.erase(key);
  ended("1-10");
  const whole = following();
  await whole.done;
  expect(whole.said.map(idOf)).toEqual(["1-1", "gap 1-1 1-10", "1-10"]);
  const resumed = following("1-5", stream);
  await resumed.done;
  expect(resumed.said.map(idOf)).toEqual(["gap 1-5 1-10", "1-10"]);
});
