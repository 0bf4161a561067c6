import { expect, test } from "vitest";
import { TenantTurns } from "./tenant-turns.ts";

const never = new AbortController().signal;

/** Work of which the test says when it ends. */
function working(turns: TenantTurns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (tenantId: string, name: string, signal = never): Promise<void> =>
    turns.run(tenantId, signal, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, run, end };
}

test("a tenant has its own bound, and doesn't hold others up", async () => {
  const { begun, run, end } = working(new TenantTurns({ tenant: 1, all: 2 }));
  const all = [run("a", "a1"), run("a", "a2"), run("b", "b1"), run("c", "c1")];
  await end("");
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "c1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  await end("a2");
  await end("c1");
  await Promise.all(all);
});

test("who gives up while waiting begins nothing, and the turn goes on to the next", async () => {
  const { begun, run, end } = working(new TenantTurns({ tenant: 1, all: 1 }));
  const controller = new AbortController();
  const first = run("a", "a1");
  const given = run("a", "a2", controller.signal);
  const last = run("b", "b1");
  controller.abort(new Error("gone"));
  await expect(given).rejects.toThrow("gone");
  await expect(run("c", "c1", controller.signal)).rejects.toThrow("gone");
  await end("a1");
  await end("b1");
  await Promise.all([first, last]);
  expect(begun).toEqual(["a1", "b1"]);
});

test("work that fails gives its turn on", async () => {
  const turns = new TenantTurns({ tenant: 1, all: 1 });
  await expect(turns.run("a", never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.run("a", never, async () => 1)).toBe(1);
});
