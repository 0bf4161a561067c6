import { expect, test } from "vitest";
import {
  accentedSearchWords,
  indexTerms,
  SEARCH_WORDS_MAX,
  searchWords,
  termsOf,
  wordsOf,
} from "./search-words.ts";

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
  expect(searchWords("Größe 天気 हिन्दी v2")).toEqual(["grosse", "天気", "हिन्दी", "v2"]);
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
  expect(searchWords("\u0438\u0306 \u0928\u093c")).toEqual(["\u0439", "\u0929"]);
});

test("of marks without end, which would take minutes to be put in order, as many count as a language may have", () => {
  const marks = "\u0301".repeat(300_000) + "\u0323".repeat(300_000);
  const [word = "", ...more] = wordsOf(`\u0915${marks} behind`);
  expect(Array.from(word)).toHaveLength(31);
  expect(more).toEqual(["behind"]);
});

test.each([
  ["Straße", "STRASSE"],
  ["STRAẞE", "straße"],
  ["ΟΔΟΣ", "οδος"],
  ["İSTANBUL", "istanbul"],
  ["caf\u00e9", "CAFE\u0301"],
  ["ＰＤＦ", "pdf"],
  ["ｶﾞｽ", "ガス"],
  ["\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"],
  ["ﬁle", "FILE"],
  ["café", "cafe"],
  ["Ångström", "ANGSTROM"],
  ["cafe\u0301s", "cafes"],
  ["Đặng Việt", "dang viet"],
  ["smørrebrød łódź", "smorrebrod lodz"],
  ["Ærø œuvre þing", "aero oeuvre thing"],
  ["καφές", "ΚΑΦΕΣ"],
  ["x\u030c\u0323", "x"],
])("%s is the same word as %s", (one, other) => {
  expect(wordsOf(one)).toEqual(wordsOf(other));
  expect(indexTerms(one)).toEqual(indexTerms(other));
});

test.each([
  ["й", "и"],
  ["が", "か"],
  ["ป่า", "ปา"],
  ["कि", "क"],
])("the mark of %s makes another word of it than %s", (one, other) => {
  expect(wordsOf(one)).not.toEqual(wordsOf(other));
});

test("a word has its accents for what was stored when they counted", () => {
  expect(accentedSearchWords("Le CAFÉ, 天気")).toEqual([
    { word: "le", accented: "le" },
    { word: "cafe", accented: "café" },
    { word: "天気", accented: "天気" },
  ]);
  expect(accentedSearchWords("é ".repeat(100))).toHaveLength(SEARCH_WORDS_MAX);
});

test("a letter that stands for a whole sentence does not grow into one", () => {
  expect(wordsOf("\ufdfa".repeat(64)).join("")).toHaveLength(64);
});

test("what is written without blanks comes apart into its words", () => {
  expect(wordsOf("本工具用于生成电子发票并发送邮件")).toEqual(
    expect.arrayContaining(["工具", "生成", "电子", "发票", "邮件"]),
  );
  expect(wordsOf("東京の天気を調べる")).toEqual(["東京", "の", "天気", "を", "調べる"]);
  expect(wordsOf("เครื่องมือส่งอีเมล")).toContain("อีเมล");
  expect(wordsOf("PDF文件v2")).toEqual(["pdf", "文件", "v2"]);
});

test("characters that no dictionary takes together stay together", () => {
  expect(wordsOf("発票")).toEqual(["発票"]);
});

test.each([
  ["本工具用于生成电子发票并发送邮件", "发票"],
  ["本工具用于生成电子发票并发送邮件", "邮件"],
  ["東京の天気を調べる", "天気"],
  ["東京の天気を調べる", "京の天"],
  ["ส่งอีเมลถึงลูกค้า", "อีเมล"],
  ["이메일을 보내기", "이메일"],
])("an index of %s has all terms of %s, and not those of its reverse", (text, word) => {
  const terms = new Set(indexTerms(text));
  expect(termsOf(word).filter((term) => !terms.has(term))).toEqual([]);
  const reverse = Array.from(word).toReversed().join("");
  expect(termsOf(reverse).every((term) => terms.has(term))).toBe(false);
});

test("a single character is the beginning of a term of each text that has it", () => {
  for (const char of "发票") {
    expect(termsOf(char)).toEqual([char]);
    expect(indexTerms("发票").some((term) => term.startsWith(char))).toBe(true);
  }
});
