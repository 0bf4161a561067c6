import type { InputFault, Json, JsonObject, SchemaPlace } from "@bulkhead/domain";
import { FAULTS_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX } from "./bounds.ts";
import { type Dialect, readDialect } from "./dialect.ts";
import { buildFault } from "./fault.ts";
import { inspectKeyword, type Level } from "./inspect-keyword.ts";
import { measureJson } from "./measure-json.ts";
import { resolvePointer } from "./schema-steps.ts";
import { Unevaluated } from "./unevaluated.ts";
import { ARRAYS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from "./vocabulary.ts";

/** What can be said of a schema without compiling it; takes time in proportion to its size. */
export interface Inspection {
  /** What this checker refuses whatever the drafts say. */
  faults: InputFault[];
  dialect: Dialect;
  /** JSON values in the schema. */
  nodes: number;
  /** Checking takes no longer than the product of both sizes: it has no references, patterns or unique items. */
  linear: boolean;
  /** Some keyword reads strings to their end. */
  readsStrings: boolean;
  /** Keywords that divide numbers. */
  divisions: number;
  patterns: (PlacedText & {
    /** It chooses the properties that a schema holds for, so it can't stay unchecked. */
    ofNames?: true;
  })[];
  references: PlacedText[];
}

/** A keyword's text and where it stands. */
interface PlacedText {
  path: string;
  text: string;
}

/** Reads a schema as the drafts do: names under `properties` are no keywords, values under `enum` no schemas. */
export function inspectSchema(schema: JsonObject, place: SchemaPlace): Inspection {
  const dialect = readDialect(schema);
  const { nodes, tooDeep } = measureJson(schema, SCHEMA_DEPTH_MAX);
  const found: Inspection = {
    faults: [],
    dialect: dialect ?? "2020-12",
    nodes,
    linear: true,
    readsStrings: false,
    divisions: 0,
    patterns: [],
    references: [],
  };
  const size = findSizeFault(schema, place, nodes, tooDeep);
  if (size) {
    found.faults.push(size);
    return found;
  }
  if (dialect === null)
    found.faults.push(
      buildFault(`${place}.$schema`, "must be draft 2020-12, 2019-09 or 7 of JSON Schema, or be left out"),
    );
  // Arguments are an object; a result may be anything.
  const mustBeObject = place === "parameters";
  const typeFault = mustBeObject ? findTypeFault(schema, place) : undefined;
  if (typeFault) found.faults.push(typeFault);
  const unevaluated = new Unevaluated();
  walkSchema(schema, place, mustBeObject ? "typed root" : "root", { found, unevaluated });
  found.faults.push(...unevaluated.faults(found.dialect));
  found.faults.length = Math.min(found.faults.length, FAULTS_MAX);
  return found;
}

/** Without a type, or with a reference to a schema without one, it asks no more of arguments than what it says. */
function findTypeFault(schema: JsonObject, place: SchemaPlace): InputFault | undefined {
  if (schema.type !== undefined)
    return schema.type === "object" ? undefined : buildFault(`${place}.type`, 'must be "object"');
  let at: JsonObject = schema;
  for (let steps = 0; steps < SCHEMA_DEPTH_MAX && at.type === undefined; steps += 1) {
    const next = typeof at.$ref === "string" ? resolvePointer(at.$ref, schema) : undefined;
    if (!isObject(next)) return undefined;
    at = next;
  }
  if (at.type === undefined || at.type === "object") return undefined;
  return buildFault(`${place}.$ref`, 'must lead to a schema whose type is "object"');
}

function findSizeFault(
  schema: JsonObject,
  place: SchemaPlace,
  nodes: number,
  tooDeep: boolean,
): InputFault | undefined {
  if (tooDeep) return buildFault(place, `is nested deeper than ${SCHEMA_DEPTH_MAX} levels`);
  if (nodes > SCHEMA_NODES_MAX) return buildFault(place, `has more than ${SCHEMA_NODES_MAX} values`);
  // Only now is the schema known to be shallow enough to be written out by a recursive serializer.
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > SCHEMA_BYTES_MAX) return buildFault(place, `is larger than ${SCHEMA_BYTES_MAX / 1024} KiB`);
  return undefined;
}

/** What a walk notes. */
interface Notes {
  found: Inspection;
  unevaluated: Unevaluated;
}

function walkSchema(schema: Json | undefined, path: string, level: Level, notes: Notes): void {
  if (!isObject(schema)) return; // a boolean is a schema too; anything else is for the metaschema to name
  notes.unevaluated.noteNode(Object.keys(schema));
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${path}.${keyword}`;
    inspectKeyword(keyword, value, at, level, notes.found);
    notes.unevaluated.note(keyword, value, at);
    if (SCHEMAS.has(keyword) && isObject(value)) walkSchema(value, at, "inner", notes);
    if (ARRAYS_OF_SCHEMAS.has(keyword) && Array.isArray(value))
      for (const [index, item] of value.entries()) walkSchema(item, `${at}.${index}`, "inner", notes);
    if (MAPS_OF_SCHEMAS.has(keyword) && isObject(value)) walkMap(keyword, value, at, notes);
  }
}

function walkMap(keyword: string, map: JsonObject, path: string, notes: Notes): void {
  const { found } = notes;
  for (const [name, schema] of Object.entries(map)) {
    const at = `${path}.${name}`;
    if (keyword === "patternProperties") found.patterns.push({ path: at, text: name, ofNames: true });
    // The compiler skips this name, so whatever the schema asks of it would go unchecked.
    if (name === "__proto__") found.faults.push(buildFault(at, "is not a usable name"));
    // The compiler writes names as parts of URIs.
    if (!name.isWellFormed()) found.faults.push(buildFault(at, "must not contain lone surrogates"));
    walkSchema(schema, at, "inner", notes);
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
