import { REDACTED, type ScrubbedLine, type ScrubLines } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";

const needle = { value: "s3cr3t-Value", wholeWordsOnly: false };
const needles = [{ ...needle, isTold: true as const }];
const lettersOf = (text: string): string[] => text.split("");
const open = () =>
  openScrubbers().open({
    needles,
    patterns: [{ name: "order", source: "ORD-[0-9]{6}" }],
  });
const textsOf = (lines: readonly ScrubbedLine[]): string[] => lines.map(({ text }) => text);
const all = (lines: ScrubLines, said: readonly string[]): string[] => [
  ...said.flatMap((line) => textsOf(lines.push(line))),
  ...textsOf(lines.end()),
];

test("a line leaves at once unless it ends in what could become a secret", () => {
  const lines = open().lines();
  expect(lines.push("plain text, at once")).toEqual([{ index: 0, text: "plain text, at once" }]);
  expect(lines.push("the value is s3cr3t-V")).toEqual([]);
  expect(lines.push("")).toEqual([]);
  expect(lines.push("alue, it said")).toEqual([
    { index: 1, text: `the value is ${REDACTED}` },
    { index: 2, text: "" },
    { index: 3, text: ", it said" },
  ]);
});

test("a secret of one letter a line is covered, also with line ends", () => {
  expect(all(open().lines(), lettersOf("<s3cr3t-Value>")).join("")).toBe(`<${REDACTED}>`);
  const parted = [{ value: "first part\nsecond", wholeWordsOnly: false }];
  const scrubber = openScrubbers().open({ needles: parted, patterns: [] });
  expect(all(scrubber.lines(), ["a first part", "second b"])).toEqual([`a ${REDACTED}`, " b"]);
  expect(scrubber.text("a first part\nsecond b")).toBe(`a ${REDACTED} b`);
});

test("what can wait no longer leaves, with the beginning of a secret covered, and its end too", () => {
  const lines = open().lines();
  lines.push("it ends in s");
  expect(textsOf(lines.settle())).toEqual(["it ends in s"]);
  lines.push("value s3cr3t");
  expect(textsOf(lines.settle())).toEqual([`value ${REDACTED}`]);
  expect(all(lines, ["-Value, it said"])).toEqual([", it said"]);
});

test("code that was told no secret learns nothing of one from what is covered of its guesses", () => {
  const told = { value: "other-T0ld", wholeWordsOnly: false, isTold: true as const };
  for (const held of [
    [needle],
    [needle, told],
    [{ value: "s3cr3t-Value and more", wholeWordsOnly: false }, needle],
  ]) {
    const lines = openScrubbers().open({ needles: held, patterns: [] }).lines();
    lines.push("value s3cr3t-Val");
    expect(textsOf(lines.settle())).toEqual(["value s3cr3t-Val"]);
    lines.push("value s3cr3t-Value");
    expect(textsOf(lines.settle())).toEqual([`value ${REDACTED}`]);
  }
});

test("beside what was told to nobody, the beginning of a told value is covered, and on where its line was let go", () => {
  const longer = { value: "of s3cr3t-Va, never told", wholeWordsOnly: false };
  const lines = openScrubbers()
    .open({ needles: [longer, ...needles], patterns: [] })
    .lines();
  expect(lines.push("it is of s3cr3t")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual([`it is of ${REDACTED}`]);
  expect(lines.push("-V")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual([""]);
  expect(all(lines, ["alue, it said"])).toEqual([", it said"]);
  expect(lines.push("it is of s")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual(["it is of s"]);
});

test("what is learnt on the way is told to nobody", () => {
  const scrubber = open();
  scrubber.add([{ value: "learnt-Pl4ceholder", wholeWordsOnly: false }]);
  const lines = scrubber.lines();
  expect(lines.push("is learnt-Pl4ce")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual(["is learnt-Pl4ce"]);
  expect(all(lines, ["is learnt-Pl4ceholder"])).toEqual([`is ${REDACTED}`]);
});

test("a short value that ends a line is a whole word when the line can wait no longer", () => {
  const short = { value: "4711", wholeWordsOnly: true };
  const lines = openScrubbers()
    .open({ needles: [short], patterns: [] })
    .lines();
  expect(lines.push("it is 4711")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual([`it is ${REDACTED}`]);
  expect(all(lines, ["12, 4711"])).toEqual(["12, " + REDACTED]);
});

test("a token is found across lines and ends with the line in which it is long enough", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const [head, tail] = [token.slice(0, 20), token.slice(20)];
  expect(all(open().lines(), [`with ${head}`, tail, "Done"])).toEqual([`with ${REDACTED}`, "", "Done"]);
  expect(all(open().lines(), [`with ${token}`, "Done"])).toEqual([`with ${REDACTED}`, "Done"]);
  expect(all(open().lines(), lettersOf(token)).slice(4).join("")).toBe("");
});

test("a token that has begun is covered when its line can wait no longer, and so is its end", () => {
  const lines = open().lines();
  expect(lines.push("with ghp_a1B2")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual([`with ${REDACTED}`]);
  expect(all(lines, [`${"a1B2".repeat(8)} rest`])).toEqual([`${REDACTED} rest`]);
});

test("a word that only begins like a token leaves as it is", () => {
  const lines = open().lines();
  expect(lines.push("the size is SK")).toEqual([]);
  expect(textsOf(lines.settle())).toEqual(["the size is SK"]);
  expect(all(lines, ["U 12"])).toEqual(["U 12"]);
});

test("a private key is covered over its lines", () => {
  const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA";
  const said = ["a", "-----BEGIN PRIVATE KEY-----", body, body, "-----END PRIVATE KEY-----", "b"];
  expect(all(open().lines(), said)).toEqual(["a", REDACTED, "", "", "", "b"]);
});

test("a name at the end of a line says nothing of the next", () => {
  expect(all(open().lines(), ["password:", "user42 logged in"])).toEqual(["password:", "user42 logged in"]);
});

test("a value behind a name ends with its line, also behind a line that was held", () => {
  const said = ["with ghp_a1B2", " password=hunter2", "3 lines were read"];
  expect(all(open().lines(), said)).toEqual(["with ghp_a1B2", ` password=${REDACTED}`, "3 lines were read"]);
});

test("a tenant's pattern is covered within a line", () => {
  expect(all(open().lines(), ["ORD-123456 came", "ORD-12", "3456"])).toEqual([
    `${REDACTED} came`,
    "ORD-12",
    "3456",
  ]);
});

test("what is added while lines are held is covered in them", () => {
  const scrubber = open();
  const lines = scrubber.lines();
  expect(lines.push("s3cr3t")).toEqual([]);
  scrubber.add([{ value: "s3cr3t, other", wholeWordsOnly: false }]);
  expect(all(lines, [", other"])).toEqual([REDACTED, ""]);
});

test("bytes are let go as far as they are decided, and know what was added", () => {
  const scrubber = open();
  const stream = scrubber.bytes();
  const push = (text: string): string => Buffer.from(stream.push(Buffer.from(text))).toString();
  expect(push("abc s3cr3t")).toBe("abc ");
  scrubber.add([{ value: "s3cr3t-Value, fghijk", wholeWordsOnly: false }]);
  expect(push("-Value, fg")).toBe("");
  expect(push("hijk ghp_")).toBe(`${REDACTED} ghp_`);
  expect(Buffer.from(stream.end()).toString()).toBe("");
});

test("of lines that are pushed together only those wait in which something has begun", () => {
  const lines = open().lines();
  expect(lines.push("done", "password=hunter2x", "with ghp_a1B2", "")).toEqual([
    { index: 0, text: "done" },
    { index: 1, text: `password=${REDACTED}` },
  ]);
  const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
  expect(lines.push(token.slice(8), "over")).toEqual([
    { index: 2, text: `with ${REDACTED}` },
    { index: 3, text: "" },
    { index: 4, text: "" },
    { index: 5, text: "over" },
  ]);
});
