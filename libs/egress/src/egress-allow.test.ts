import { describe, expect, it } from "vitest";
import { readAddress } from "./address.ts";
import { compileEgressAllow, parseEgressAllow } from "./egress-allow.ts";

function allow(text: string) {
  const parsed = parseEgressAllow(text);
  if (!parsed.ok) throw new Error(parsed.faults.join("; "));
  return compileEgressAllow(parsed.rules);
}

function allows(text: string, host: string, port: number): boolean {
  const address = readAddress(host);
  return address ? allow(text).allowsAddress(address, port) : allow(text).allowsName(host, port);
}

describe("an entry opens what it names and nothing beside it", () => {
  it.each<[string, string, number, boolean]>([
    ["intranet.example", "intranet.example", 8080, true],
    ["Intranet.Example", "intranet.example", 80, true],
    ["intranet.example", "sub.intranet.example", 80, false],
    ["intranet.example", "evilintranet.example", 80, false],
    ["intranet.example:8080", "intranet.example", 8080, true],
    ["intranet.example:8080", "intranet.example", 80, false],
    ["10.0.0.1", "10.0.0.1", 1234, true],
    ["10.0.0.1:80", "10.0.0.1", 81, false],
    ["10.0.0.0/8:443", "10.9.9.9", 443, true],
    ["127.0.0.0/8", "127.9.9.9", 1234, true],
    ["127.0.0.0/8", "localhost", 1234, false],
    ["::1", "::1", 80, true],
    ["[::1]", "::1", 80, true],
    ["[::1]:80", "::1", 80, true],
    ["[::1]:80", "::1", 81, false],
    ["[fd00::]/8:80", "fd12::1", 80, true],
    ["fd00::/8", "fd12::1", 80, true],
    [" a.test , , 10.0.0.0/8 ", "10.1.1.1", 80, true],
    ["169.254.0.0/16", "169.254.169.254", 80, false],
    ["0.0.0.0/0", "100.100.100.200", 80, false],
    ["fd00::/8", "fd00:ec2::254", 80, false],
    ["::/0", "::ffff:169.254.169.254", 80, false],
    ["169.254.169.254", "169.254.169.254", 80, true],
    ["", "127.0.0.1", 80, false],
  ])("%j and %s port %i: %s", (text, host, port, expected) => {
    expect(allows(text, host, port)).toBe(expected);
  });
});

it.each([
  "http://a.test",
  "a.test/path",
  "a.test:",
  "a.test:0",
  "a.test:65536",
  "a.test:x",
  "*.a.test",
  "a..test",
  "-a.test",
  "a b",
  "10.0.0.0/33",
  "10.0.0",
  "127.1",
  "0x7f.1",
  "[10.0.0.1]",
  "[::1",
  "::1:80:x",
  "[::1]x",
  "user@a.test",
])("%j is a fault that shows the entry", (entry) => {
  const parsed = parseEgressAllow(`ok.test,${entry},10.0.0.0/8`);
  expect(parsed).toEqual({ ok: false, faults: [expect.stringContaining(`"${entry}"`)] });
});

it("all faults are told at once", () => {
  expect(parseEgressAllow("a:b:c,10.0.0.0/99,fine")).toMatchObject({ ok: false, faults: { length: 2 } });
});
