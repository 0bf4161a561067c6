// oxlint-disable no-thenable -- `then` is a keyword of JSON Schema
import { ofV, values, type Rule } from "./rule.ts";

const NODE = {
  type: "object",
  properties: { value: { type: "number" }, nodes: { type: "array", items: { $ref: "#/$defs/node" } } },
  required: ["value"],
};

export const RULES_OF_2020: Rule[] = [
  {
    rule: "$ref into $defs, beside other keywords",
    schema: ofV({ $ref: "#/$defs/positive", maximum: 5 }, { $defs: { positive: { exclusiveMinimum: 0 } } }),
    ...values([1, 5], [0, 6]),
  },
  {
    rule: "a pointer's escapes",
    schema: ofV({ $ref: "#/$defs/a~1b%25c~0d" }, { $defs: { "a/b%c~d": { type: "integer" } } }),
    ...values([1], ["x"]),
  },
  {
    rule: "$anchor",
    schema: ofV({ $ref: "#here" }, { $defs: { a: { $anchor: "here", type: "null" } } }),
    ...values([null], [0]),
  },
  {
    rule: "a tree",
    schema: ofV({ $ref: "#/$defs/node" }, { $defs: { node: NODE } }),
    valid: [{ v: { value: 1, nodes: [{ value: 2, nodes: [{ value: 3 }] }] } }],
    invalid: [[{ v: { value: 1, nodes: [{ value: 2, nodes: [{}] }] } }, "arguments.v.nodes.0.nodes.0.value"]],
  },
  {
    rule: "unevaluatedProperties sees through allOf, if and $ref",
    schema: {
      $defs: { named: { properties: { name: { type: "string" } } } },
      allOf: [{ $ref: "#/$defs/named" }],
      if: { required: ["vat"] },
      then: { properties: { vat: true } },
      properties: { age: true },
      unevaluatedProperties: false,
    },
    valid: [{ name: "x", age: 1, vat: 1 }, {}],
    invalid: [[{ name: "x", colour: 1 }, "arguments.colour"]],
  },
  {
    rule: "unevaluatedItems behind prefixItems",
    schema: ofV({
      prefixItems: [{ type: "string" }],
      anyOf: [{ prefixItems: [true, { const: 1 }] }, true],
      unevaluatedItems: false,
    }),
    ...values(
      [["x"], ["x", 1]],
      [
        ["x", 2],
        ["x", 1, 1],
      ],
    ),
  },
  {
    rule: "dependentRequired and dependentSchemas",
    schema: {
      dependentRequired: { card: ["address", "name"] },
      dependentSchemas: { name: { properties: { age: { type: "integer" } } } },
    },
    valid: [{ card: 1, address: 1, name: 1 }, { address: 1 }, { age: "x" }],
    invalid: [
      [{ card: 1, name: 1 }, "arguments.address"],
      [{ name: 1, age: "x" }, "arguments.age"],
    ],
  },
  {
    rule: "prefixItems and items",
    schema: ofV({ prefixItems: [{ type: "string" }], items: { type: "number" } }),
    valid: [{ v: ["x", 1, 2] }, { v: [] }],
    invalid: [
      [{ v: ["x", "y"] }, "arguments.v.1"],
      [{ v: [1] }, "arguments.v.0"],
    ],
  },
  {
    rule: "contains with minContains and maxContains",
    schema: ofV({ contains: { const: 1 }, minContains: 2, maxContains: 3 }),
    ...values(
      [
        [1, 1],
        [1, 2, 1, 1],
      ],
      [[1], [1, 1, 1, 1], []],
    ),
  },
];

export const RULES_OF_7: Rule[] = [
  {
    rule: "$ref into definitions, whose neighbours are nothing",
    schema: ofV({ $ref: "#/definitions/list", maxItems: 2 }, { definitions: { list: { type: "array" } } }),
    ...values([[1, 2, 3]], ["x"]),
  },
  {
    rule: "dependencies of both kinds",
    schema: { dependencies: { card: ["name"], name: { required: ["age"] } } },
    valid: [{ card: 1, name: 1, age: 1 }, {}],
    invalid: [
      [{ card: 1, age: 1 }, "arguments.name"],
      [{ name: 1 }, "arguments.age"],
    ],
  },
  {
    rule: "items of a tuple, and additionalItems",
    schema: ofV({ items: [{ type: "string" }], additionalItems: { type: "number" } }),
    valid: [{ v: ["x", 1] }, { v: [] }],
    invalid: [[{ v: ["x", "y"] }, "arguments.v.1"]],
  },
  {
    rule: "words that came later are nothing",
    schema: {
      dependentRequired: { a: ["b"] },
      unevaluatedProperties: false,
      properties: { v: { prefixItems: [false] } },
    },
    valid: [{ a: 1, v: [1] }],
    invalid: [],
  },
];
