import { encodeFrame } from "@bulkhead/sandbox/wire";
import { leakCheck } from "@bulkhead/testing";
import { once } from "node:events";
import { expect, test } from "vitest";
import { JOB_FRAME_BYTES_MAX } from "./bounds.ts";
import { spawnPageProcess } from "./spawn-page-process.ts";

leakCheck();

test.each([
  ["its input ends: nobody is left who asks", null, 0],
  ["its input is more than any page", Buffer.alloc(4, 0xff), 1],
  ["its input is no page", encodeFrame(null, JOB_FRAME_BYTES_MAX), 1],
])("the program ends when %s", async (_, input, code) => {
  const child = spawnPageProcess();
  child.stdout.resume();
  const exited = once(child, "exit");
  if (input === null) child.stdin.end();
  else child.stdin.write(input);
  expect(await exited).toEqual([code, null]);
});
