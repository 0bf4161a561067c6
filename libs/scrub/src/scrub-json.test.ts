import { REDACTED } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";

const scrubber = openScrubbers().open({
  needles: [
    { value: "s3cr3t-Value", wholeWordsOnly: false },
    { value: "0987654321", wholeWordsOnly: false },
    { value: "4711", wholeWordsOnly: true },
  ],
  patterns: [],
});
const scrub = (value: unknown): unknown => JSON.parse(scrubber.json(JSON.stringify(value)));

test("keys that hold a secret stay apart from each other and from the marks that are there", () => {
  const said = scrub({ "s3cr3t-Value": 1, [REDACTED]: 2, "a s3cr3t-Value": 3, "s3cr3t-Value ": 4 });
  expect(said).toEqual({ [REDACTED]: 1, [`${REDACTED} 2`]: 2, [`a ${REDACTED}`]: 3, [`${REDACTED} `]: 4 });
});

const ALIKE = isNightly ? 70_000 : 20_000;

test("keys stay distinct however many are covered alike, and beside those that look numbered already", () => {
  const numbered = Array.from({ length: 1_000 }, (_, n) => [`${REDACTED} ${n * 2}`, n]);
  const alike = Array.from({ length: ALIKE }, (_, n) => [`pwd=${100_000 + n}`, n]);
  const said = scrub(Object.fromEntries([...numbered, ...alike])) as Record<string, unknown>;
  expect(Object.keys(said)).toHaveLength(1_000 + ALIKE);
  expect(said[`pwd=${REDACTED}`]).toBe(0);
  expect(said[`pwd=${REDACTED} ${ALIKE}`]).toBe(ALIKE - 1);
});

test.each([
  "password",
  "Authorization",
  "x-api-key",
  "client_secret",
  "set-cookie",
  "accessToken",
  "DB_PASSWORD",
])("the strings under %s are covered, in lists too, and nothing else", (key) => {
  expect(scrub({ [key]: "anything" })).toEqual({ [key]: REDACTED });
  expect(scrub({ [key]: ["one", "two", 3] })).toEqual({ [key]: [REDACTED, REDACTED, 3] });
  const unlike = { [key]: "", next: "x" };
  expect(scrub(unlike)).toEqual(unlike);
  for (const value of [7, true, null, { type: "string", list: ["a"] }])
    expect(scrub({ [key]: value, list: ["x"] })).toEqual({ [key]: value, list: ["x"] });
});

test.each(["nextPageToken", "tokens", "forgotPassword", "secretary", "passwordPolicy", "keyboard", "author"])(
  "%s is no secret's name",
  (key) => {
    expect(scrub({ [key]: "anything" })).toEqual({ [key]: "anything" });
  },
);

test("a number whose digits spell a secret becomes a string", () => {
  expect(scrub({ a: 987654321, b: [1987654321, -4711, 47110, 12.5] })).toEqual({
    a: REDACTED,
    b: [REDACTED, REDACTED, 47110, 12.5],
  });
});

test("few digits behind zeros are no secret number", () => {
  const short = openScrubbers().open({
    needles: [{ value: "00000042", wholeWordsOnly: false }],
    patterns: [],
  });
  expect(short.json('[42,4200,"00000042"]')).toBe(`[42,4200,"${REDACTED}"]`);
});

test("escapes are no way round", () => {
  expect(scrubber.json(String.raw`["\u0073\u0033cr3t-Value","a\/b","\u0070"]`)).toBe(
    String.raw`["${REDACTED}","a\/b","\u0070"]`,
  );
  expect(scrubber.json(String.raw`{"pass\u0077ord":"x"}`)).toBe(String.raw`{"pass\u0077ord":"${REDACTED}"}`);
});

test("what holds no secret is the same text, spaces and all", () => {
  const json = ' { "a" : [ 1.0e5 , "\\n\\ud83d" , {} ] ,\n"b":null}';
  expect(scrubber.json(json)).toBe(json);
});

test("a string without an end is refused", () => {
  expect(() => scrubber.json('["abc')).toThrow(SyntaxError);
});

test("half of a surrogate pair survives beside a secret", () => {
  expect(scrub(["\ud83d s3cr3t-Value \ude00"])).toEqual([`\ud83d ${REDACTED} \ude00`]);
});
