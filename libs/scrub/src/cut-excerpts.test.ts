import { REDACTED, type Needle, type ToldNeedle } from "@bulkhead/core";
import { expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";

const SECRET = "reveal#Sec9AbCdEf123XqWzYt77lKj";
const NEEDLES = [
  { value: SECRET, wholeWordsOnly: false },
  { value: "html", wholeWordsOnly: true },
];
const asTold = (needle: Needle): ToldNeedle => ({ ...needle, isTold: true });
const open = (needles: readonly Needle[] = NEEDLES.map(asTold)) =>
  openScrubbers().open({ needles, patterns: [] });

/** In the words of the engine that runs this. */
function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}
const parse = (text: string) => messageOf(() => JSON.parse(text));
const filler = "0".repeat(30);

test.each([
  ["its beginning", parse(SECRET), `Unexpected token 'r', "${REDACTED}"... is not valid JSON`],
  [
    "its beginning behind what is shown",
    parse(`{"some":"text","k":${SECRET}}`),
    `Unexpected token 'r', ..."text","k":${REDACTED}"... is not valid JSON`,
  ],
  [
    "its end before what is shown",
    parse(`["${SECRET}",x,"${filler}"]`),
    `Unexpected token 'x', ..."${REDACTED}",x,"0000000"... is not valid JSON`,
  ],
  [
    "its middle, and what is shown between two pieces",
    parse(`["${SECRET.slice(0, 12)}",b,"${SECRET.slice(3)}"]`),
    `Unexpected token 'b', ..."${REDACTED}"... is not valid JSON`,
  ],
  [
    "the first hundred characters of what is no function",
    messageOf(() => [1].map(`${" ".repeat(80)}${SECRET}` as never)),
    `string "${" ".repeat(80)}${REDACTED}<...>" is not a function`,
  ],
])("what a message of the engine cut off of a value is covered: %s", (_what, message, told) => {
  const stack = `SyntaxError: ${message}\n    at JSON.parse (<anonymous>)\n    at tool.js:3:7`;
  const toldStack = stack.replace(message, told);
  const scrubber = open();
  expect(scrubber.text(stack)).toBe(toldStack);
  expect(scrubber.text(toldStack)).toBe(toldStack);
  expect(JSON.parse(scrubber.json(JSON.stringify({ stack, list: [{ message }] })))).toEqual({
    stack: toldStack,
    list: [{ message: told }],
  });
  expect(scrubber.text(JSON.stringify({ message }))).toBe(JSON.stringify({ message: told }));
  const lines = scrubber.lines();
  expect([...lines.push(stack), ...lines.settle(), ...lines.end()].map(({ text }) => text)).toEqual([
    toldStack,
  ]);
});

test("excerpts of other texts stay readable, and those that are not cut off where a value could go on", () => {
  for (const message of [
    parse("<!DOCTYPE html><html>"),
    parse(`{"some":"text","list":[1,2,},${filler}`),
    parse("[Sec9]"),
    parse(`{"some":"text","k":AbCdEf${filler}`),
    "Unexpected token ')'",
    "Unexpected token 'x', and no excerpt",
    `string "${filler}" is not a function`,
  ])
    expect(open().text(message)).toBe(message);
});

test("code that was told no value can't find one by what of its guesses is covered", () => {
  const message = parse(SECRET);
  expect(open(NEEDLES).text(message)).toBe(message);
  expect(open(NEEDLES).json(JSON.stringify([message]))).toBe(JSON.stringify([message]));
});

test("beside a told value pieces of what was told to nobody stay as they are, however they came to be known", () => {
  const [placeholder, learnt] = ["9f3a77c1d20b46e8", "Pl4ceh0lder-of-another"];
  const scrubber = openScrubbers().open({
    needles: [{ value: placeholder, wholeWordsOnly: false }, ...NEEDLES.map(asTold)],
    patterns: [],
  });
  scrubber.add([{ value: learnt, wholeWordsOnly: false }]);
  for (const value of [placeholder, learnt]) {
    const guesses = [parse(value), parse(`["${value.slice(0, 12)}",b]`), `string "${value.slice(0, 4)}<...>`];
    for (const guess of guesses) {
      expect(scrubber.text(guess)).toBe(guess);
      expect(scrubber.json(JSON.stringify([guess]))).toBe(JSON.stringify([guess]));
      const lines = scrubber.lines();
      expect([...lines.push(guess), ...lines.end()].map(({ text }) => text)).toEqual([guess]);
    }
    expect(scrubber.text(value)).toBe(REDACTED);
  }
  expect(scrubber.text(`string "${SECRET.slice(3, 8)}<...>`)).toBe(`string "${REDACTED}<...>`);
});

test("what is covered counts as a value", () => {
  const scrubber = open();
  scrubber.text(parse(SECRET));
  expect([...scrubber.counts]).toEqual([["value", 1]]);
});
