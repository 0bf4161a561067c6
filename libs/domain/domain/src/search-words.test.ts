import { expect, test } from "vitest";
import { SEARCH_WORDS_MAX, searchWords, wordsOf } from "./search-words.ts";

test("names and sentences come apart into their words", () => {
  expect(searchWords("fetch_weather for a city-state, now!")).toEqual([
    "fetch",
    "weather",
    "for",
    "a",
    "city",
    "state",
    "now",
  ]);
});

test("letters of every script are words", () => {
  expect(searchWords("Größe 天気 हिन्दी v2")).toEqual(["Größe", "天気", "हिन्दी", "v2"]);
});

test.each(["", "   ", "!!! & | ( ) :* '", "\u0000", "<->", "\\"])("%j holds no word", (text) => {
  expect(searchWords(text)).toEqual([]);
});

test("no operator of a query language comes through", () => {
  expect(searchWords("a':* | b\\ & !(c)<->d").join("")).toMatch(/^[a-d]+$/);
});

test("neither many words nor long ones come through whole, and no character is cut in two", () => {
  expect(searchWords("word ".repeat(1_000))).toHaveLength(SEARCH_WORDS_MAX);
  const [word = ""] = searchWords("𝒜".repeat(1_000));
  expect(Array.from(word)).toHaveLength(64);
  expect(word.isWellFormed()).toBe(true);
});

test("letters and their marks are put together", () => {
  expect(searchWords("nai\u0308ve cafe\u0301")).toEqual(["na\u00efve", "caf\u00e9"]);
});

test("marks without end, which would take minutes to be put in order, are cut before that", () => {
  const marks = "\u0301".repeat(300_000) + "\u0323".repeat(300_000);
  const [word = "", ...more] = wordsOf(`a${marks} behind`);
  expect(Array.from(word)).toHaveLength(64);
  expect(more).toEqual(["behind"]);
});
