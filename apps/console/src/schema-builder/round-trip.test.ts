import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isObject, type JsonObject, ownValue, withField } from "../format/json-object.ts";
import { boundWords, typeWords } from "../format/schema-words.ts";
import { changeKind } from "./change-kind.ts";
import { kindOf } from "./field-kinds.ts";
import {
  addField,
  duplicateField,
  fieldsIn,
  freeName,
  moveField,
  removeField,
  renameField,
  setField,
  setRequired,
} from "./fields.ts";

const KINDS = ["text", "number", "integer", "boolean", "choice", "list", "object", "any"] as const;
const NAMES = ["a", "b", "c", "__proto__", "constructor", "12", "a.b", "x/y~", "\u202e", "𝕏", "toString"];
const KEYWORDS =
  "type description default examples enum const $ref format minLength maximum items prefixItems oneOf if x-own __proto__ " +
  "additionalProperties patternProperties required properties dependentRequired dependencies $defs unevaluatedProperties";

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null", ["string", "null"], 7];

const { schema: anySchema } = fc.letrec<{ schema: unknown; object: JsonObject }>((tie) => ({
  schema: fc.oneof({ depthSize: "small" }, fc.jsonValue({ maxDepth: 1 }), tie("object")),
  object: fc
    .tuple(
      fc.constantFrom(...TYPES),
      fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), { maxKeys: 4 }),
      fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(...KEYWORDS.split(" ")),
        fc.oneof(tie("schema"), fc.jsonValue({ maxDepth: 2 })),
        {
          maxKeys: 4,
        },
      ),
      fc.boolean(),
    )
    .map(([type, properties, required, more, isFirst]) => {
      const known = { type, properties, required };
      return isFirst ? { ...more, ...known } : { ...known, ...more };
    }),
}));
// As it comes from JSON: with `__proto__` as a name like others.
const schemas = anySchema.map((schema): unknown => JSON.parse(JSON.stringify(schema)));

const text = (value: unknown): string => JSON.stringify(value);

/** An object's schema as text, but for the keywords that an edit of its fields may change; in their order. */
const untouched = (node: JsonObject, ...keywords: string[]): string =>
  text(Object.entries(node).filter(([keyword]) => !keywords.includes(keyword)));

const EDITS = fc.tuple(
  fc.constantFrom("add", "remove", "rename", "move", "copy", "require", "describe", "kind"),
  fc.nat(20),
  fc.nat(20),
  fc.constantFrom(...KINDS),
);

const BY_NAMES = ["properties", "required", "dependentRequired", "dependentSchemas", "dependencies"];

test("an edit of one field leaves all else as it was, in its order", () => {
  fc.assert(
    fc.property(schemas, fc.array(EDITS, { minLength: 1, maxLength: 6 }), (schema, edits) => {
      if (kindOf(schema) !== "object" || !isObject(schema)) return;
      let node: JsonObject = schema;
      for (const [what, one, other, kind] of edits) {
        const fields = fieldsIn(node);
        const field = fields[one % Math.max(fields.length, 1)];
        const before = node;
        if (what === "add") node = addField(node, freeName(node, NAMES[one % NAMES.length] ?? "a"), {});
        else if (field === undefined) continue;
        else if (what === "remove") node = removeField(node, field.name);
        else if (what === "rename") node = renameField(node, field.name, freeName(node, `r${other}`));
        else if (what === "move") node = moveField(node, one % fields.length, other % fields.length);
        else if (what === "copy") ({ node } = duplicateField(node, field.name));
        else if (what === "require") node = setRequired(node, field.name, !field.isRequired);
        else if (what === "describe" && isObject(field.schema))
          node = setField(node, field.name, withField(field.schema, "description", `d${other}`));
        else node = setField(node, field.name, changeKind(field.schema, kind).schema);
        expect(untouched(node, ...BY_NAMES)).toBe(untouched(before, ...BY_NAMES));
        const others = fieldsIn(node).filter(({ name }) => name !== field?.name);
        for (const { name, schema: now } of others) {
          const was = ownValue(before["properties"] as JsonObject, name);
          if (was !== undefined) expect(now).toBe(was);
        }
      }
      // What was written reads as it was written.
      const read = JSON.parse(text(node)) as JsonObject;
      expect(text(fieldsIn(read))).toBe(text(fieldsIn(node)));
    }),
    { numRuns: 400 },
  );
});

test("what a kind is changed to shows as that kind, and what nobody knows stays", () => {
  fc.assert(
    fc.property(schemas, fc.constantFrom(...KINDS), (schema, kind) => {
      const changed = changeKind(schema, kind).schema;
      expect(kindOf(changed)).toBe(kind);
      if (isObject(schema) && Object.hasOwn(schema, "x-own"))
        expect(text(changed["x-own"])).toBe(text(schema["x-own"]));
    }),
    { numRuns: 400 },
  );
});

test("any JSON has a kind and words", () => {
  fc.assert(
    fc.property(fc.oneof(schemas, fc.jsonValue()), (value) => {
      kindOf(value);
      typeWords(value);
      if (isObject(value)) boundWords(value);
    }),
    { numRuns: 300 },
  );
});

test("ten thousand fields, and a thousand levels, are edited like few", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`f${index}`, { type: "string" }]),
  );
  const wide = renameField({ type: "object", properties, required: Object.keys(properties) }, "f5", "five");
  expect(fieldsIn(wide)[5]).toMatchObject({ name: "five", isRequired: true });
  let deep: unknown = { type: "string" };
  for (let level = 0; level < 1_000; level += 1)
    deep = level % 2 === 0 ? { type: "array", items: deep } : { type: "object", properties: { deep } };
  expect(kindOf(deep)).toBe("object");
  expect(typeWords({ type: "array", items: deep })).toBe("list of object");
  expect(changeKind(deep, "list").schema["items"]).toMatchObject({ type: "object" });
});
