import { expect, test } from "vitest";
import { ReleasedLately } from "./released-lately.ts";

test("a release is remembered past the next heartbeat, and forgotten after the second", () => {
  const released = new ReleasedLately();
  released.add("a");
  released.age();
  expect(released.has("a")).toBe(true);
  released.age();
  expect(released.has("a")).toBe(false);
});

test("memory stays bounded in a process that never renews", () => {
  const released = new ReleasedLately();
  for (let n = 0; n < 50_000; n++) released.add(`a${n}`);
  expect(released.has("a0")).toBe(false);
  expect(released.has("a49999")).toBe(true);
});
