import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenForStop } from "./stop-request.ts";

function scene() {
  const source = new EventEmitter();
  const state = { time: 1_000, atOnce: 0 };
  const request = listenForStop(
    source,
    () => state.time,
    () => (state.atOnce += 1),
  );
  return { source, state, request };
}

test("the first signal is the request to stop", async () => {
  const { source, request } = scene();
  source.emit("SIGTERM");
  expect(await request.first).toBe("SIGTERM");
});

test("one Ctrl-C that arrives twice, from the terminal and through npm, is one", () => {
  const { source, state } = scene();
  source.emit("SIGINT");
  state.time += 100;
  source.emit("SIGINT");
  expect(state.atOnce).toBe(0);
});

test("a second Ctrl-C ends at once, a second SIGTERM does not", () => {
  const { source, state } = scene();
  source.emit("SIGINT");
  state.time += 2_000;
  source.emit("SIGTERM");
  expect(state.atOnce).toBe(0);
  source.emit("SIGINT");
  expect(state.atOnce).toBe(1);
});
