import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenForStop } from "./stop-wish.ts";

function scene() {
  const source = new EventEmitter();
  const state = { time: 1_000, atOnce: 0 };
  const wish = listenForStop(
    source,
    () => state.time,
    () => (state.atOnce += 1),
  );
  return { source, state, wish };
}

test("the first signal is the wish", async () => {
  const { source, wish } = scene();
  source.emit("SIGTERM");
  expect(await wish.first).toBe("SIGTERM");
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
