import { array, assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { harmless, harmlessJson, harmlessLine } from "./harmless.ts";

test.each([
  ["an escape sequence", "\u001b[2Jgone", "\\x1b[2Jgone"],
  ["an eight-bit control", "\u009b2J", "\\x9b2J"],
  ["a bell and a backspace", "a\u0007\u0008b", "a\\x07\\x08b"],
  ["a return that would write over the line", "real\rfake", "real\\x0dfake"],
  ["what turns the direction", "gpj.\u202etxt\u2066x\u2069", "gpj.\\u{202e}txt\\u{2066}x\\u{2069}"],
  ["what is invisible", "pay\u200bpal\ufeff\u00ad", "pay\\u{200b}pal\\u{feff}\\xad"],
  ["letters of a tag", "a\u{e0041}", "a\\u{e0041}"],
  ["a lone surrogate", "a\ud83d", "a\\u{d83d}"],
])("%s is spelled out", (_what, text, shown) => {
  expect(harmless(text)).toBe(shown);
});

test("lines, tabs, letters of all scripts and joined emoji stay as they are", () => {
  const text = "a\tb\nc\r\nZürich 漢字 مرحبا हिन्दी 👩‍💻 ❤️";
  expect(harmless(text)).toBe(text.replace("\r\n", "\n"));
  expect(harmlessLine("a\tb\nc")).toBe("a\\tb\\nc");
});

test("JSON means the same and holds no control, whatever the text", () => {
  assert(
    property(array(integer({ min: 0, max: 0xffff })), (codes) => {
      const text = String.fromCharCode(...codes);
      const json = harmlessJson({ [text]: [text] });
      expect(JSON.parse(json)).toEqual({ [text]: [text] });
      expect(harmless(json)).toBe(json);
    }),
  );
});
