// oxlint-disable no-thenable -- `then` is a keyword of JSON Schema
import { ofV, values, type Rule } from "./rule.ts";

/** What drafts 7 and 2020-12 say alike. */
export const COMMON_RULES: Rule[] = [
  {
    rule: "if, then and else",
    schema: {
      if: { properties: { kind: { const: "company" } }, required: ["kind"] },
      then: { required: ["vat"] },
      else: { required: ["birthday"] },
    },
    valid: [{ kind: "company", vat: "x" }, { birthday: "x" }],
    invalid: [
      [{ kind: "company", birthday: "x" }, "arguments.vat"],
      [{ kind: "person" }, "arguments.birthday"],
    ],
  },
  {
    rule: "then without if is nothing",
    schema: { then: { required: ["vat"] } },
    valid: [{}],
    invalid: [],
  },
  {
    rule: "names that every object inherits are names like others",
    schema: { properties: { toString: { type: "string" } }, required: ["constructor"] },
    valid: [{ constructor: 1 }, { constructor: 1, toString: "x" }],
    invalid: [
      [{}, "arguments.constructor"],
      [{ constructor: 1, toString: 1 }, "arguments.toString"],
    ],
  },
  {
    rule: "patternProperties beside additionalProperties",
    schema: {
      patternProperties: { "^x-": { type: "string" } },
      properties: { a: true },
      additionalProperties: false,
    },
    valid: [{ a: 1, "x-b": "c" }],
    invalid: [
      [{ "x-b": 1 }, "arguments.x-b"],
      [{ b: 1 }, "arguments.b"],
    ],
  },
  {
    rule: "an integer may be written 1.0",
    schema: ofV({ type: "integer" }),
    ...values([1, 1.0, 1e3], [1.5, "1", true]),
  },
  { rule: "lengths count characters", schema: ofV({ maxLength: 2 }), ...values(["💩💩", 123], ["💩💩💩"]) },
  { rule: "multiples of fractions", schema: ofV({ multipleOf: 0.0001 }), ...values([0.0075, 1], [0.00751]) },
  {
    rule: "true is not 1, and the order of names is nothing",
    schema: ofV({ uniqueItems: true }),
    ...values(
      [
        [1, true],
        [0, false],
        [{ a: 1 }, { a: 2 }],
        [[1], [true]],
      ],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [[1], [1]],
      ],
    ),
  },
  {
    rule: "enum and const compare deeply, and by type",
    schema: ofV({ enum: [[false], { a: [1] }, null, "x"] }),
    ...values([[false], { a: [1] }, null, "x"], [[0], { a: [true] }, 0, ""]),
  },
  {
    rule: "an enum of a thousand values",
    schema: ofV({ enum: Array.from({ length: 1_000 }, (_, n) => `value-${n}`) }),
    ...values(["value-0", "value-999"], ["value-1000", ""]),
  },
  { rule: "a pattern matches anywhere", schema: ofV({ pattern: "a+" }), ...values(["xxaayy", 1], ["xx"]) },
  { rule: "not", schema: ofV({ not: { type: ["integer", "boolean"] } }), ...values(["x", 1.5], [1, true]) },
  {
    rule: "oneOf is exactly one",
    schema: ofV({ oneOf: [{ type: "integer" }, { minimum: 2 }] }),
    ...values([1, 2.5], [3, 1.5]),
  },
  {
    rule: "propertyNames",
    schema: ofV({ propertyNames: { maxLength: 3 } }),
    ...values([{ abc: 1 }, {}], [{ abcd: 1 }]),
  },
  ...(
    [
      ["date-time", "2026-02-28T23:59:60Z", "2026-02-30T00:00:00Z"],
      ["date", "2024-02-29", "2026-02-29"],
      ["time", "12:00:00+01:00", "25:00:00Z"],
      ["email", "a.b@example.com", "a.example.com"],
      ["hostname", "www.example.com", "-a.example.com"],
      ["ipv4", "127.0.0.1", "127.0.0.256"],
      ["ipv6", "::1", "12345::"],
      ["uri", "https://example.com/?q=x#y", "//example.com"],
      ["uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8-aa08-aa98-11ea-b4aa73b441d16380"],
      ["json-pointer", "/a~1b/0", "/a~2"],
      ["regex", "^a+$", "^(a"],
    ] as const
  ).map(([format, good, bad]) => ({
    rule: `the format ${format}`,
    schema: ofV({ format }),
    ...values([good, 12], [bad]),
  })),
];
