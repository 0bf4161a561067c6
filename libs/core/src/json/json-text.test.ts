import { assert, boolean, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { JsonText, LARGE_JSON_CHARS, readJson, stringifyJson, valueOf } from "./json-text.ts";

test("a document keeps what it says, whether it is small or large", () => {
  assert(
    property(jsonValue(), boolean(), (value, isLarge) => {
      const text = JSON.stringify(isLarge ? [value, "x".repeat(LARGE_JSON_CHARS)] : value);
      const document = readJson(text);
      expect(document instanceof JsonText).toBe(text.length > LARGE_JSON_CHARS);
      expect(valueOf(document)).toEqual(JSON.parse(text));
      expect(JSON.parse(stringifyJson({ a: document, b: [document] }))).toEqual({
        a: JSON.parse(text),
        b: [JSON.parse(text)],
      });
      expect(JSON.stringify({ document })).toBe(`{"document":${JSON.stringify(valueOf(document))}}`);
    }),
  );
});

test("texts are put in as they are, in the order of their places", () => {
  const [one, two] = [new JsonText("[1, 2]"), new JsonText('{"a" :"\\u0041"}')];
  expect(stringifyJson({ two, none: undefined, nothing: null, list: [one, two], one })).toBe(
    '{"two":{"a" :"\\u0041"},"nothing":null,"list":[[1, 2],{"a" :"\\u0041"}],"one":[1, 2]}',
  );
  expect(stringifyJson(one)).toBe("[1, 2]");
});

test("a string that looks like the place of a text stays a string", () => {
  const guess = "0123456789abcdef".repeat(2);
  expect(stringifyJson({ said: `${guess}1`, is: new JsonText("1") })).toBe(`{"said":"${guess}1","is":1}`);
});

test("a text is on one line, and says what it said", () => {
  const text = '{\r\n  "a": ["b\\nc",\n 1]\n}';
  const document = new JsonText(text);
  expect(document.text).not.toMatch(/[\r\n]/);
  expect(valueOf(document)).toEqual({ a: ["b\nc", 1] });
});

test("what can't be written leaves nothing behind", () => {
  const circular: Record<string, unknown> = { text: new JsonText("1") };
  circular["self"] = circular;
  expect(() => stringifyJson(circular)).toThrow(TypeError);
  expect(JSON.stringify(new JsonText("[1]"))).toBe("[1]");
});
