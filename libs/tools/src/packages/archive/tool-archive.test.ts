import { Fault } from "@bulkhead/core";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { toolArchive } from "./tool-archive.ts";
import { ENTRIES_MAX, INFLATED_BYTES_MAX } from "./zip-layout.ts";

const read = (zip: Uint8Array) => toolArchive.read(zip);
const write: typeof toolArchive.write = (files) => toolArchive.write(files);
const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });
const FILES = [file("a/manifest.json", "{}"), file("a/grüße.md", "Grüße ".repeat(500)), file("a/empty", "")];

/** The archive with one change of its bytes. */
function changed(change: (zip: Buffer, central: number) => void, files = FILES): Buffer {
  const zip = Buffer.from(write(files));
  change(zip, zip.readUInt32LE(zip.length - 6));
  return zip;
}

const messageOf = (zip: Uint8Array): string => {
  try {
    read(zip);
    return "read";
  } catch (error) {
    if (error instanceof Fault && error.code === "archive.invalid") return error.detail;
    throw error;
  }
};

test("what is written is read again, and the same files make the same bytes", () => {
  expect(read(write(FILES)).map(({ path, bytes }) => file(path, Buffer.from(bytes).toString()))).toEqual(
    FILES,
  );
  expect(write(FILES)).toEqual(write(FILES));
  expect(read(write([]))).toEqual([]);
});

test("a comment behind the end is no harm, and a folder no file", () => {
  const zip = Buffer.concat([write([file("a/", ""), file("a/b", "1")]), Buffer.from("hello")]);
  zip.writeUInt16LE(5, zip.length - 7);
  expect(read(zip).map(({ path }) => path)).toEqual(["a/b"]);
});

test.each([
  "../a",
  "a/../../b",
  "/etc/passwd",
  "a//b",
  "./a",
  "a\\b",
  "c:a",
  "a\u0000b",
  "__proto__/a",
  "x".repeat(257),
])("the path %j is refused", (path) => {
  expect(messageOf(write([file(path, "1")]))).toContain("path");
});

describe("refused by name:", () => {
  test.each<[string, Uint8Array, string]>([
    ["nothing", Buffer.alloc(0), "no end record"],
    ["what is no zip", Buffer.from("x".repeat(100_000)), "no end record"],
    ["a path that stands twice", write([file("a", "1"), file("a", "2")]), "a stands in the archive twice"],
    [
      "more entries than allowed",
      write(Array.from({ length: ENTRIES_MAX + 1 }, (_, n) => file(`${n}`, ""))),
      "entries",
    ],
    [
      "more bytes than allowed",
      write([{ path: "a", bytes: Buffer.alloc(INFLATED_BYTES_MAX + 1) }]),
      "bytes inflated",
    ],
    ["a link", changed((zip, at) => zip.writeUInt16LE(0o120777, at + 40)), "is a link"],
    ["an encrypted entry", changed((zip, at) => zip.writeUInt16LE(1, at + 8)), "is encrypted"],
    ["an unknown method", changed((zip, at) => zip.writeUInt16LE(12, at + 10)), "is packed by method 12"],
    ["a wrong checksum", changed((zip, at) => zip.writeUInt32LE(1, at + 16)), "checksum"],
    ["a local header of another path", changed((zip) => zip.write("b", 30)), "agrees with the directory"],
    ["an offset beyond the end", changed((zip, at) => zip.writeUInt32LE(0xffffffff, at + 42)), "agrees with"],
    ["the marks of a zip64", changed((zip) => zip.writeUInt16LE(0xffff, zip.length - 12)), "zip64"],
    ["bytes before the archive", Buffer.concat([Buffer.from("#!/bin/sh\n"), write(FILES)]), "directory"],
  ])("%s", (_what, zip, message) => {
    expect(messageOf(zip)).toContain(message);
  });
});

test("an entry that inflates to more than it says is not inflated further", () => {
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
  // Written as if `bomb` were the packed form of a file of 16 bytes.
  const zip = Buffer.from(write([{ path: "a", bytes: Buffer.alloc(16) }]));
  const central = zip.readUInt32LE(zip.length - 6);
  const grown = Buffer.concat([zip.subarray(0, 31), bomb, zip.subarray(central)]);
  const at = 31 + bomb.length;
  grown.writeUInt32LE(bomb.length, at + 20);
  grown.writeUInt32LE(at, grown.length - 6);
  expect(messageOf(grown)).toContain("can't be inflated to the length");
});

test("two entries that share their content are refused", () => {
  const zip = changed(
    (bytes, at) => bytes.writeUInt32LE(0, at + 46 + 1 + 42),
    [file("a", "1".repeat(50)), file("a", "1".repeat(50))],
  );
  zip.write("b", zip.readUInt32LE(zip.length - 6) + 46 + 1 + 46);
  expect(messageOf(zip)).not.toBe("read");
  const overlapping = changed(
    (bytes, at) => bytes.writeUInt32LE(bytes.readUInt32LE(at + 20) + 1, at + 20),
    [file("a", "1".repeat(50)), file("b", "1".repeat(50))],
  );
  expect(messageOf(overlapping)).toContain("overlaps another entry");
});

test("whatever bytes are broken, it is read or refused by name", () => {
  const zip = Buffer.from(write(FILES));
  for (let at = 0; at < zip.length; at += 1) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const broken = Buffer.from(zip);
      broken[at] = value;
      expect(typeof messageOf(broken)).toBe("string");
    }
    expect(typeof messageOf(zip.subarray(0, at))).toBe("string");
  }
});
