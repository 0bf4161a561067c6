import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { base64Decode, base64Encode, hexDecode, hexEncode, urlDecode, urlEncode } from "./encoding.ts";

vi.mock("../bridge.ts", () => ({ ask: () => "null", post: () => undefined }));

/** Made outside the test, whose time is bounded: listing all characters takes longer than the rest of it. */
const anyText = fc.string({ unit: "binary" });
const LONE = "a\u{d800}b\u{dc00}";
const REPLACED = "a\u{fffd}b\u{fffd}";

describe("encoding", () => {
  it.each([
    ["nothing", "", "", "", ""],
    ["ASCII", "hi?", "aGk/", "68693f", "hi%3F"],
    ["two bytes", "ä", "w6Q=", "c3a4", "%C3%A4"],
    ["four bytes", "𝄞", "8J2Eng==", "f09d849e", "%F0%9D%84%9E"],
    ["a byte order mark", "\u{feff}x", "77u/eA==", "efbbbf78", "%EF%BB%BFx"],
    ["lone surrogates", LONE, base64Encode(REPLACED), hexEncode(REPLACED), urlEncode(REPLACED)],
  ])("of %s is that of its UTF-8", (_, text, base64, hex, url) => {
    expect([base64Encode(text), hexEncode(text), urlEncode(text)]).toEqual([base64, hex, url]);
  });

  it("is undone by decoding, whatever the text", () => {
    const roundTrip = fc.property(anyText, (text) => {
      expect(base64Decode(base64Encode(text))).toBe(text);
      expect(hexDecode(hexEncode(text))).toBe(text);
      expect(urlDecode(urlEncode(text))).toBe(text);
    });
    fc.assert(roundTrip, { numRuns: 200 });
  });

  it("of a megabyte is one step", () => {
    const text = "ö".repeat(500_000);
    expect(base64Decode(base64Encode(text))).toBe(text);
  });
});

describe("base64Decode", () => {
  it.each([
    ["without padding", "8J2Eng", "𝄞"],
    ["in the url-safe alphabet", "8J-YgD8_", "😀??"],
    ["with line breaks", "aGVs\r\nbG8=\n", "hello"],
    ["of bytes that are not UTF-8", "/w==", "\u{fffd}"],
  ])("takes base64 %s", (_, text, expected) => {
    expect(base64Decode(text)).toBe(expected);
  });

  it.each(["a", "aGk!", "aGk=aGk=", "====", "aGk=="])("refuses %j", (text) => {
    expect(() => base64Decode(text)).toThrow(new TypeError("utils.base64Decode: text is not base64"));
  });
});

describe("hexDecode", () => {
  it("takes either case", () => {
    expect(hexDecode("C3a4")).toBe("ä");
  });
  it.each(["c", "zz", "0x41", "41 42"])("refuses %j", (hex) => {
    expect(() => hexDecode(hex)).toThrow("utils.hexDecode: hex must be pairs of hexadecimal digits");
  });
});

describe("urlDecode", () => {
  it("leaves a plus alone", () => {
    expect(urlDecode("a+b%20c")).toBe("a+b c");
  });
  it.each([
    ["%ff", "\u{fffd}"],
    ["a%c3%28%20%ffb%e2%82%AC", "a\u{fffd}( \u{fffd}b€"],
    ["%ef%bb%bf%ff", "\u{feff}\u{fffd}"],
    ["%F0%9D%84ä%9E", "\u{fffd}ä\u{fffd}"],
  ])("of %j replaces what is not UTF-8", (text, expected) => {
    expect(urlDecode(text)).toBe(expected);
  });
  it.each(["%", "%zz", "%ff%", "%ff%2"])("refuses %j", (text) => {
    expect(() => urlDecode(text)).toThrow("utils.urlDecode: text has an escape");
  });
});
