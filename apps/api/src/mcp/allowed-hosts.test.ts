import { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { hostsOf, requireHost } from "./allowed-hosts.ts";

function passes(hosts: readonly string[] | null, headers: { host?: string; origin?: string }): boolean {
  try {
    requireHost(hosts, { headers });
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === "mcp.host_refused") return false;
    throw error;
  }
}

test.each(["127.0.0.1", "localhost", "::1"])("what listens on %s answers as this machine alone", (host) => {
  const hosts = hostsOf(host, []);
  for (const said of ["localhost:3000", "127.0.0.1", "[::1]:3000"])
    expect(passes(hosts, { host: said })).toBe(true);
  for (const said of ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "10.0.0.1", "", "%"])
    expect(passes(hosts, { host: said })).toBe(false);
  expect(passes(hosts, {})).toBe(false);
});

test("a page of another origin is refused, and one whose origin is no URL", () => {
  const hosts = hostsOf("127.0.0.1", []);
  const host = "localhost:3000";
  expect(passes(hosts, { host, origin: "http://localhost:8080" })).toBe(true);
  for (const origin of ["http://evil.example", "null", "", "file://"])
    expect(passes(hosts, { host, origin })).toBe(false);
});

test("a name of the settings is one of the endpoint's", () => {
  const behindProxy = hostsOf("127.0.0.1", ["api.example.com"]);
  expect(passes(behindProxy, { host: "api.example.com" })).toBe(true);
  const outside = hostsOf("0.0.0.0", ["api.example.com"]);
  expect(passes(outside, { host: "api.example.com:443", origin: "https://api.example.com" })).toBe(true);
  expect(passes(outside, { host: "localhost" })).toBe(false);
});

test("what listens outside without names of its own takes any, and pages of the same host alone", () => {
  const hosts = hostsOf("0.0.0.0", []);
  expect(hosts).toBeNull();
  expect(passes(hosts, { host: "api.example.com" })).toBe(true);
  expect(passes(hosts, { host: "api.example.com", origin: "https://api.example.com" })).toBe(true);
  expect(passes(hosts, { host: "api.example.com", origin: "https://evil.example" })).toBe(false);
});
