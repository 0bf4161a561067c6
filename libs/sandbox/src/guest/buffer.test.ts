import { Buffer as NodeBuffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { Buffer as ToolBuffer } from "./buffer.ts";

/** The same work with either. */
type AnyBuffer = typeof NodeBuffer;
const ours = ToolBuffer as unknown as AnyBuffer;

const TEXTS = ["", "plain", "é日😀", "\ufeffmark", "a\ud800b", "\u0000ÿ"];
const ENCODINGS = [
  "utf8",
  "UTF-8",
  "hex",
  "base64",
  "base64url",
  "latin1",
  "binary",
  "ascii",
  "utf16le",
  "ucs2",
] as const;

describe.each(ENCODINGS)("what %s makes is what Node's Buffer makes", (encoding) => {
  test.each([...TEXTS, "4a4B", "4a4", "4azz4a", "aGk", "aGk=", "aGk=more", "-_8=", "+/8", "a G\nk", "a"])(
    "%j",
    (text) => {
      const name = encoding as BufferEncoding;
      expect([...ours.from(text, name)]).toEqual([...NodeBuffer.from(text, name)]);
      const bytes = NodeBuffer.from(text);
      expect(ours.from(bytes).toString(name)).toBe(bytes.toString(name));
      if (!encoding.startsWith("base64") && encoding !== "hex")
        expect(ours.byteLength(text, name)).toBe(NodeBuffer.byteLength(text, name));
    },
  );
});

test.each<[string, (buffer: AnyBuffer) => unknown]>([
  ["concat", (B) => Array.from(B.concat([B.from("a"), new Uint8Array([1, 2]), B.from("日")]))],
  ["concat of fewer", (B) => Array.from(B.concat([B.from("abc"), B.from("def")], 4))],
  ["concat of more", (B) => Array.from(B.concat([B.from("abc")], 5))],
  ["alloc", (B) => [...B.alloc(3), ...B.alloc(2, 7), ...B.alloc(5, "ab"), ...B.alloc(2, "ff", "hex")]],
  ["from an array", (B) => [...B.from([1, 257, -1])]],
  ["from its JSON", (B) => B.from(JSON.parse(JSON.stringify(B.from("é")))).toString()],
  ["from a view, which it copies", (B) => changed(B, new Uint8Array([1, 2]))],
  ["of a buffer, which it shares", (B) => shared(B, new ArrayBuffer(3))],
  ["slice, which shares", (B) => sliced(B)],
  ["isBuffer", (B) => [B.isBuffer(B.from("")), B.isBuffer(new Uint8Array()), B.isBuffer("")]],
  ["isEncoding", (B) => ["utf8", "HEX", "constructor", "utf7"].map((name) => B.isEncoding(name))],
  ["equals", (B) => [B.from("a").equals(B.from("a")), B.from("a").equals(B.from("b"))]],
  ["toString of a part", (B) => [B.from("abcdef").toString("utf8", 1, 3), B.from("abc").toString("hex", 2)]],
  ["byteLength of bytes", (B) => [B.byteLength(new Uint16Array(3)), B.byteLength(new ArrayBuffer(2))]],
  ["what arrays of bytes can", (B) => [...B.from("abc").map((byte) => byte + 1), B.from("abc").indexOf(98)]],
  ["joined with a text", (B) => String(B.from("日"))],
])("%s does as Node's Buffer does", (_what, work) => {
  expect(work(ours)).toEqual(work(NodeBuffer));
});

test.each<[string, () => unknown, RegExp]>([
  ["an encoding that is none", () => ours.from("a", "utf7" as BufferEncoding), /Unknown encoding: utf7/],
  [
    "an encoding that every object has",
    () => ours.from("a").toString("constructor" as never),
    /Unknown encoding/,
  ],
  ["nothing", () => ours.from(undefined as never), /Buffer\.from needs/],
  ["a number", () => ours.from(5 as never), /Buffer\.from needs/],
  ["the constructor with a text", () => new ToolBuffer("a"), /use Buffer\.from/],
])("%s is a TypeError", (_what, work, message) => {
  expect(work).toThrow(TypeError);
  expect(work).toThrow(message);
});

function changed(B: AnyBuffer, view: Uint8Array): number[] {
  const made = B.from(view);
  view[0] = 9;
  return [...made];
}

function shared(B: AnyBuffer, buffer: ArrayBuffer): number[] {
  const made = B.from(buffer, 1, 2);
  made[0] = 5;
  return [...new Uint8Array(buffer)];
}

function sliced(B: AnyBuffer): number[] {
  const made = B.from("abc");
  made.slice(1)[0] = 120;
  return [...made];
}
