import { NEEDLE_WEIGHT_MAX, needleWeight, REDACTED, type Needle } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { buildTables } from "./value-scan.ts";
import { listWords } from "./variants.ts";

const scrubbers = openScrubbers();
const open = (...needles: Needle[]) => scrubbers.open({ needles, patterns: [] });
const exact = (value: string): Needle => ({ value, wholeWordsOnly: false });

test("a short or common value is covered as a whole word only", () => {
  const scrubber = open({ value: "4711", wholeWordsOnly: true }, exact("abc"));
  expect(scrubber.text("4711, x4711 47110 (4711) pin=4711")).toBe(
    `${REDACTED}, x4711 47110 (${REDACTED}) pin=${REDACTED}`,
  );
  expect(scrubber.text("abc abcd")).toBe(`${REDACTED} abcd`);
  const lines = scrubber.lines();
  expect(lines.push("it is 4711")).toEqual([]);
  expect([...lines.push("5"), ...lines.push(" 4711"), ...lines.end()].map(({ text }) => text)).toEqual([
    "it is 4711",
    "5",
    ` ${REDACTED}`,
  ]);
});

test("a line of key material in a value of many lines is covered for itself, and what a file says around it is not", () => {
  const key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const file = [
    "kind: Config2",
    '  "type": "service_account",',
    "----------------",
    key,
    "a".repeat(20),
    "x1",
  ];
  const scrubber = open(exact(file.join("\n")));
  const said = `"type": "service_account", kind: Config2, ---------------- ${"a".repeat(20)}, x1`;
  expect(scrubber.text(`${said} ${key}, b`)).toBe(`${said} ${REDACTED}, b`);
  expect(scrubber.text(file.join(""))).toBe(REDACTED);
  expect(scrubber.text(file.join("\n"))).toBe(REDACTED);
});

test("a long value is covered in the encodings that files meet, and so are the first of its lines", () => {
  const value = Array.from({ length: 400 }, (_, n) => `line-${n}-of-"it",-${"ä".repeat(n % 5)}/key-${n}-Xy`);
  const keyLine = "kk77-line-of-a-key";
  const text = [keyLine, ...value].join("\n");
  const scrubber = open(exact(text));
  const said = [text, JSON.stringify(text), encodeURIComponent(text), Buffer.from(text).toString("hex")];
  for (const one of said) expect(scrubber.text(`<${one}>`)).toMatch(/^<"?\[REDACTED\]"?>$/);
  for (const before of ["", "a", "ab"])
    expect(scrubber.text(Buffer.from(before + text).toString("base64")).length).toBeLessThan(20);
  expect(scrubber.text(`so ${keyLine}!`)).toBe(`so ${REDACTED}!`);
});

test("tables grow with the weight of what is kept in, not with its kinds of letters and lines", () => {
  let code = 0;
  const wide = (): string => String.fromCharCode(0x4e00 + ((code++ * 7_919) % 20_000));
  const valueOf = (chars: number): string =>
    Array.from({ length: chars }, (_, n) => (n % 9 ? wide() : "\n")).join("");
  const needles = [exact(valueOf(1_000))];
  expect(needleWeight(needles)).toBeLessThanOrEqual(NEEDLE_WEIGHT_MAX / 4);
  const { automaton } = buildTables(listWords(needles));
  expect(automaton.fail.length).toBeLessThan(400_000);
  expect(automaton.dense.length).toBeLessThan(1_000_000);
});

test("a value is covered without the blanks around it too", () => {
  for (const value of [" s3cr3t-key-123", "s3cr3t-key-123 \n"])
    expect(open(exact(value)).json('{"echoed":"s3cr3t-key-123"}')).toBe(`{"echoed":"${REDACTED}"}`);
});

test("what is added later is covered from then on", () => {
  const scrubber = open();
  expect(scrubber.text("some-value")).toBe("some-value");
  scrubber.add([exact("some-value")]);
  expect(scrubber.text("some-value")).toBe(REDACTED);
  expect(open().text("some-value")).toBe("some-value");
});

test("counts tell how often and never what", () => {
  const scrubber = open(exact("some-value"));
  scrubber.text("some-value, some-value and password=hunter2");
  scrubber.json('{"a":"some-value"}');
  expect([...scrubber.counts]).toEqual([
    ["value", 3],
    ["named", 1],
  ]);
});

test("hundreds of long values are no trouble", () => {
  const many = Array.from({ length: isNightly ? 1_000 : 200 }, (_, n) =>
    exact(`value-${n}-${"x".repeat(n % 100)}-end`),
  );
  expect(open(...many).text("a value-42- b")).toBe("a value-42- b");
  expect(open(...many).text(`a ${many[142]?.value} b`)).toBe(`a ${REDACTED} b`);
});
