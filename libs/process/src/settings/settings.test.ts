import { expect, test } from "vitest";
import { z } from "zod";
import { apiKey, databaseUrl, host } from "./fields.ts";
import { readSettings } from "./settings.ts";

/** What is wrong with the one setting that a schema has, or null. */
function faultOf(schema: z.ZodType, text?: string): string | null {
  try {
    readSettings(z.object({ IT: schema }), { IT: text });
    return null;
  } catch (error) {
    return (error as Error).message.replace("Bad settings:\n  IT: ", "");
  }
}

test.each([
  "127.0.0.1",
  "0.0.0.0",
  "::",
  "::1",
  "fe80::1%eth0",
  "localhost",
  "my_host-1.example.",
  "a".repeat(63),
])("%s is a host", (text) => expect(faultOf(host, text)).toBeNull());

test.each([
  "???",
  "127.0.0.1:80",
  "1.2.3.999",
  "[::1]",
  "a b",
  "-a",
  "a..b",
  "http://a",
  "a".repeat(64),
  "a.".repeat(127),
])("%s is no host, by its form", (text) =>
  expect(faultOf(host, text)).toBe("must be an IP address or a host name, without a port"),
);

test("a required setting that is not there, and one of a list that has it not, are told in plain words", () => {
  expect(faultOf(z.string())).toBe("is not set");
  expect(faultOf(z.enum(["a", "b"]), "c")).toBe("must be one of a, b");
  expect(faultOf(z.string().pipe(z.enum(["a", "b"])), "c")).toBe("must be one of a, b");
});

test("a field's own words come first", () => {
  expect(faultOf(z.enum(["a"], "must be a"), "c")).toBe("must be a");
});

test("a database's URL whose password has a / of its own is refused, with no part of it", () => {
  expect(faultOf(databaseUrl, "postgres://me:1234/s3cret@db/app")).toBe(
    "must not name a user behind the host: a password's / is written as %2F",
  );
  expect(faultOf(databaseUrl, "postgres://me:1234%2Fs3cret@db/app")).toBeNull();
});

test.each([
  ["31 characters", "k".repeat(31), "must have 32 characters or more"],
  ["4,097", "k".repeat(4_097), "must have 4096 characters or fewer"],
  [
    "a space at its end",
    `${"k".repeat(40)} `,
    "must be of printable ASCII characters, with no space before or after them",
  ],
  [
    "a letter beyond ASCII",
    "é".repeat(40),
    "must be of printable ASCII characters, with no space before or after them",
  ],
  [
    "a line break",
    `${"k".repeat(40)}\nk`,
    "must be of printable ASCII characters, with no space before or after them",
  ],
])("an API key with %s is refused", (_, text, fault) => expect(faultOf(apiKey, text)).toBe(fault));

test.each(["k".repeat(32), "k".repeat(4_096), `it's "a" whole, sentence; with $everything \\ in it`])(
  "%j is an API key",
  (text) => expect(faultOf(apiKey, text)).toBeNull(),
);
