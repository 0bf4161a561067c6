import { assert, constantFrom, double, oneof, property, string } from "fast-check";
import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { escapeXml, ssmlOf } from "./ssml.ts";

/** What a reader of XML finds: its tags with their attributes, and the text between them. */
function readXml(xml: string) {
  const tags: [string, Record<string, string>][] = [];
  let text = "";
  const parser = new Parser(
    {
      onopentag: (name, attributes) => void tags.push([name, attributes]),
      ontext: (part) => void (text += part),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { tags, text };
}

const usual = { voice: "en-US-JennyNeural", language: "en-US", speed: 1 };

test("a text is said in a voice, and as fast as is asked for", () => {
  expect(ssmlOf({ ...usual, text: "a & b" })).toBe(
    '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US"><voice name="en-US-JennyNeural">a &amp; b</voice></speak>',
  );
  expect(ssmlOf({ ...usual, text: "a", speed: 1.5 })).toContain('<prosody rate="+50%">a</prosody>');
  expect(ssmlOf({ ...usual, text: "a", speed: 0.75 })).toContain('<prosody rate="-25%">a</prosody>');
});

const HOSTILE = oneof(
  string({ unit: "binary" }),
  string({
    unit: constantFrom("<", ">", "&", '"', "'", "/", "voice", "]]>", "<!--", "&#0;", "\u0000", "\ud800", "a"),
  }),
);

test("whatever a text and a voice are, they are never markup", () => {
  assert(
    property(HOSTILE, HOSTILE, double({ min: 0.5, max: 2, noNaN: true }), (text, voice, speed) => {
      const xml = ssmlOf({ text, voice, language: "en-US", speed });
      const { tags, text: said } = readXml(xml);
      const paced = tags.length === 3 ? ["prosody"] : [];
      expect(tags.map(([name]) => name)).toEqual(["speak", "voice", ...paced]);
      const kept = (one: string) =>
        Array.from(one.toWellFormed())
          .map((char) => readXml(`<a>${escapeXml(char)}</a>`).text)
          .join("");
      expect(said).toBe(kept(text));
      expect(tags[1]?.[1]["name"]).toBe(kept(voice));
      expect(Object.keys(tags[1]?.[1] ?? {})).toEqual(["name"]);
    }),
  );
});

test("no character is left that XML has no place for", () => {
  assert(
    property(HOSTILE, (text) => {
      const escaped = escapeXml(text);
      expect(escaped.isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex
      expect(escaped).not.toMatch(/[<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(escaped.replaceAll(/&(amp|lt|gt|quot|apos);/g, "")).not.toContain("&");
    }),
  );
});
