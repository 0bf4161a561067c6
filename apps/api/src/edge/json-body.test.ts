import { BODY_PARTS_MAX } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { parseJsonBody, parseJsonText } from "./json-body.ts";

const answerTo = (text: string): [code: string, path?: string] => {
  try {
    parseJsonText(text);
    return ["accepted"];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { path } = error.errors[0] ?? {};
    return path === undefined ? [error.code] : [error.code, path];
  }
};

test("an empty body is no body", () => {
  expect(parseJsonBody(Buffer.alloc(0)).body).toBeUndefined();
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
    "a body that nests tens of thousands of levels deep",
    "[".repeat(BODY_PARTS_MAX) + "]".repeat(BODY_PARTS_MAX),
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
  ["a wide body", JSON.stringify(Array.from({ length: BODY_PARTS_MAX - 1 }, () => ({}))), "accepted"],
  ["a wider one", JSON.stringify(Array.from({ length: BODY_PARTS_MAX }, () => ({}))), "request.invalid", ""],
  ["half a million numbers", JSON.stringify(Array(500_000).fill(1)), "accepted"],
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
  expect(parseJsonBody(Buffer.from(JSON.stringify(body))).body).toEqual(body);
});

test.each(['{"api_key": sk_live_1}', `{"api_key":"${"x".repeat(50)}sk_live_1" oops}`, "sk_live_1"])(
  "what is no JSON is told of without its text: %s",
  (text) => {
    expect(() => parseJsonText(text)).toThrow(
      expect.objectContaining({ detail: expect.not.stringContaining("sk_live") }),
    );
  },
);

const BIG = "2512292042121000001";
const faultIn = (text: string): [code: string, ...paths: string[]] => {
  try {
    const { inexactCalls } = parseJsonBody(Buffer.from(text));
    const calls = [...inexactCalls].flatMap(([at, { code, errors }]) => [`${at} ${code} ${errors[0]?.path}`]);
    return ["taken", ...calls];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [error.code, ...error.errors.map(({ path }) => path)];
  }
};

test.each<[string, string, ...ReturnType<typeof faultIn>]>([
  [
    "arguments",
    `{"arguments":{"a":[{"id":${BIG}}],"b":-9007199254740992}}`,
    "execution.arguments_inexact",
    "arguments.a.0.id",
    "arguments.b",
  ],
  [
    "arguments of a dry run",
    `{"testArguments":{"n":0.12345678901234567}}`,
    "execution.arguments_inexact",
    "testArguments.n",
  ],
  [
    "arguments that are called as a schema is",
    `{"arguments":{"parameters":${BIG}}}`,
    "execution.arguments_inexact",
    "arguments.parameters",
  ],
  ["anything else", `{"metadata":{"row":${BIG}}}`, "request.invalid", "metadata.row"],
  [
    "what is kept under a schema's name",
    `{"metadata":{"parameters":{"row":${BIG}}}}`,
    "request.invalid",
    "metadata.parameters.row",
  ],
  [
    "bounds in schemas",
    `{"parameters":{"maximum":9223372036854775807},"tools":[{"outputSchema":{"enum":[${BIG}]}}]}`,
    "taken",
  ],
  ["a text", `{"arguments":{"id":"${BIG}"}}`, "taken"],
  ["what is kept", '{"arguments":{"a":9007199254740991,"b":0.30000000000000004,"c":1e23}}', "taken"],
  ["no body", "", "taken"],
  [
    "calls of a batch, each for itself",
    `{"executions":[{"tool":"a"},{"arguments":{"a":{"b":${BIG}},"c":${BIG}}},{"arguments":{"d":${BIG}}}]}`,
    "taken",
    "1 execution.arguments_inexact arguments.a.b",
    "2 execution.arguments_inexact arguments.d",
  ],
  [
    "what no call's arguments are",
    `{"executions":[{"timeoutMs":${BIG}}]}`,
    "request.invalid",
    "executions.0.timeoutMs",
  ],
])("a number that would be rounded is told where it is in %s", (_what, text, ...fault) => {
  expect(faultIn(text)).toEqual(fault);
});

test("the faults told are bounded, and so is the time for very many under a long name", () => {
  const many = `[${`${BIG},`.repeat(40_000)}1]`;
  expect(faultIn(`{"arguments":{"${"n".repeat(500_000)}":${many}}}`)).toHaveLength(21);
  expect(faultIn(`{"executions":[{"arguments":{"${"n".repeat(500_000)}":${many}}}]}`)).toHaveLength(2);
});
