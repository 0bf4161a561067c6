import { expect, test } from "vitest";
import { mergeEvents } from "./merge-events.ts";

async function* of(...events: string[]): AsyncGenerator<string> {
  yield* events;
}

/** Waits for a signal, and yields but one word then. */
async function* silent(signal: AbortSignal): AsyncGenerator<string> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  yield "stopped";
}

async function all(events: AsyncIterable<string>): Promise<string[]> {
  const told: string[] = [];
  for await (const event of events) told.push(event);
  return told;
}

test("each source's events come in its order, and none waits for the other to end", async () => {
  const told = await all(mergeEvents([of("a1", "a2", "a3"), of("b1", "b2", "b3")], () => undefined));
  expect(told.slice(0, 2).toSorted()).toEqual(["a1", "b1"]);
  expect(told.filter((event) => event.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
  expect(told.filter((event) => event.startsWith("b"))).toEqual(["b1", "b2", "b3"]);
});

test("a reader that stops ends also the source that has nothing to say", async () => {
  const stopping = new AbortController();
  const merged = mergeEvents([silent(stopping.signal), of("one", "two")], () => stopping.abort());
  for await (const event of merged) {
    expect(event).toBe("one");
    break;
  }
  expect(stopping.signal.aborted).toBe(true);
});

test("a source that fails fails the whole, and ends the others", async () => {
  const stopping = new AbortController();
  async function* failing(): AsyncGenerator<string> {
    yield "before";
    throw new Error("broken");
  }
  const merged = mergeEvents([silent(stopping.signal), failing()], () => stopping.abort());
  await expect(all(merged)).rejects.toThrow("broken");
  expect(stopping.signal.aborted).toBe(true);
});
