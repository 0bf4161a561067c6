import { expect, test } from "vitest";
import { allOf, anyOf, anyWholeOf } from "./text-query.ts";

const TENANT = "ten_0123456789abcdef";
const plain = (query: string): string => query.replaceAll("abcdef@", "");

test("each term stands behind its tenant's mark", () => {
  expect(allOf(TENANT, [{ word: "a" }])).toBe("('abcdef@a':*)");
});

test("words count by themselves or by their stems, the last one also as a beginning", () => {
  const words = [
    { word: "looking", stem: "look" },
    { word: "up", stem: null },
    { word: "mail", stem: "mail" },
  ];
  expect(plain(allOf(TENANT, words))).toBe("('looking' | 'look') & ('mail':*)");
  expect(plain(anyOf(TENANT, words))).toBe("('looking' | 'look') | ('mail':*)");
  expect(plain(anyWholeOf(TENANT, words))).toBe("'looking' | 'look' | 'mail'");
});

test("a word that may have been stored with its accents counts in both forms", () => {
  const words = [
    { word: "cafe", accented: "café" },
    { word: "le", accented: "le" },
  ];
  expect(plain(allOf(TENANT, words))).toBe("('cafe' | 'café') & ('le':*)");
});

test("words that every sentence has count where nothing else is left", () => {
  expect(
    plain(
      allOf(TENANT, [
        { word: "to", stem: null },
        { word: "be", stem: null },
      ]),
    ),
  ).toBe("('to') & ('be':*)");
});

test("a word of a script without blanks is looked for by its parts, and preferred as a whole", () => {
  const words = [{ word: "调べる" }, { word: "を" }, { word: "天気" }];
  expect(plain(allOf(TENANT, words))).toBe("('调べ' & 'べる') & ('を':*) & ('天気':*)");
  expect(plain(anyOf(TENANT, words))).toBe("('调べ' & 'べる') | ('天気':*)");
  expect(plain(anyWholeOf(TENANT, words))).toBe("'=调べる' | '=天気'");
  expect(plain(anyOf(TENANT, [{ word: "を" }]))).toBe("('を':*)");
});
