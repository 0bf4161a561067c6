import { expect, test } from "vitest";
import { Kept } from "./kept.ts";

function newStore(charsMax = Infinity) {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > charsMax) throw new Error("full");
      values.set(key, value);
    },
    removeItem: (key: string) => void values.delete(key),
    key: (at: number) => [...values.keys()][at] ?? null,
    get length() {
      return values.size;
    },
  };
}

test("what is kept is there in the next page, until it is forgotten", () => {
  const store = newStore();
  expect(new Kept(() => store).keep("theme", "dark")).toBe(true);
  const next = new Kept(() => store);
  expect(next.read("theme")).toBe("dark");
  next.forget("theme");
  expect([next.read("theme"), store.length]).toEqual([null, 0]);
});

test("a full store makes nothing fail: what it refuses lasts as long as the page, and that is told once", () => {
  const store = newStore(4);
  const kept = new Kept(() => store);
  const told: string[] = [];
  kept.onRefused(() => void told.push("refused"));
  kept.keep("draft", "old");
  expect([kept.keep("draft", "longer"), kept.keep("other", "longer")]).toEqual([false, false]);
  expect([kept.read("draft"), new Kept(() => store).read("draft"), told]).toEqual([
    "longer",
    "old",
    ["refused"],
  ]);
  expect([kept.keep("draft", "new"), kept.read("draft")]).toEqual([true, "new"]);
});

test("a store that is forbidden makes nothing fail", () => {
  const kept = new Kept(() => {
    throw new Error("forbidden");
  });
  kept.enter("ten_1");
  expect([kept.read("a"), kept.keep("a", "1"), kept.read("a")]).toEqual([null, false, "1"]);
  kept.forget("a");
  kept.keepOwn("draft", "2");
  kept.leave();
  kept.enter("ten_1");
  expect([kept.read("a"), kept.readOwn("draft")]).toEqual([null, null]);
});

test("what is ended is forgotten, and whatever a page wants to keep of it afterwards is not kept", () => {
  const store = newStore();
  const kept = new Kept(() => store);
  kept.enter("ten_1");
  kept.keepOwn("draft.tool_1", "old");
  kept.keepOwn("draft.tool_2", "other");
  kept.endOwn("draft.tool_1");
  expect([kept.readOwn("draft.tool_1"), kept.keepOwn("draft.tool_1", "late")]).toEqual([null, false]);
  expect([...store.values.values()]).toEqual(["other"]);
  // Of another tenant's nothing has ended by that.
  kept.enter("ten_2");
  expect(kept.keepOwn("draft.tool_1", "theirs")).toBe(true);
});

test("who leaves takes along what they kept, and nothing else; nothing of theirs is kept afterwards", () => {
  const store = newStore();
  const kept = new Kept(() => store);
  expect(kept.keepOwn("draft", "before")).toBe(false);
  kept.keep("theme", "dark");
  kept.enter("ten_2");
  kept.keepOwn("draft", "theirs");
  kept.enter("ten_1");
  kept.keepOwn("draft", "one");
  kept.keepOwn("inputs", "two");
  expect(kept.readOwn("draft")).toBe("one");
  kept.leave();
  expect([kept.keepOwn("draft", "late"), kept.readOwn("draft")]).toEqual([false, null]);
  expect([...store.values.values()]).toEqual(["dark", "theirs"]);
});
