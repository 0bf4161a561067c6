import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather, LOOK_MS_MAX } from "./gather.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PAUSE_MS = 250;

function gathering(lookMs: number) {
  const looks: string[] = [];
  const ending = new AbortController();
  const look = async (key: string): Promise<void> => {
    looks.push(key);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  };
  return { looks, ending, changed: gather(look, () => PAUSE_MS, ending.signal) };
}

test("many changes in a row are one look at each list", async () => {
  const { looks, changed } = gathering(10);
  for (let nth = 0; nth < 100; nth += 1) for (const key of ["tools", "keys"]) changed(key);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toEqual(["tools", "keys"]);
});

test("no look begins while one of the same list is under way, and one follows it", async () => {
  const { looks, changed } = gathering(1_000);
  for (let nth = 0; nth < 10; nth += 1) {
    changed("tools");
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(looks).toEqual(["tools"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toEqual(["tools", "tools"]);
});

test("a look that never ends is not waited for", async () => {
  const { looks, changed } = gathering(10 * LOOK_MS_MAX);
  changed("tools");
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  changed("tools");
  await vi.advanceTimersByTimeAsync(LOOK_MS_MAX + PAUSE_MS);
  expect(looks).toEqual(["tools", "tools"]);
});

test("nothing is looked at once the page is gone", async () => {
  const { looks, changed, ending } = gathering(10);
  changed("tools");
  ending.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  changed("tools");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toEqual([]);
});
