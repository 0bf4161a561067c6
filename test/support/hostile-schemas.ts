export interface Hostile {
  what: string;
  /** Of the arguments; `type: "object"` is added. */
  schema: Record<string, unknown>;
  /** What to call a tool with, where it could be created. */
  value: object;
  /** Whether it has to be refused when the tool is created. */
  refused: boolean;
}

const range = (length: number) => Array.from({ length }, (_, n) => n);
const defs = (of: (n: number) => unknown, length: number) =>
  Object.fromEntries(range(length).map((n) => [`d${n}`, of(n)]));
const twice = (n: number, by: string) => ({
  [by]: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }],
});
const nest = (levels: number, key: string, inner: unknown): unknown =>
  range(levels).reduce((within) => ({ [key]: within }), inner);

/** Schemas that want more than an answer: time, memory, the stack, the network, or other tenants' turn. */
export const HOSTILE_SCHEMAS: Hostile[] = [
  ...["allOf", "anyOf", "oneOf"].map((by) => ({
    what: `a tower of ${by} that doubles forty times`,
    schema: {
      $ref: "#/$defs/d0",
      $defs: { ...defs((n) => twice(n, by), 40), d40: { required: ["missing"] } },
    },
    value: {},
    refused: false,
  })),
  {
    what: "a tower over a long list",
    schema: {
      properties: { v: { items: { $ref: "#/$defs/d0" } } },
      $defs: { ...defs((n) => twice(n, "allOf"), 24), d24: { type: "integer" } },
    },
    value: { v: range(5_000) },
    refused: false,
  },
  {
    what: "references in a circle",
    schema: { $ref: "#/$defs/d0", $defs: { d0: { $ref: "#/$defs/d1" }, d1: { $ref: "#/$defs/d0" } } },
    value: {},
    refused: false,
  },
  {
    what: "a pattern that backtracks",
    schema: { properties: { v: { pattern: "^(a|a?)+$" } } },
    value: { v: `${"a".repeat(100_000)}!` },
    refused: false,
  },
  {
    what: "many names by many patterns that backtrack",
    schema: { patternProperties: Object.fromEntries(range(100).map((n) => [`^(x+x+)+${n}$`, false])) },
    value: Object.fromEntries(range(2_000).map((n) => [`${"x".repeat(60)}${n}y`, n])),
    refused: false,
  },
  {
    what: "a comparison of every item with every other",
    schema: { properties: { v: { uniqueItems: true } } },
    value: { v: range(20_000).map((n) => ({ n: [n, { deep: n }] })) },
    refused: false,
  },
  {
    what: "a pattern that looks ahead and backtracks",
    schema: { properties: { v: { pattern: "(?=(a+)+$)b" } } },
    value: { v: `${"a".repeat(100_000)}!` },
    refused: false,
  },
  {
    what: "properties chosen by a pattern that looks behind",
    schema: { patternProperties: { "(?<=a)b": {} } },
    value: {},
    refused: true,
  },
  {
    what: "a schema of ninety levels",
    schema: { properties: { v: nest(90, "not", {}) } },
    value: {},
    refused: true,
  },
  {
    what: "a schema of 10,000 levels",
    schema: { properties: { v: nest(10_000, "not", {}) } },
    value: {},
    refused: true,
  },
  {
    what: "an enum of 100,000 values",
    schema: { properties: { v: { enum: range(100_000) } } },
    value: {},
    refused: true,
  },
  {
    what: "five thousand branches",
    schema: { anyOf: range(5_000).map((n) => ({ const: n })) },
    value: {},
    refused: true,
  },
  ...[
    "http://127.0.0.1:1/x.json",
    "https://example.com/x.json",
    "file:///etc/passwd",
    "other.json",
    "//host/x",
  ].map(($ref) => ({
    what: `a reference to ${$ref}`,
    schema: { properties: { v: { $ref } } },
    value: {},
    refused: true,
  })),
  {
    what: "an $id within, beside which to refer",
    schema: { $defs: { a: { $id: "http://127.0.0.1:1/", items: { $ref: "x.json" } } } },
    value: {},
    refused: true,
  },
  { what: "$async, whose answer is always true", schema: { $async: true }, value: {}, refused: true },
];
