import { expect, test } from "vitest";
import { parseEvent } from "./event-stream.ts";

test.each([
  ["id: 1-2\nevent: execution.log\ndata: {}", { id: "1-2", event: "execution.log", data: "{}" }],
  ["event: execution.gap\ndata: {}", { id: null, event: "execution.gap", data: "{}" }],
  ["data: one\ndata: two", { id: null, event: "message", data: "one\ntwo" }],
  [": alive", null],
])("%j is read as the standard says", (block, event) => {
  expect(parseEvent(block)).toEqual(event);
});
