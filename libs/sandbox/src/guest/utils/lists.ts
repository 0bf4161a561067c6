import { LIST_ITEMS_MAX, takeInteger, takeList, wrongKind } from "./arguments.ts";
import { setOwn } from "./own.ts";
import { randomBelow } from "./randomness.ts";

/** The first of each; equality is that of Map and Set, so objects are compared by identity. */
export const unique = <T>(arr: T[]): T[] => [...new Set(takeList<T>("unique", "arr", arr))];

/** Pieces of `size` items, 1 or more, the last one with the rest. */
export function chunk<T>(arr: T[], size: number): T[][] {
  const items = takeList<T>("chunk", "arr", arr);
  const length = takeInteger("chunk", "size", size, 1, Number.MAX_SAFE_INTEGER);
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += length) chunks.push(items.slice(at, at + length));
  return chunks;
}

/** A copy in random order, every order equally likely. */
export const shuffle = <T>(arr: T[]): T[] => {
  const items = takeList<T>("shuffle", "arr", arr);
  return draw(items, items.length);
};

/** `n` random items, none of them twice; all of them in random order where there are fewer. */
export const sample = <T>(arr: T[], n = 1): T[] => {
  const items = takeList<T>("sample", "arr", arr);
  return draw(items, Math.min(items.length, takeInteger("sample", "n", n, 0, LIST_ITEMS_MAX)));
};

/** The first steps of Fisher and Yates, on a copy. */
function draw<T>(items: T[], count: number): T[] {
  const left = Array.from(items);
  for (let at = 0; at < count; at++) {
    const chosen = at + randomBelow(left.length - at, count - at);
    [left[at], left[chosen]] = [left[chosen] as T, left[at] as T];
  }
  return left.slice(0, count);
}

/**
 * The items grouped by their value under `key`, written as a text (`undefined` if they have none), or by the result of
 * `key` if it is a function; groups and items in their original order.
 */
export function groupBy<T>(
  arr: T[],
  key: keyof T | ((item: T, index: number) => unknown),
): Record<string, T[]> {
  const items = takeList<T>("groupBy", "arr", arr);
  if (typeof key === "object" || key === undefined)
    throw wrongKind("groupBy", "key must be a property's name or a function");
  const groups = new Map<string, T[]>();
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as T;
    const name = String(typeof key === "function" ? key(item, i) : item?.[key]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  const result: Record<string, T[]> = {};
  for (const [name, group] of groups) setOwn(result, name, group);
  return result;
}
