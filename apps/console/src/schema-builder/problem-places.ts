import { isObject } from "../format/json-object.ts";

/** What is wrong with a part of the schema. */
export interface SchemaProblem {
  /** JSON Pointer into the schema (`/properties/city/type`); empty: the schema as a whole. */
  pointer: string;
  message: string;
}

const escaped = (step: string): string => step.replaceAll("~", "~0").replaceAll("/", "~1");

/** The problems of a part, with their pointers from there. */
export function problemsOf(problems: readonly SchemaProblem[], ...steps: readonly string[]): SchemaProblem[] {
  const place = steps.map((step) => `/${escaped(step)}`).join("");
  return problems
    .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
    .map(({ pointer, message }) => ({ pointer: pointer.slice(place.length), message }));
}

/**
 * The place that a refusal's path names (`parameters.properties.city.type`), as far as the schema has it. The first step is
 * the schema; names may hold dots.
 */
export function pointerIn(schema: unknown, path: string): string {
  let rest = path.slice(path.includes(".") ? path.indexOf(".") + 1 : path.length);
  let [at, pointer] = [schema, ""];
  while (rest !== "" && (isObject(at) || Array.isArray(at))) {
    const step = Object.keys(at)
      .filter((key) => rest === key || rest.startsWith(`${key}.`))
      .sort((one, other) => other.length - one.length)[0];
    if (step === undefined) break;
    at = (at as Record<string, unknown>)[step];
    pointer += `/${escaped(step)}`;
    rest = rest.slice(step.length + 1);
  }
  return pointer;
}

/** Those that no field or item within shows beside itself. */
export function problemsBeside(
  problems: readonly SchemaProblem[],
  schema: unknown,
): readonly SchemaProblem[] {
  if (!isObject(schema) || problems.length === 0) return problems;
  const { properties, items } = schema;
  const places = [
    ...(isObject(properties) ? Object.keys(properties).map((name) => `/properties/${escaped(name)}`) : []),
    ...(isObject(items) ? ["/items"] : []),
  ];
  return problems.filter(
    ({ pointer }) => !places.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
  );
}
