import { argumentGlobals } from "@bulkhead/core/declare-schema";
import { expect, test } from "vitest";
import { toolWorld } from "./tool-world.ts";

const GLOBALS = `declare const utils: object;\n${argumentGlobals()}`;
const argumentsOf = (parameters: unknown): string => toolWorld(GLOBALS, parameters)[1]?.text ?? "";

test("the arguments have the types of their schema, and are declared once", () => {
  const [globals, told] = toolWorld(GLOBALS, {
    type: "object",
    properties: {
      city: { type: "string", description: "Where */ to look" },
      mood: { enum: ["kind", "dry"] },
      "max-wind": { type: "array", items: { type: "object", properties: { knots: { type: "integer" } } } },
    },
    required: ["city"],
  });
  expect(globals?.text).toBe("declare const utils: object;\n");
  expect(told?.text).toContain(`type ToolArguments = {
  /** Where * / to look */
  city: string;
  mood?: "kind" | "dry";
  "max-wind"?: Array<{
      knots?: number;
    }>;
};`);
});

test.each([[null], [undefined], ["text"], [[]], [7], [{}], [{ type: "object" }]])(
  "a schema that is %j leaves arguments open",
  (parameters) => expect(argumentsOf(parameters)).toContain("type ToolArguments = Record<string, any>;"),
);

test.each([
  [{ type: "fish" }],
  [{ properties: { a: { $ref: "#" } }, required: "a" }],
  [{ properties: { "`${a}`": { type: ["string", 7, null] } } }],
  [{ properties: [] }],
])("whatever %j means, it is told", (parameters) =>
  expect(argumentsOf(parameters)).toMatch(/^type ToolArguments = /m),
);
