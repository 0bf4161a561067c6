import { expect, test } from "vitest";
import { stopInOrder } from "./stop-order.ts";

/** Things to stop that write down when they were told and when they had stopped. */
function scene() {
  const events: string[] = [];
  const part = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = async (): Promise<void> => {
      events.push(`${name} told`);
      await promise;
      events.push(`${name} stopped`);
    };
    return { stop, finish: resolve };
  };
  return { events, api: part("api"), worker: part("worker"), store: part("store") };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("the worker is told once the API has stopped, the stores once both have", async () => {
  const { events, api, worker, store } = scene();
  const stopped = stopInOrder({ api, worker, stores: [store], sleep: () => new Promise(() => undefined) });
  api.finish();
  await settle();
  expect(events).toEqual(["api told", "api stopped", "worker told"]);
  worker.finish();
  await settle();
  expect(events.slice(3)).toEqual(["worker stopped", "store told"]);
  store.finish();
  await stopped;
});

test("an API that still answers what waits does not use up the worker's time", async () => {
  const { events, api, worker, store } = scene();
  const stopped = stopInOrder({ api, worker, stores: [store], sleep: () => Promise.resolve() });
  await settle();
  expect(events).toEqual(["api told", "worker told"]);
  worker.finish();
  await settle();
  expect(events).not.toContain("store told");
  for (const part of [api, store]) part.finish();
  await stopped;
});

test("what fails to stop keeps nobody else from it, and is told", async () => {
  const { events, store } = scene();
  store.finish();
  const broken = { stop: () => Promise.reject(new Error("stuck")) };
  const stopped = stopInOrder({
    api: broken,
    worker: broken,
    stores: [store],
    sleep: () => Promise.resolve(),
  });
  await expect(stopped).rejects.toThrow("Error: stuck; Error: stuck");
  expect(events).toContain("store stopped");
});

test("a start that got nowhere has nothing to stop", async () => {
  await stopInOrder({ api: null, worker: null, stores: [], sleep: () => new Promise(() => undefined) });
});
