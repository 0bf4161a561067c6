type Schema = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 5;

/** Arguments to begin with: what a schema gives as default or example, else the simplest of its type; required ones only. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > DEPTH_MAX) return null;
  const {
    default: given,
    examples,
    const: only,
    enum: values,
    type,
    properties,
    required,
    minimum,
  } = schema as Schema;
  const known = [given, only, first(examples), first(values)].find((value) => value !== undefined);
  if (known !== undefined) return known;
  if (type === "object" || (type === undefined && depth === 0)) {
    const needed = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    const fields = (properties ?? {}) as Schema;
    return Object.fromEntries(needed.map((name) => [name, exampleOf(fields[name], depth + 1)]));
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case "string":
      return "";
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 0;
    case "boolean":
      return false;
    case "array":
      return [];
    default:
      return null;
  }
}

const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);
