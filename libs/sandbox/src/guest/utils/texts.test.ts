import { describe, expect, it } from "vitest";
import { countWords, removeDiacritics, slugify, truncate } from "./texts.ts";

describe("slugify", () => {
  it.each([
    ["Hello, World!", "hello-world"],
    ["  --Tips & Tricks--  ", "tips-tricks"],
    ["Crème brûlée für Øyvind Łódź ß æ", "creme-brulee-fur-oyvind-lodz-ss-ae"],
    ["It's the dog’s JavaScript", "its-the-dogs-javascript"],
    ["a_b.c/d", "a-b-c-d"],
    ["Привет, Мир! Йод подъезд щи", "privet-mir-yod-podezd-shchi"],
    ["Αθήνα, Ελλάς ψάρι", "athina-ellas-psari"],
    ["ﬁne １２３", "fine-123"],
    ["Iİı", "iii"],
    ["你好 world", "world"],
    ["你好", ""],
    ["🦄", ""],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(slugify(text)).toBe(expected);
  });
});

describe("removeDiacritics", () => {
  it.each([
    ["Crème Brûlée à la Ñandú", "Creme Brulee a la Nandu"],
    ["e\u{301}\u{323}", "e"],
    ["ß ẞ æ Œ ø Ł Đ ð Þ ı ħ", "ss SS ae OE o L D d TH i h"],
    ["Việt Nam", "Viet Nam"],
    ["Ζεύς Ёж", "Ζευς Еж"],
    ["हिन्दी が 한국어", "हिन्दी が 한국어"],
    ["plain ASCII", "plain ASCII"],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(removeDiacritics(text)).toBe(expected);
  });
});

describe("truncate", () => {
  const long = "x".repeat(101);
  it.each([
    ["short", undefined, undefined, "short"],
    ["x".repeat(100), undefined, undefined, "x".repeat(100)],
    [long, undefined, undefined, `${"x".repeat(97)}...`],
    ["abcdef", 5, undefined, "ab..."],
    ["abcdef", 6, undefined, "abcdef"],
    ["abcdef", 4, "…", "abc…"],
    ["abcdef", 4, "", "abcd"],
    ["abcdef", 2, undefined, "ab"],
    ["abcdef", 3, undefined, "..."],
    ["abcdef", 0, undefined, ""],
    ["", 0, undefined, ""],
    ["a😀bc", 5, undefined, "a😀bc"],
    ["a😀bcdef", 5, undefined, "a..."],
    ["a😀bcdef", 3, "", "a😀"],
    ["a😀bcdef", 2, "", "a"],
  ])("of %j to %s with %s is %j", (text, maxLength, suffix, expected) => {
    expect(truncate(text, maxLength, suffix)).toBe(expected);
  });
});

describe("countWords", () => {
  it.each([
    ["", 0],
    [" \n\t ", 0],
    ["one", 1],
    ["  two\u{a0}words ", 2],
    ["don't split well-known words", 4],
    ["a — b ... c!", 3],
    ["42 is a number", 4],
    ["Größe naïve हिन्दी", 3],
    ["你好世界", 2],
    ["Hello 世界", 2],
    ["สวัสดีครับ", 2],
  ])("of %j is %d", (text, expected) => {
    expect(countWords(text)).toBe(expected);
  });
});
