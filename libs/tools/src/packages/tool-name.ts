import { TOOL_NAME } from "@bulkhead/core";

/** Letters that are no plain one with a mark, as they are written without them. */
const WITHOUT: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ł: "l",
  Ł: "L",
  ı: "i",
};

/**
 * The name itself where it is a tool's name, else the same in snake case, without the marks of its letters: `fetch-products`,
 * `fetchProducts` and `Fetch Products` are all `fetch_products`, and `Größe` is `grosse`. Null where no letter to begin with is
 * left, and where another letter or digit would be lost: two names that differ in nothing else must not become one.
 */
export function toToolName(original: string): string | null {
  if (TOOL_NAME.test(original)) return original;
  const plain = original
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/\P{ASCII}/gu, (letter) => WITHOUT[letter] ?? letter);
  if (/[\p{L}\p{N}]/u.test(plain.replaceAll(/[a-z0-9]/gi, ""))) return null;
  const name = plain
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "");
  return TOOL_NAME.test(name) ? name : null;
}
