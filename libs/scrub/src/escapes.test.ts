import { REDACTED } from "@bulkhead/core";
import { everyNth } from "@bulkhead/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutAnywhere, filler, needle, secret } from "./fixtures/arbitraries.ts";
import { openScrubbers } from "./open-scrubbers.ts";

const KEY = "kJ8s+Qm/2vT&x9<LpZ4\"wA'==";
const scrubbers = openScrubbers();
const open = (value: string) => scrubbers.open({ needles: [needle(value)], patterns: [] });
const throughBytes = (value: string, chunks: readonly Uint8Array[]): string => {
  const stream = open(value).bytes();
  return Buffer.concat([...chunks.map((chunk) => stream.push(chunk)), stream.end()]).toString();
};
const throughLines = (value: string, chunks: readonly string[]): string => {
  const lines = open(value).lines();
  return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()].map(({ text }) => text).join("");
};

const hex = (letter: string, digits = 4): string => letter.charCodeAt(0).toString(16).padStart(digits, "0");
const replaced = (letters: RegExp, spell: (letter: string) => string) => (text: string) =>
  text.replace(letters, spell);
const gson = replaced(/[<>&='"]/g, (letter) => (letter === '"' ? String.raw`\"` : `\\u${hex(letter)}`));
const systemTextJson = replaced(/[<>&+'"]/g, (letter) => `\\u${hex(letter).toUpperCase()}`);
const go = replaced(/[<>&"]/g, (letter) => (letter === '"' ? String.raw`\"` : `\\u${hex(letter)}`));
const decimal = (letter: string): string => `&#${letter.charCodeAt(0)};`;

/** The places where a text is cut in two: every one at night, by day every third. */
const cutsOf = (text: string): number[] => everyNth([...Array(text.length + 1).keys()], 3);

describe.each(
  Object.entries<(text: string) => string>({
    Gson: gson,
    "System.Text.Json": systemTextJson,
    "Go's encoding/json": go,
    "PHP's, with slashes": replaced(/[/"]/g, (letter) => `\\${letter}`),
    "every letter": replaced(/./gsu, (letter) => `\\u${hex(letter)}`),
    "OWASP's JavaScript": replaced(/\W/g, (letter) => `\\x${hex(letter, 2)}`),
    "HTML with decimals": replaced(/[&<>"']/g, decimal),
    "HTML with zeros": replaced(/[&<>"'+]/g, (letter) => `&#0${letter.charCodeAt(0)};`),
    "HTML with hex": replaced(/\W/g, (letter) => `&#x${hex(letter, 2)};`),
    "HTML with large hex": replaced(/\W/g, (letter) => `&#X${hex(letter, 4).toUpperCase()};`),
    "HTML in Go's JSON": (text) => go(replaced(/[&<>"'+]/g, decimal)(text)),
    "JSON in Gson's JSON": (text) => gson(JSON.stringify(text)),
    "Gson's JSON in JSON": (text) => JSON.stringify(gson(text)),
    "Gson's JSON in HTML": (text) => replaced(/[&<>"']/g, decimal)(gson(text)),
    "HTML in HTML": (text) => replaced(/[&]/g, () => "&amp;")(replaced(/\W/g, decimal)(text)),
    mixed: (text) =>
      text.replace("+", "&#43;").replace("&", "\\u0026").replace("<", "&lt;").replace('"', '\\"'),
  }),
)("as %s writes it", (_name, spell) => {
  test.each([KEY, Buffer.from(`me:${KEY}`).toString("base64")])("%s is covered", (said) => {
    const text = `{"a":"Bearer ${spell(said)}"}`;
    const whole = open(KEY).text(text);
    // At the ends of base64 a few letters depend on what stands beside the value.
    expect(whole).toMatch(/^\{"a":"Bearer .{0,24}\[REDACTED\].{0,40}"\}$/);
    if (said === KEY) expect(whole).toMatch(/^\{"a":"Bearer (?:\\?"|&#34;)?\[REDACTED\](?:\\?"|&#34;)?"\}$/);
    expect(JSON.parse(open(KEY).json(JSON.stringify({ a: text }))).a).toBe(whole);
    const bytes = Buffer.from(text);
    for (const at of cutsOf(text)) {
      expect(throughBytes(KEY, [bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole);
      expect(throughLines(KEY, [text.slice(0, at), text.slice(at)])).toBe(whole);
    }
    expect(
      throughBytes(
        KEY,
        Array.from(bytes, (byte) => Buffer.from([byte])),
      ),
    ).toBe(whole);
  });
});

/** Each letter in any way that unescaping gives it back from, all in the same language. */
const spelt = (value: string): fc.Arbitrary<{ text: string; isJson: boolean }> =>
  fc
    .tuple(fc.boolean(), fc.array(fc.nat({ max: 4 }), { minLength: value.length, maxLength: value.length }))
    .map(([isJson, ways]) => ({
      isJson,
      text: isJson
        ? value
            .split("")
            .map((letter, at) => jsonSpellings(letter)[ways[at]!]!)
            .join("")
        : Array.from(value, (letter, at) => htmlSpellings(letter)[ways[at]!]!).join(""),
    }));
const jsonSpellings = (letter: string): string[] => {
  const plain = JSON.stringify(letter).slice(1, -1);
  const own = letter === "/" ? String.raw`\/` : plain;
  return [plain, plain, own, `\\u${hex(letter)}`, `\\u${hex(letter).toUpperCase()}`];
};
const htmlSpellings = (letter: string): string[] => {
  const code = letter.codePointAt(0)!;
  const plain = /[&<>"']/.test(letter) ? `&#0${code};` : letter;
  const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }[letter] ?? plain;
  return [plain, plain, named, `&#${code};`, `&#x${code.toString(16)};`];
};
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, digits, hexDigits, name: string) =>
    digits || hexDigits
      ? String.fromCodePoint(digits ? Number(digits) : Number.parseInt(hexDigits, 16))
      : ({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name] ?? whole),
  );
const cases = fc.tuple(secret, filler, filler).chain(([value, before, after]) =>
  spelt(value).chain(({ text, isJson }) =>
    fc.record({
      value: fc.constant(value),
      isJson: fc.constant(isJson),
      chunks: cutAnywhere(before + text + after),
      cuts: fc.array(fc.nat(), { maxLength: 8 }),
    }),
  ),
);

test("whatever the secret and however its letters are escaped, no unescaping of what leaves gives it back", () => {
  fc.assert(
    fc.property(cases, ({ value, isJson, chunks, cuts }) => {
      const text = chunks.join("");
      const bytes = Buffer.from(text);
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((place, i) => bytes.subarray(places[i], place));
      const read = (said: string): string =>
        isJson ? (JSON.parse(`"${said}"`) as string) : unescapeHtml(said);
      expect(read(text)).toContain(value.trim());
      const whole = open(value).text(text);
      const wellFormed = text.isWellFormed() ? [throughBytes(value, pieces)] : [];
      for (const said of [whole, throughLines(value, chunks), ...wellFormed]) {
        expect(read(said)).not.toContain(value);
        expect(said).toContain(REDACTED);
      }
      expect(open(value).text(whole)).toBe(whole);
    }),
  );
});

describe.each([1, 2, 3, 4, 8, 16])("a value with backslashes, %i in a row", (count) => {
  const run = "\\".repeat(count);
  const value = `q"${run}<w${run}"7'x`;
  const named = replaced(/[\\"]/g, (letter) => `\\${letter}`);
  // If letters of more than one kind are escaped in different ways, no spelling of the whole value occurs.
  test.each<[string, (text: string) => string]>([
    ["System.Text.Json", (text) => systemTextJson(text.replaceAll("\\", "\\\\"))],
    ["Go's encoding/json", (text) => replaced(/[<']/g, (letter) => `\\u${hex(letter)}`)(named(text))],
    ["System.Text.Json in JSON", (text) => JSON.stringify(systemTextJson(text.replaceAll("\\", "\\\\")))],
    ["backslashes by their codes, too", (text) => systemTextJson(text.replaceAll("\\\\", "\\\\\\u005c"))],
  ])("is covered as %s writes it, wherever that is cut", (_name, spell) => {
    const text = `see ${spell(value)} there`;
    const whole = open(value).text(text);
    expect(whole).toMatch(/^see "?\[REDACTED\]"? there$/);
    for (const at of cutsOf(text))
      expect(throughBytes(value, [Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))])).toBe(whole);
  });
});

test("a line that ends in an escape that has only begun waits, and leaves as it is where it can't", () => {
  const lines = open(KEY).lines();
  expect(lines.push("see \\u006")).toEqual([]);
  expect(lines.settle()).toEqual([{ index: 0, text: "see \\u006" }]);
  expect([...lines.push("b?"), ...lines.end()]).toEqual([{ index: 1, text: "b?" }]);
});

test("an escape of something else, or none, is left", () => {
  const text = String.raw`{"a":"\u0026 &#38; &amp; &#x110000; &#99999999999; \ud834 \\ \q & &&amp;lt; \u00"}`;
  expect(open(KEY).text(text)).toBe(text);
  expect(open(KEY).text(`${text}${gson(KEY)}${text}`)).toBe(`${text}${REDACTED}${text}`);
});

test("a mark that is spelled is none, and a word does not go over a mark", () => {
  const half = KEY.slice(0, 9);
  for (const mark of [REDACTED, String.raw`\u005bREDACTED\u005d`]) {
    const text = `${half}${mark}${KEY.slice(9)}`;
    expect(open(KEY).text(text)).toBe(text);
  }
});
