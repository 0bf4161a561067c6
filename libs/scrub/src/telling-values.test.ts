import { REDACTED } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { looksLikeToken } from "./telling-values.ts";

const TOKENS = [
  "abcdefg1",
  "abcDefgh",
  "AbcdefGh",
  "abcdefghijklmnopqrst",
  "Bearer abcdefg1",
  "sid=38afes7a8; theme=dark",
  "theme=dark; sid=38afes7a8; Path=/",
];
const WORDS = [
  "to",
  "chocolate",
  "Chocolate",
  "CHOCOLATE",
  "abcdef1",
  "the 2nd cookie of Section12",
  "theme=dark; lang=en",
  "Bearer",
  "Bearer none",
  `${REDACTED}abcdefg1`,
];

test.each(TOKENS)("%s looks like a token", (value) => {
  expect(looksLikeToken(value)).toBe(true);
});

test.each(WORDS)("%s does not", (value) => {
  expect(looksLikeToken(value)).toBe(false);
});

const scrubber = () => openScrubbers().open({ needles: [], patterns: [] });
const NAMES = ["token", "cookie", "Bearer", "TOKEN"];

test.each(NAMES)("under %s a token is covered and a word is not, in JSON and in JSON in a text", (name) => {
  for (const value of TOKENS) {
    const json = JSON.stringify({ [name]: value, list: 1 });
    const covered = json.replace(JSON.stringify(value), `"${REDACTED}"`);
    expect(scrubber().json(json)).toBe(covered);
    expect(scrubber().text(`it says ${json}`)).toBe(`it says ${covered}`);
  }
  for (const value of WORDS.slice(0, -1)) {
    const json = JSON.stringify({ [name]: [value], is: { [name]: value } });
    expect(scrubber().json(json)).toBe(json);
    expect(scrubber().text(json)).toBe(json);
  }
});

test("where a word stands in a text alone it is none either", () => {
  for (const text of ["token=abcde1", "cookie: chocolate1", "token: 'abc1'"])
    expect(scrubber().text(text)).toBe(text.replace("chocolate1", REDACTED));
  for (const text of ["?token=abc&page=2", "token=abcdefg1", "token: 'abcdefg1'"])
    expect(scrubber().text(text)).toBe(text.replace(/abc\w*/, REDACTED));
});

test("a name that says secret covers whatever it has", () => {
  for (const name of ["password", "passwd", "secret", "client_secret", "api_key", "authorization"])
    expect(scrubber().json(`{"${name}":"to"}`)).toBe(`{"${name}":"${REDACTED}"}`);
});

test("covering twice is covering once, whatever a mark takes away between", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nab\n-----END PRIVATE KEY-----";
  for (const value of [`${key}abcdefg1`, `${key};abcdefg1`, `a b ${key}abcdefg1`]) {
    const once = scrubber().json(JSON.stringify({ token: value }));
    expect(scrubber().json(once)).toBe(once);
    const said = scrubber().text(`"token":"${value}"`);
    expect(scrubber().text(said)).toBe(said);
  }
});
