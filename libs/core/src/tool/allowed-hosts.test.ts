import { describe, expect, it } from "vitest";
import { ALLOWED_HOST_CHARS_MAX, allowsHost, listedHost, readAllowedHosts } from "./allowed-hosts.ts";

describe("a list allows the hosts that it names and no others", () => {
  it.each<[string, string, number, boolean]>([
    ["api.example.com", "api.example.com", 443, true],
    ["api.example.com", "api.example.com", 8443, true],
    ["api.example.com", "example.com", 443, false],
    ["api.example.com", "a.api.example.com", 443, false],
    ["API.Example.COM", "api.example.com", 443, true],
    ["api.example.com:8443", "api.example.com", 8443, true],
    ["api.example.com:8443", "api.example.com", 443, false],
    ["*.example.com", "a.example.com", 443, true],
    ["*.example.com", "a.b.example.com", 443, true],
    ["*.example.com", "example.com", 443, false],
    ["*.example.com", "evilexample.com", 443, false],
    ["*.example.com", "a.example.com.evil.test", 443, false],
    ["*.example.com:443", "a.example.com", 444, false],
    ["bücher.example", "xn--bcher-kva.example", 443, true],
    ["127.0.0.1", "127.0.0.1", 4010, true],
    ["127.0.0.1:4010", "127.0.0.1", 4011, false],
    ["[::1]", "::1", 443, true],
    ["[0:0:0:0:0:0:0:1]:80", "::1", 80, true],
    ["not a pattern", "not a pattern", 443, false],
  ])("%s and %s port %i: %s", (pattern, host, port, allowed) => {
    expect(allowsHost([pattern], host, port)).toBe(allowed);
  });

  it("no list allows every host, an empty one none", () => {
    expect([allowsHost(null, "a.test", 443), allowsHost([], "a.test", 443)]).toEqual([true, false]);
  });
});

it.each([
  [["api.test"], "api.test", 443, "api.test"],
  [["*.test", "api.test:443"], "api.test", 443, "api.test"],
  [["*.b.test:8443"], "whatever.b.test", 8443, "*.b.test"],
  [["*.b.test:8443"], "whatever.b.test", 443, null],
  [["[::1]"], "::1", 443, "[::1]"],
  [[], "api.test", 443, null],
])("of %j, %s on port %i comes under %s", (listed, host, port, told) => {
  expect(listedHost(listed, host, port)).toBe(told);
});

it("patterns are kept in one notation, without repeats", () => {
  const patterns = ["API.example.com", "api.example.com", "*.Bücher.example:8443", "[0:0::1]"];
  expect(readAllowedHosts(patterns)).toEqual({
    ok: true,
    hosts: ["api.example.com", "*.xn--bcher-kva.example:8443", "[::1]"],
  });
});

it.each([
  "",
  "*",
  "*.",
  "a.*.test",
  "a*.test",
  "https://a.test",
  "a.test/x",
  "user@a.test",
  "a.test.",
  "a.test:",
  "a.test:0",
  "a.test:65536",
  "a..test:x",
  "*.127.0.0.1",
  "*.[::1]",
  "0x7f.1",
  "2130706433",
  "[::1",
  "fe80::1%eth0",
  "a b.test",
  `${"a.".repeat(ALLOWED_HOST_CHARS_MAX)}test`,
])("%j is a fault that has its place", (pattern) => {
  expect(readAllowedHosts(["ok.test", pattern])).toEqual({
    ok: false,
    faults: [{ path: "allowedHosts.1", message: expect.stringContaining("*.example.com") }],
  });
});
