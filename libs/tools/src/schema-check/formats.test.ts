import { describe, expect, it } from "vitest";
import { FORMAT_CHARS_MAX } from "./bounds.ts";
import { buildFormats } from "./formats.ts";

const formats = buildFormats();

function matches(name: string, text: string): unknown {
  const format = formats[name];
  if (typeof format !== "function") throw new Error(`${name} is not checked by a function`);
  return format(text);
}

describe("a format takes what it names and refuses what it doesn't", () => {
  it.each([
    ["date", "2026-02-28", "2026-02-30"],
    ["time", "10:00:00Z", "25:00:00Z"],
    ["date-time", "2026-11-21T10:00:00.5+01:00", "2026-11-21 at ten"],
    ["duration", "P1DT2H", "P"],
    ["email", "a.b+c@example.org", "a@b@example.org"],
    ["hostname", "a-b.example.org", "-a.example.org"],
    ["ipv4", "192.0.2.1", "192.0.2.256"],
    ["ipv6", "2001:db8::1", "2001:db8:::1"],
    ["uri", "https://example.org/a?b=c#d", "/relative"],
    ["uri-reference", "../a?b", "a b"],
    ["uri-template", "https://example.org/{id}", "https://example.org/{id"],
    ["url", "https://example.org", "example.org"],
    ["uuid", "01234567-89ab-cdef-0123-456789abcdef", "01234567-89ab"],
    ["json-pointer", "/a~1b/0", "a/0"],
    ["relative-json-pointer", "1/a", "/a"],
    ["regex", "^a+$", "("],
    ["byte", "aGk=", "aGk"],
  ])("%s", (name, yes, no) => {
    expect([matches(name, yes), matches(name, no)]).toEqual([true, false]);
  });
});

it("a string past the bound matches no format, and base64 of any length does", () => {
  expect(matches("uri", `https://example.org/${"a".repeat(FORMAT_CHARS_MAX)}`)).toBe(false);
  expect(matches("byte", "A".repeat(FORMAT_CHARS_MAX * 4))).toBe(true);
});
