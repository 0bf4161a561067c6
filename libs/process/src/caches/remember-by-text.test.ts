import { expect, test } from "vitest";
import { rememberByText } from "./remember-by-text.ts";

/** Makes a list of each text, and tells for which ones it did. */
function counting(entriesMax: number, weightMax: number) {
  const made: string[] = [];
  const make = (text: string) => {
    made.push(text);
    return [text];
  };
  const weight = { max: weightMax, of: ([text = ""]: string[]) => text.length };
  return { made, ask: rememberByText(make, { entriesMax, weight }) };
}

test("of one text it is made once, of another anew", () => {
  const { made, ask } = counting(10, 1_000);
  expect([ask("a"), ask("b"), ask("a")]).toEqual([["a"], ["b"], ["a"]]);
  expect(made).toEqual(["a", "b"]);
});

test("what was not asked for the longest goes first, at the bound on entries", () => {
  const { made, ask } = counting(2, 1_000);
  for (const text of ["a", "b", "a", "c", "a", "b"]) ask(text);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("all together weigh no more than the bound, and what weighs more alone is not kept", () => {
  const { made, ask } = counting(100, 10);
  for (const text of ["aaaa", "bbbb", "cccc", "aaaa"]) ask(text);
  expect(made).toEqual(["aaaa", "bbbb", "cccc", "aaaa"]);
  ask("d".repeat(11));
  ask("d".repeat(11));
  expect(made.filter((text) => text.startsWith("d"))).toHaveLength(2);
  // It took nobody's place.
  ask("aaaa");
  expect(made.at(-1)).toBe("d".repeat(11));
});
