import { expect, test } from "vitest";
import { hashOf, wordsOf } from "./words.ts";

test.each([
  ["Anna's dog, Rex!", ["anna", "s", "dog", "rex"]],
  ["Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]],
  ["user_id v1.2 ＡＢＣ", ["user", "id", "v1", "2", "abc"]],
  ["Straße ﬁne", ["straße", "fine"]],
  ["東京都", ["東京", "京都"]],
  ["abc東京 茶", ["東京", "abc", "茶"]],
  ["한국어 공부", ["한국어", "공부"]],
  ["हिन्दी में", ["हिन्दी", "में"]],
  ["مرحبا", ["مرحبا"]],
  ["... -- !!", []],
])("%s has the words %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test("a word counts by its first 64 characters", () => {
  expect(wordsOf("a".repeat(5_000))).toEqual(["a".repeat(64)]);
});

test("hashes are 32 bits, and with another seed others", () => {
  const hashes = ["a", "b", "ab", "ba"].flatMap((word) => [hashOf(word), hashOf(word, 1)]);
  expect(new Set(hashes).size).toBe(8);
  expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32)).toBe(true);
});
