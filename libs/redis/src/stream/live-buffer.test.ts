import { expect, test } from "vitest";
import { encodeEvent } from "./event-codec.ts";
import { LiveBuffer } from "./live-buffer.ts";
import { LIVE_BYTES_MAX, LIVE_MESSAGES_MAX } from "./names.ts";
import { aLog, anExecution } from "./fixtures/stream-examples.ts";

const execution = anExecution();
const message = (after: string, ...ids: string[]): string =>
  [after, ...ids.map((id) => encodeEvent(aLog(execution, id)))].join("\n");

function listening(): LiveBuffer {
  const live = new LiveBuffer();
  live.takeDoubt();
  return live;
}

test("successors are handed on one by one, what was seen is dropped", () => {
  const live = listening();
  live.onMessage(message("1-1", "1-2", "1-3"));
  live.onMessage(message("1-3", "1-4"));
  expect(live.shift("1-2")?.id).toBe("1-3");
  expect(live.shift("1-3")?.id).toBe("1-4");
  expect(live.shift("1-4")).toBeNull();
  expect(live.takeDoubt()).toBe("none");
});

test("a message that is not the direct successor is not handed on but raises a doubt", () => {
  const live = listening();
  live.onMessage(message("1-2", "1-3"));
  expect(live.shift("1-1")).toBeNull();
  expect(live.takeDoubt()).toBe("log");
});

test("garbage raises a doubt", () => {
  const live = listening();
  live.onMessage("garbage");
  expect(live.shift("1-1")).toBeNull();
  expect(live.takeDoubt()).toBe("log");
});

test("while there is a doubt nothing is held", () => {
  const live = new LiveBuffer();
  live.onMessage(message("1-1", "1-2"));
  expect(live.takeDoubt()).toBe("row");
  expect(live.shift("1-1")).toBeNull();
});

test.each([
  ["messages", LIVE_MESSAGES_MAX + 1, 1],
  ["bytes", 2, LIVE_BYTES_MAX / 2 + 1],
])("more %s than it may hold become a doubt", (_, count, size) => {
  const live = listening();
  for (let n = 0; n < count; n++) live.onMessage("x".repeat(size));
  expect(live.takeDoubt()).toBe("log");
});

test("a doubt about the row outlives one about the log", () => {
  const live = listening();
  live.onRestored();
  live.doubt("log");
  expect(live.takeDoubt()).toBe("row");
});

test("a wait ends with a message, a doubt, or nothing when the time is up", async () => {
  const live = listening();
  const waits = live.wait(60_000);
  live.onMessage(message("1-1", "1-2"));
  expect(await waits).toBe(true);
  expect(await live.wait(60_000)).toBe(true);
  live.shift("1-1");
  live.shift("1-2");
  expect(await live.wait(1)).toBe(false);
});
