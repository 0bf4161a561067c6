import { childOf, isObject, pointerOf, stepsOf, type Json, type JsonObject } from "@bulkhead/core";
import type { ErrorObject } from "ajv";
import { FAULTS_MAX } from "./bounds.ts";

/** Schemas as the objects that they are. */
type Parts = ReadonlySet<unknown>;

/** A union, as far as its schema tells. */
interface Union {
  /** For each choice the schemas that are about the same value. */
  choices: readonly Parts[];
  /** The property that tells objects apart. */
  kind: Kind | null;
  /** All schemas of all choices. */
  all: Parts;
}

/** The property that is a constant, or one of some, in every choice that takes objects; its schemas lead to the choices. */
interface Kind {
  name: string;
  schemas: ReadonlyMap<unknown, Parts>;
}

/**
 * Errors without those of a union's choices that were not meant: for values of another type, or for objects whose constant
 * names another kind. An object of an unknown kind gets that error alone, with the list of kinds. References lead into
 * `whole`; an error that doesn't name its schema stays.
 */
export function withoutOtherKinds(errors: readonly ErrorObject[], whole: JsonObject): readonly ErrorObject[] {
  const known = new Map<unknown, Union | null>();
  const unionOf = ({ keyword, schema, parentSchema }: ErrorObject): Union | null => {
    const union = known.get(schema) ?? readUnion(parentSchema?.[keyword], whole);
    known.set(schema, union);
    return union;
  };
  // Inner unions come first, so the outer one sees their remaining errors.
  const failed = errors.filter(
    ({ keyword, params }) =>
      keyword === "anyOf" || (keyword === "oneOf" && params["passingSchemas"] === null),
  );
  return failed.slice(0, FAULTS_MAX).reduce((left, error) => {
    const end = left.indexOf(error);
    const union = end < 0 ? null : unionOf(error);
    if (union === null) return left;
    // The errors of its choices stand right before it.
    const start = left.findLastIndex((other, index) => index < end && !isWithin(other, error)) + 1;
    return [
      ...left.slice(0, start),
      ...ofMeantKind(union, left.slice(start, end + 1), error, whole),
      ...left.slice(end + 1),
    ];
  }, errors);
}

const isWithin = ({ instancePath }: ErrorObject, { instancePath: at }: ErrorObject): boolean =>
  instancePath === at || instancePath.startsWith(`${at}/`);

/** `failed` says that the union takes none of its choices. */
function ofMeantKind(
  { choices, kind, all }: Union,
  errors: readonly ErrorObject[],
  failed: ErrorObject,
  whole: JsonObject,
): readonly ErrorObject[] {
  const at = failed.instancePath;
  const asked = errors.filter(({ parentSchema }) => all.has(parentSchema));
  const here = asked.filter(({ instancePath }) => instancePath === at);
  const only = (told: readonly ErrorObject[]) => {
    const left = new Set(asked).add(failed);
    for (const error of told) left.delete(error);
    return errors.filter((error) => !left.has(error));
  };

  const kindAt = kind === null ? null : at + pointerOf([kind.name]);
  const otherKind = asked.filter(
    ({ instancePath, parentSchema }) => instancePath === kindAt && kind?.schemas.has(parentSchema),
  );
  const otherTypes = new Set<unknown>(here.filter(isOfOtherType).map(({ parentSchema }) => parentSchema));
  const otherKinds = new Set(otherKind.map(({ parentSchema }) => kind?.schemas.get(parentSchema)));
  const meant = choices.filter(
    (parts) => !otherKinds.has(parts) && ![...parts].some((part) => otherTypes.has(part)),
  );

  const noKind = here.find(({ params }) => kind !== null && params["missingProperty"] === kind.name);
  if (noKind) return only([noKind]);
  const [unknown] = otherKind;
  if (kind && unknown && meant.length === 0)
    return only([unknown]).map((error) => (error === unknown ? namingAll(error, kind) : error));
  const ofMeant = meant.length < choices.length ? partsOf(meant, whole) : all;
  const told = asked.filter(({ parentSchema }) => ofMeant.has(parentSchema));
  const isMore = told.some((error) => error.instancePath !== at || !isValue(error));
  return meant.length < choices.length && isMore ? only(told) : errors;
}

/** Whether certain values are asked for. */
const isValue = ({ keyword }: ErrorObject): boolean => keyword === "const" || keyword === "enum";

/** Whether the demanded type differs from the value's. */
const isOfOtherType = (error: ErrorObject): boolean =>
  error.keyword === "type" ||
  (isValue(error) && [error.schema].flat().every((value) => typeof value !== typeof error.data));

const namingAll = (error: ErrorObject, { schemas }: Kind): ErrorObject => ({
  ...error,
  keyword: "enum",
  params: { allowedValues: [...schemas.keys()].flatMap((one) => (isSchema(one) ? valuesOf(one) : [])) },
});

function readUnion(written: unknown, whole: JsonObject): Union | null {
  if (!Array.isArray(written) || written.length < 2) return null;
  const choices = written.map((choice: Json) => sameValue(choice, whole));
  return { choices, kind: kindOf(choices), all: partsOf(choices, whole) };
}

function kindOf(choices: readonly Parts[]): Kind | null {
  const objects = choices.flatMap((parts) => {
    const properties = [...parts].flatMap(propertiesOf);
    const constants = new Map(properties.filter(([, one]) => isObject(one) && valuesOf(one).length > 0));
    return properties.length > 0 ? [{ parts, constants }] : [];
  });
  const [first] = objects;
  if (!first || objects.length < 2) return null;
  for (const name of first.constants.keys()) {
    const schemas = new Map(objects.map(({ parts, constants }) => [constants.get(name), parts]));
    if (!schemas.has(undefined)) return { name, schemas };
  }
  return null;
}

function propertiesOf(schema: unknown): [name: string, schema: Json][] {
  const properties = isSchema(schema) ? schema["properties"] : undefined;
  return isObject(properties) ? Object.entries(properties) : [];
}

function valuesOf({ const: only, enum: some }: JsonObject): Json[] {
  if (only !== undefined) return [only];
  return Array.isArray(some) ? some : [];
}

const isSchema = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schemas that a schema says of the same value, itself among them: behind references, in `allOf` and in unions. */
function sameValue(schema: Json, whole: JsonObject): Parts {
  const parts = new Set<JsonObject>(isObject(schema) ? [schema] : []);
  for (const part of parts)
    for (const inner of [referred(part, whole), part["allOf"], part["anyOf"], part["oneOf"]].flat())
      if (isObject(inner)) parts.add(inner);
  return parts;
}

/** All schemas within some, references followed. */
function partsOf(schemas: readonly Parts[], whole: JsonObject): Parts {
  const parts = new Set<unknown>(schemas.flatMap((one) => [...one]));
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    for (const inner of Object.values(part)) if (typeof inner === "object") parts.add(inner);
    if (isSchema(part)) parts.add(referred(part, whole));
  }
  return parts;
}

/** The target of its reference, a pointer from the root. */
function referred({ $ref: reference }: JsonObject, whole: JsonObject): Json | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  return reference === "#" ? whole : stepsOf(reference.slice(1)).reduce<Json | undefined>(childOf, whole);
}
