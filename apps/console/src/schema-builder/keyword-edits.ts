import { type JsonObject, withField } from "../format/json-object.ts";
import type { PartProps } from "./builder-parts.ts";
import type { Edit } from "./edit-history.ts";
import type { Kind } from "./field-kinds.ts";

/** Sets one keyword of a schema; undefined takes it out. What is typed into it is one step. */
export const putKeyword = (
  { schema, change }: Pick<PartProps, "schema" | "change">,
  keyword: string,
  value: unknown,
): void => change(withField(schema, keyword, value), { about: keyword });

/** The edit of a part, told apart from one of the same keyword elsewhere. */
export const within = (part: string, edit: Edit): Edit =>
  edit.about === undefined ? edit : { ...edit, about: `${part}/${edit.about}` };

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isTurned = (value: unknown): boolean => typeof value === "boolean";
const isAny = (): boolean => true;

type Shown = Readonly<Record<string, (value: unknown) => boolean>>;

const NUMBERS: Shown = {
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
};

/** The keywords that controls show, with the values that they can show. */
const OF_ALL: Shown = { type: isAny, description: isText, default: isAny, examples: Array.isArray };
const OF_KIND: Readonly<Record<Kind, Shown>> = {
  text: { format: isText, pattern: isText, minLength: isNumber, maxLength: isNumber },
  number: NUMBERS,
  integer: NUMBERS,
  boolean: {},
  choice: { enum: Array.isArray },
  list: { items: isAny, minItems: isNumber, maxItems: isNumber, uniqueItems: isTurned },
  object: { properties: isAny, required: isAny, additionalProperties: isTurned },
  any: {},
  other: {},
};

/** Whether a control shows the keyword's value, or its absence. */
export function isShown(schema: JsonObject, kind: Kind, keyword: string): boolean {
  const all = { ...OF_ALL, ...OF_KIND[kind] };
  const value = schema[keyword];
  return Object.hasOwn(all, keyword) && (value === undefined || all[keyword]?.(value) === true);
}

/** The keywords that no control shows; they stay as they are. */
export const keptKeywords = (schema: JsonObject, kind: Kind): string[] =>
  Object.keys(schema).filter((keyword) => !isShown(schema, kind, keyword));
