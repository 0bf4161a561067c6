import { isObject, type JsonObject, ownValue } from "../format/json-object.ts";

/** Levels of objects and lists that are looked into; the server takes schemas of 32 levels of JSON, two for each. */
const DEPTH_MAX = 14;

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const HOUR = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;

const isDay = (text: string): boolean => {
  const at = new Date(text.slice(0, 10));
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10));
};

/** Formats that a text shows for certain; the first that all texts of a field are is its own. */
const FORMATS: readonly [format: string, isSure: (text: string) => boolean][] = [
  ["date", (text) => new RegExp(`^${DAY}$`).test(text) && isDay(text)],
  [
    "date-time",
    (text) => new RegExp(`^${DAY}T${HOUR}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${HOUR})$`).test(text) && isDay(text),
  ],
  ["uuid", (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ["email", (text) => /^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.)+[a-z]{2,63}$/i.test(text)],
  ["uri", (text) => /^https?:\/\/[^\s"<>\\^`{|}]+$/.test(text) && URL.canParse(text)],
];

/** The schema that all samples of a value keep: what is in each of them is required, what is null somewhere may be null. */
export function inferSchema(samples: readonly unknown[], depth = 0): JsonObject {
  const values = samples.filter((value) => value !== null);
  const schema = ofValues(values, depth);
  const isNullable = values.length < samples.length && typeof schema["type"] === "string";
  return isNullable ? { ...schema, type: [schema["type"], "null"] } : schema;
}

function ofValues(values: readonly unknown[], depth: number): JsonObject {
  if (values.length === 0) return {};
  if (values.every(isObject)) return ofObjects(values, depth);
  if (values.every(Array.isArray)) return ofLists(values, depth);
  if (values.every((value) => typeof value === "string")) return ofTexts(values);
  if (values.every((value) => typeof value === "boolean")) return { type: "boolean" };
  if (values.every((value) => typeof value === "number"))
    return { type: values.every(Number.isInteger) ? "integer" : "number" };
  return {};
}

function ofTexts(texts: readonly string[]): JsonObject {
  const format = FORMATS.find(([, isSure]) => texts.every(isSure))?.[0];
  return { type: "string", ...(format !== undefined && { format }) };
}

function ofLists(lists: readonly (readonly unknown[])[], depth: number): JsonObject {
  const items = lists.flat();
  if (items.length === 0 || depth >= DEPTH_MAX) return { type: "array" };
  return { type: "array", items: inferSchema(items, depth + 1) };
}

function ofObjects(objects: readonly JsonObject[], depth: number): JsonObject {
  if (depth >= DEPTH_MAX) return { type: "object" };
  const samples = new Map<string, unknown[]>();
  for (const object of objects)
    for (const name of Object.keys(object))
      samples
        .set(name, samples.get(name) ?? [])
        .get(name)
        ?.push(ownValue(object, name));
  const properties = [...samples].map(([name, values]) => [name, inferSchema(values, depth + 1)] as const);
  const required = [...samples].filter(([, values]) => values.length === objects.length);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}
