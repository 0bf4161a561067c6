import { REDACTED } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { buildTables } from "./value-scan.ts";
import { listWords } from "./variants.ts";

const SECRET = "AbCdEf123XyzQwErTyUi9";
const open = (value: string, wholeWordsOnly = false) =>
  openScrubbers().open({ needles: [{ value, wholeWordsOnly }], patterns: [] });

/** Everywhere that a run's texts leave. */
function tellAll(value: string, text: string, wholeWordsOnly = false): string[] {
  const scrubber = open(value, wholeWordsOnly);
  const lines = scrubber.lines();
  const stream = scrubber.bytes();
  const said = [...Array.from(text, (letter) => lines.push(letter)), lines.end()].flat();
  const bytes = [stream.push(Buffer.from(text)), stream.end()];
  return [
    scrubber.text(text),
    (JSON.parse(scrubber.json(JSON.stringify([text]))) as string[])[0]!,
    said.map((line) => line.text).join(""),
    Buffer.concat(bytes).toString(),
  ];
}

test.each([
  ["a host in a message", SECRET, `the name ${SECRET.toLowerCase()} could not be resolved`],
  ["a URL's host", SECRET, new URL(`https://${SECRET}.ex.com/`).href],
  ["a URL's scheme", SECRET, `${new URL(`${SECRET}://x/`).protocol}//x/`],
  ["a header's name", SECRET, [...new Headers({ [SECRET]: "x" })].join()],
  ["a type", SECRET, new Blob([], { type: `text/${SECRET}` }).type],
  ["capitals", SECRET, SECRET.toUpperCase()],
  ["a URL whose host ends within it", "AbCd+Ef/GhIjK=12", new URL("https://AbCd+Ef/GhIjK=12").href],
  ["a URL's query", "Ab Cd&Ef/12", `?q=${encodeURIComponent("ab cd&ef/12")}`],
  ["letters beyond ASCII", "Größe-ÄÖ-77x", "größe-äö-77x"],
])("a value is covered in other cases too: %s", (_what, value, text) => {
  for (const said of tellAll(value, text)) {
    expect(said).toContain(REDACTED);
    for (const part of value.toLowerCase().split(/[^\p{L}\d]/u))
      if (part.length > 2) expect(said.toLowerCase()).not.toContain(part);
  }
});

test("a long value is covered in small letters", () => {
  const long = "Line-of-A-key/9".repeat(80);
  for (const said of tellAll(long, `<${long.toLowerCase()}>`)) expect(said).toBe(`<${REDACTED}>`);
});

test("a short or common value is covered in other cases only where it has a digit, and as a whole word", () => {
  for (const said of tellAll("Hunter2", "hunter2, hunter22, HUNTER2", true))
    expect(said).toBe(`${REDACTED}, hunter22, ${REDACTED}`);
  for (const value of ["Admin", "Production"]) {
    const text = `the ${value.toLowerCase()} and the ${value.toUpperCase()}`;
    for (const said of tellAll(value, text, true)) expect(said).toBe(text);
  }
  expect(open("Abc").text("abc ABC Abc")).toBe(`abc ABC ${REDACTED}`);
});

test("small letters up to a host add a word only where a URL's parser may write it", () => {
  const wordsOf = (value: string) => listWords([{ value, wholeWordsOnly: false }]).map(({ text }) => text);
  const added = (value: string, spelled: string) =>
    wordsOf(value).filter((word) => word.includes(spelled)).length;
  expect(added("AbCdEf12/XyZ", "abcdef12/XyZ")).toBe(1);
  expect(added("AbCdEf12/XyZ", "abcdef12%2FXyZ")).toBe(0);
  for (const value of ["Ab@dEf12/XyZ", "Ab dEf12/XyZ", "Ab%dEf12/XyZ"]) {
    const [host] = value.split("/");
    expect(added(value, `${host!.toLowerCase()}/XyZ`)).toBe(0);
    const hrefOf = () => new URL(`https://${value}`).href;
    if (URL.canParse(`https://${value}`)) expect(hrefOf()).not.toContain(`${host!.toLowerCase()}/XyZ`);
  }
});

test("tables grow by less than a third for it", () => {
  const words = listWords([{ value: SECRET, wholeWordsOnly: false }]);
  const recased = [SECRET.toLowerCase(), SECRET.toUpperCase()];
  const without = words.filter(({ text }) => !recased.includes(text));
  expect(without.length).toBe(words.length - recased.length);
  const [more, less] = [words, without].map((list) => buildTables(list).automaton.fail.length);
  expect(more! / less!).toBeLessThan(4 / 3);
});
