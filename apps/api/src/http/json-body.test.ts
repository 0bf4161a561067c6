import { Fault } from "@bulkhead/faults";
import { expect, test } from "vitest";
import { parseJsonBody } from "./json-body.ts";

const answerTo = (text: string): [code: string, path?: string] => {
  try {
    parseJsonBody(text);
    return ["accepted"];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { path } = error.errors[0] ?? {};
    return path === undefined ? [error.code] : [error.code, path];
  }
};

test("an empty body is no body", () => {
  expect(parseJsonBody("")).toBeUndefined();
});

test.each<[string, string, ...ReturnType<typeof answerTo>]>([
  ["null, which is not the same as nothing", " null", "request.invalid", ""],
  ["broken JSON", '{"a":', "request.malformed_json", ""],
  ["a poisoned prototype", '{"__proto__":{"admin":true}}', "request.invalid", "__proto__"],
  ["one that is spelt otherwise", '{"a":[{"\\u005f_proto__":1}]}', "request.invalid", "a.0.__proto__"],
  [
    "a poisoned constructor",
    '{"a":{"constructor":{"prototype":{}}}}',
    "request.invalid",
    "a.constructor.prototype",
  ],
  ["a number that is too large for any reader", '{"a":[1,-1e400]}', "request.invalid", "a.1"],
  ["the largest number", '{"a":1.7976931348623157e308}', "accepted"],
  ["a field named constructor", '{"constructor":{"type":"string"}}', "accepted"],
  [
    "a body that nests a million levels deep",
    "[".repeat(1_000_000) + "]".repeat(1_000_000),
    "request.invalid",
    Array(101).fill("0").join("."),
  ],
  [
    "a body that nests one level too deep",
    `{"a":${"[".repeat(101)}${"]".repeat(101)}}`,
    "request.invalid",
    `a.${Array(100).fill("0").join(".")}`,
  ],
  [
    "a name of a megabyte",
    `{"${"x".repeat(1_000_000)}":{"__proto__":1}}`,
    "request.invalid",
    `${"x".repeat(299)}…`,
  ],
  ["a body at the bound", "[".repeat(100) + "]".repeat(100), "accepted"],
  ["a wide body", JSON.stringify(Array.from({ length: 200_000 }, () => ({}))), "accepted"],
])("%s is answered with its own code, and names the place", (_name, text, ...answer) => {
  expect(answerTo(text)).toEqual(answer);
});

test.each<[string, Buffer]>([
  ["a stray byte", Buffer.from([0x22, 0xff, 0x22])],
  ["Latin-1", Buffer.from('"é"', "latin1")],
  ["a character that is cut off", Buffer.from('"é"').subarray(0, 2)],
  ["a surrogate that was encoded by itself", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
])("bytes that are no UTF-8 are refused by name, not replaced: %s", (_name, bytes) => {
  expect(() => parseJsonBody(bytes)).toThrow(
    expect.objectContaining({
      code: "request.malformed_json",
      detail: expect.stringContaining("not valid UTF-8"),
      errors: [{ path: "", message: "is not valid UTF-8" }],
    }),
  );
});

test("bytes that are UTF-8 are read as they are, U+FFFD too", () => {
  const body = { text: "é € 🛟 \ufffd \u0000" };
  expect(parseJsonBody(Buffer.from(JSON.stringify(body)))).toEqual(body);
  expect(parseJsonBody(Buffer.alloc(0))).toBeUndefined();
});

test.each(['{"api_key": sk_live_1}', `{"api_key":"${"x".repeat(50)}sk_live_1" oops}`, "sk_live_1"])(
  "what is no JSON is told of without its text: %s",
  (text) => {
    expect(() => parseJsonBody(text)).toThrow(
      expect.objectContaining({ detail: expect.not.stringContaining("sk_live") }),
    );
  },
);
