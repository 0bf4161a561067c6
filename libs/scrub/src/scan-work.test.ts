import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { needle } from "./fixtures/arbitraries.ts";
import { buildTables, ValueScan, type ValueTables } from "./value-scan.ts";
import { listWords } from "./variants.ts";

const unicode = (text: string): string =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const decimal = (text: string): string => Array.from(text, (letter) => `&#${letter.charCodeAt(0)};`).join("");
const everySecond = (text: string): string =>
  Array.from(text, (letter, at) => (at % 2 === 0 ? letter : unicode(letter))).join("");

/** Letters of a secret, more than `LOOKS_MAX`: one look for each at each letter of a text is too many. */
const LONG = isNightly ? 300 : 150;
/** How often a text has the secret's beginning. */
const TIMES = isNightly ? 4 : 2;

const PERIODIC: Record<string, string> = {
  "one letter": `${"a".repeat(LONG)}xyz`,
  "two letters": `${"ab".repeat(LONG / 2)}xyz`,
  "a Fibonacci word": fibonacciWord(2 * LONG),
  backslashes: `${"\\".repeat(LONG)}xyz`,
  "line feeds": `${"\n".repeat(LONG)}xyz`,
  ampersands: `${"&amp;".repeat(LONG / 2.5)}xyz`,
  "escapes themselves": `${"\\u0061".repeat(LONG / 3)}xyz`,
};

/** The word whose automaton falls back most often. */
function fibonacciWord(chars: number): string {
  let [before, word] = ["a", "ab"];
  while (word.length < chars) [before, word] = [word, word + before];
  return `${word.slice(0, chars)}xyz`;
}

/** How often a table is looked into when the text is read. */
function countWork(secret: string, text: string): number {
  const tables = buildTables(listWords([needle(secret)]));
  let looks = 0;
  const counted = <T extends object>(table: T): T =>
    new Proxy(table, {
      get(target, key) {
        looks++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  const { automaton } = tables;
  const { fail, dense, shorter, depth } = automaton;
  const watched: ValueTables = {
    ...tables,
    automaton: {
      ...automaton,
      fail: counted(fail),
      dense: counted(dense),
      shorter: counted(shorter),
      depth: counted(depth),
    },
  };
  const scan = new ValueScan(watched, (place) => text.charCodeAt(place));
  scan.readText(text);
  scan.end();
  return looks;
}

/** Eight readings and the text as it stands, each with a few looks for each letter, and what escapes add. */
const LOOKS_MAX = 100;

test.each(Object.entries(PERIODIC))(
  "a letter costs no more steps the longer a secret of %s is",
  (_what, secret) => {
    for (const spell of [
      String,
      unicode,
      decimal,
      everySecond,
      (text: string) => text.replaceAll("\\", "\\\\"),
    ]) {
      const begun = spell(secret.slice(0, -3));
      for (const text of [begun.repeat(TIMES), `${begun}x`.repeat(TIMES), spell(secret).repeat(TIMES)])
        expect(countWork(secret, text)).toBeLessThan(LOOKS_MAX * text.length);
    }
  },
);

test.each(Object.entries(PERIODIC))("four times the text of %s is four times the steps", (_what, secret) => {
  for (const spell of [unicode, decimal, everySecond]) {
    const text = spell(secret.slice(0, -3));
    const [short, long] = [countWork(secret, text.repeat(2)), countWork(secret, text.repeat(8))];
    expect(long).toBeLessThan(5 * short);
  }
});

test("a whole word costs no more steps the more words end with it, and what is not tried is covered", () => {
  const nested = Array.from({ length: 60 }, (_, n) => ({ text: "-a".repeat(n + 4), wholeWordsOnly: true }));
  const tables = buildTables(nested);
  let looks = 0;
  const shorter = new Proxy(tables.automaton.shorter, {
    get(target, key) {
      looks++;
      return Reflect.get(target, key, target) as unknown;
    },
  });
  const text = `x${"-a".repeat(200)}-`;
  const scan = new ValueScan({ ...tables, automaton: { ...tables.automaton, shorter } }, (place) =>
    text.charCodeAt(place),
  );
  scan.readText(text);
  scan.end();
  expect(looks).toBeLessThan(10 * text.length);
  expect(scan.covered.count).toBe(1);
});

test("a repeated whole word that is spelled is covered the same wherever the text is cut", () => {
  const tables = buildTables([{ text: "6666", wholeWordsOnly: true }]);
  const text = "see \\x36\\x36\\x36666\\x36 \\x36666 6666 \\x36\\x36\\x36\\x36\\x36";
  const read = (cut: number): number[][] => {
    const scan = new ValueScan(tables, (place) => text.charCodeAt(place));
    scan.readText(text.slice(0, cut));
    scan.readText(text.slice(cut));
    scan.end();
    return [scan.covered.starts, scan.covered.ends];
  };
  for (let cut = 1; cut < text.length; cut++) expect(read(cut)).toEqual(read(0));
});
