import { expect, test } from "vitest";
import { RevocableCache } from "./revocable-cache.ts";

const open = (trusted = () => true) =>
  new RevocableCache<{ n: number }>({ entriesMax: 10, ttlMs: 60_000, trusted });
const counting = () => {
  let loads = 0;
  return { load: () => Promise.resolve({ value: { n: ++loads }, tags: ["a"] }) };
};

test("a value is loaded once", async () => {
  const cache = open();
  const { load } = counting();
  await cache.get("k", load);
  expect(await cache.get("k", load)).toEqual({ n: 1 });
});

test("a revoked value is loaded again", async () => {
  const cache = open();
  const { load } = counting();
  await cache.get("k", load);
  cache.revoke("b");
  expect(await cache.get("k", load)).toEqual({ n: 1 });
  cache.revoke("a");
  expect(await cache.get("k", load)).toEqual({ n: 2 });
});

test("a load that a revocation overtakes is not kept", async () => {
  const cache = open();
  const overtaken = await cache.get("k", () => {
    cache.revoke("a");
    return Promise.resolve({ value: { n: 0 }, tags: ["a"] });
  });
  expect(overtaken).toEqual({ n: 0 });
  expect(await cache.get("k", counting().load)).toEqual({ n: 1 });
});

test("nothing is believed while changes may be missed", async () => {
  let trusted = false;
  const cache = open(() => trusted);
  const { load } = counting();
  await cache.get("k", load);
  trusted = true;
  expect(await cache.get("k", load)).toEqual({ n: 2 });
  trusted = false;
  expect(await cache.get("k", load)).toEqual({ n: 3 });
});

test("what is absent is not remembered", async () => {
  const cache = open();
  expect(await cache.get("k", () => Promise.resolve(null))).toBeNull();
  expect(await cache.get("k", counting().load)).toEqual({ n: 1 });
});
