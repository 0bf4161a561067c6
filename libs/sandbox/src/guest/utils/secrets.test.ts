import { expect, it, vi } from "vitest";
import { hash, uuid } from "./secrets.ts";

vi.mock("../bridge.ts", () => ({
  ask: (operation: string, text: string) => (text.includes("sha384") ? "null" : `${operation} ${text}`),
}));

const NAMES = "md5, sha1, sha224, sha256, sha384, sha512, sha3-256, sha3-384, sha3-512";

it.each([
  [undefined, "sha256"],
  ["SHA-256", "sha256"],
  ["sha3-512", "sha3-512"],
  ["SHA3512", "sha3-512"],
  ["MD-5", "md5"],
])("hash with %s asks the host for %s", (algorithm, expected) => {
  expect(hash("ä", algorithm)).toBe(`hash {"algorithm":"${expected}","text":"ä"}`);
});

it.each(["crc32", "", "sha257", "constructor"])(
  "hash with %j is refused with the names there are",
  (algorithm) => {
    expect(() => hash("x", algorithm)).toThrow(
      new RangeError(`utils.hash: algorithm must be one of ${NAMES}`),
    );
  },
);

it("hash is refused where the host has no such algorithm", () => {
  expect(() => hash("x", "sha384")).toThrow("utils.hash: algorithm must be one of");
});

it("hash takes texts only", () => {
  expect(() => hash({} as unknown as string)).toThrow("utils.hash: text must be a string");
  expect(() => hash("x", null as unknown as string)).toThrow("utils.hash: algorithm must be a string");
});

it("uuid is the host's", () => {
  expect(uuid()).toBe("uuid ");
});
