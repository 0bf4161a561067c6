import { describe, expect, it } from "vitest";
import { withoutMarks } from "./letters.ts";
import { eachPiece } from "./pieces.ts";
import { camelCase, kebabCase, snakeCase, titleCase } from "./cases.ts";
import { countWords, slugify } from "./texts.ts";

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  eachPiece(text, (piece) => pieces.push(piece));
  return pieces;
}

/** Characters that join with the ones before: marks, the later letters of Korean syllables, second halves of pairs. */
const TEXTS = [
  "e\u{301}\u{323}",
  "각",
  "ㄱㅏㄱ",
  "ﾡﾢￂ",
  "カﾞ",
  "क्षि ",
  "𝕏é",
  "👩🏽‍💻",
  "a ",
  "ЖйЙ Αθή",
  "\u{fdfa}",
  "``´¨",
  "ế",
  "你が한",
];

describe("a long text in pieces", () => {
  it.each(TEXTS)("of %j is the whole, and each form of Unicode is that of the whole", (part) => {
    for (const shift of ["", "x", "xx", "xxx"]) {
      const text = shift + part.repeat(12_000);
      const pieces = piecesOf(text);
      expect(pieces.join("") === text).toBe(true);
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) {
        const joined = pieces.map((piece) => piece.normalize(form)).join("");
        expect(joined === text.normalize(form), form).toBe(true);
      }
      expect(pieces.map(withoutMarks).join("") === withoutMarks(text)).toBe(true);
    }
  });

  it("is cut where it can be", () => {
    expect(piecesOf("é".repeat(20_000)).map((piece) => piece.length)).toEqual([8_192, 8_192, 3_616]);
    expect(piecesOf("")).toEqual([]);
  });
});

it.each([8_190, 8_191, 8_192, 8_193])(
  "a slug has one dash where a piece of %d ends and nowhere else",
  (count) => {
    const letters = "x".repeat(count);
    expect(slugify(`${letters}  y`)).toBe(`${letters}-y`);
    expect(slugify(`${letters}y--`)).toBe(`${letters}y`);
    expect(slugify(`--${letters}'${letters}`)).toBe(letters + letters);
    expect(slugify("-".repeat(count * 3))).toBe("");
    expect(slugify(`a${"-".repeat(count * 3)}b`)).toBe("a-b");
  },
);

it("words are never torn apart, however long the text", () => {
  const count = 5_000;
  const text = "it's anHTTPServer ".repeat(count);
  const words = "its an http server".split(" ");
  const all = Array.from({ length: count }, () => words).flat();
  expect(snakeCase(text) === all.join("_")).toBe(true);
  expect(kebabCase(text) === all.join("-")).toBe(true);
  expect(camelCase(text).slice(0, 24)).toBe("itsAnHttpServerItsAnHttp");
  expect(camelCase(text)).toHaveLength(all.join("").length);
  expect(titleCase(text) === "It's Anhttpserver ".repeat(count)).toBe(true);
  expect(countWords(text)).toBe(2 * count);
});
