import { REDACTED } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { parseShape } from "./shape.ts";
import { VENDOR_SHAPES } from "./vendor-shapes.ts";

const scrub = (text: string): string => openScrubbers().open({ needles: [], patterns: [] }).text(text);

/** The shortest text of a shape, one character of a run short of it if that is asked; no token stands in this file. */
function sampleOf(rest: string, isShort = false): string {
  const parts = parseShape(rest);
  return parts
    .map((part, i) => {
      if ("literal" in part) return part.literal;
      const members = Array.from("a7f3B9e1D5c2Z8").filter((letter) => part.isIn[letter.charCodeAt(0)] === 1);
      const chars = part.charsMin - (isShort && i === parts.length - 1 ? 1 : 0);
      return Array.from({ length: chars }, (_, n) => members[n % members.length]).join("");
    })
    .join("");
}

const samples = VENDOR_SHAPES.flatMap(({ name, starts, rest }) =>
  starts.map((start) => [name, start, rest] as const),
);

describe("a vendor's token", () => {
  test("there are a hundred and fifty kinds and more, each with a name of its own and a source", () => {
    expect(VENDOR_SHAPES.length).toBeGreaterThanOrEqual(150);
    expect(new Set(VENDOR_SHAPES.map(({ name }) => name)).size).toBe(VENDOR_SHAPES.length);
    for (const { doc } of VENDOR_SHAPES) expect(new URL(doc).protocol).toBe("https:");
  });

  test.each(samples)("%s that begins with %s is covered, wherever it stands", (name, start, rest) => {
    const token = start + sampleOf(rest);
    const scrubber = openScrubbers().open({ needles: [], patterns: [] });
    expect(scrubber.text(`with ${token} and`)).toBe(`with ${REDACTED} and`);
    expect(scrubber.counts).toEqual(new Map([[name, 1]]));
    expect(scrub(token)).toBe(REDACTED);
    expect(scrub(`("${token}")`)).toBe(`("${REDACTED}")`);
    expect(scrub(`line\\n${token}\\n`)).toContain(REDACTED);
  });

  test.each(samples)(
    "%s that begins with %s and is too short, or within a word, is none",
    (name, start, rest) => {
      const scrubber = openScrubbers().open({ needles: [], patterns: [] });
      scrubber.text(`with ${start}${sampleOf(rest, true)} and`);
      scrubber.text(`with x${start}${sampleOf(rest)} and`);
      expect(scrubber.counts.get(name)).toBeUndefined();
    },
  );

  test("of the best known vendors is covered", () => {
    const run = "abcdefghijklmnopqrstuvwxyz0123456789";
    const tokens = [
      `sk-${run.slice(0, 20)}`,
      `sk-ant-api03-${run}`,
      ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((start) => start + run),
      ["AK", "IA", run.toUpperCase().slice(0, 16)].join(""),
    ];
    for (const token of tokens) expect(scrub(token)).toBe(REDACTED);
  });
});

describe("a structure", () => {
  const key = (label: string, body: string) =>
    `-----BEGIN ${label}PRIVATE KEY-----${body}-----END ${label}PRIVATE KEY-----`;
  const body = "\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\nVJTUt9Us8cKj\n";

  test.each(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])(
    "a private key of kind %j is covered as a whole",
    (label) => {
      expect(scrub(`a ${key(label, body)} b`)).toBe(`a ${REDACTED} b`);
      expect(scrub(`a ${key(label, body.replaceAll("\n", "\\n"))} b`)).toBe(`a ${REDACTED} b`);
    },
  );

  test("a private key that was cut off is covered as far as it goes", () => {
    expect(scrub(`a -----BEGIN RSA PRIVATE KEY-----${body}, b`)).toBe(`a ${REDACTED}, b`);
  });

  test.each([
    ["postgres://app:s3same@db:5432/x", `postgres://${REDACTED}@db:5432/x`],
    ["redis://:s3same@cache", `redis://${REDACTED}@cache`],
    ["see https://example.com:8080/a@b", "see https://example.com:8080/a@b"],
    ["https://user@example.com/", "https://user@example.com/"],
    ["`https://${user}:${password}@host`", "`https://${user}:${password}@host`"],
  ])("%s", (text, wanted) => {
    expect(scrub(text)).toBe(wanted);
  });
});

test.each([
  ["password=hunter2", `password=${REDACTED}`],
  ["DB_PASSWORD=hunter2", `DB_PASSWORD=${REDACTED}`],
  ["api_key: abc123def", `api_key: ${REDACTED}`],
  ["secret=abc123def.", `secret=${REDACTED}.`],
  ["Authorization: Bearer abcdef", `Authorization: Bearer ${REDACTED}`],
  ["authorization: Basic dXNlcjp4", `authorization: Basic ${REDACTED}`],
  ["sent bearer a1b2c3d4e5f6g7h8", `sent bearer ${REDACTED}`],
  ["/callback?token=abcdef&next=1", `/callback?token=${REDACTED}&next=1`],
  ['{"password":"correct horse"}', `{"password":"${REDACTED}"}`],
  ['{\\"apiKey\\": \\"correct horse\\"}', `{\\"apiKey\\": \\"${REDACTED}\\"}`],
  ["x-api-key: 0a1b2c3d4e", `x-api-key: ${REDACTED}`],
  ["const password = 'hunter2hunter2'", `const password = '${REDACTED}'`],
  ["the password: it must have 8 characters", "the password: it must have 8 characters"],
  [
    "function login(user, password) { return token === secret; }",
    "function login(user, password) { return token === secret; }",
  ],
  ["nextPageToken=abc123def456", "nextPageToken=abc123def456"],
  ["NEXT_PAGE_TOKEN=abc123def456", "NEXT_PAGE_TOKEN=abc123def456"],
  ["PERCY_TOKEN=abc123def456", `PERCY_TOKEN=${REDACTED}`],
  ["END_TOKEN=word", "END_TOKEN=word"],
  ["token=e.token1,n=2", "token=e.token1,n=2"],
  ["PASSWORD=$DB_PASSWORD_1", "PASSWORD=$DB_PASSWORD_1"],
  ["max_tokens=4096000", "max_tokens=4096000"],
])("%s", (text, wanted) => {
  expect(scrub(text)).toBe(wanted);
});
