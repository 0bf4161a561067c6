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

test("a load that another's revocation overtakes is kept", async () => {
  const cache = open();
  await cache.get("k", () => {
    cache.revoke("b");
    return Promise.resolve({ value: { n: 0 }, tags: ["a"] });
  });
  expect(await cache.get("k", counting().load)).toEqual({ n: 0 });
});

test("what is cleared while it is loaded is not kept", async () => {
  const cache = open();
  await cache.get("k", () => {
    cache.clear();
    return Promise.resolve({ value: { n: 0 }, tags: ["a"] });
  });
  expect(await cache.get("k", counting().load)).toEqual({ n: 1 });
});

test("a revocation takes all that carry the tag, and nothing else, after evictions and changed tags too", async () => {
  const cache = open();
  const store = (key: string, n: number, tags: string[]) =>
    cache.get(key, () => Promise.resolve({ value: { n }, tags }));
  for (let n = 0; n < 25; n += 1) await store(`k${n}`, n, [`own ${n}`, n % 2 ? "odd" : "even"]);
  cache.revoke("own 23");
  await store("k23", 230, ["even"]);
  cache.revoke("odd");
  const left: number[] = [];
  for (let n = 15; n < 25; n += 1) {
    const found = await cache.get(`k${n}`, () => Promise.resolve(null));
    if (found) left.push(found.n);
  }
  expect(left).toEqual([16, 18, 20, 22, 230, 24]);
});

test("what weighs too much to be kept leaves nothing behind", async () => {
  const cache = new RevocableCache<{ n: number }>({
    entriesMax: 10,
    ttlMs: 60_000,
    trusted: () => true,
    weight: { max: 5, of: (_key, { n }) => n },
  });
  const load = (n: number) => () => Promise.resolve({ value: { n }, tags: ["a"] });
  expect(await cache.get("k", load(6))).toEqual({ n: 6 });
  expect(await cache.get("k", load(3))).toEqual({ n: 3 });
  cache.revoke("a");
  expect(await cache.get("k", load(2))).toEqual({ n: 2 });
  cache.clear();
});
