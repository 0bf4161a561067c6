import { expect, it } from "vitest";
import { Lru } from "./lru.ts";

it("the entry that was used longest ago goes first, and the size is never exceeded", () => {
  const lru = new Lru<number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  lru.get("a");
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c"), lru.size]).toEqual([1, undefined, 3, 2]);
});

it("setting an entry again replaces it without pushing another out", () => {
  const lru = new Lru<number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  lru.set("b", 3);
  expect([lru.get("a"), lru.get("b")]).toEqual([1, 3]);
  lru.delete("a");
  expect([lru.get("a"), lru.size]).toEqual([undefined, 1]);
});
