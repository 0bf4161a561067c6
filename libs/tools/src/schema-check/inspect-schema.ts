import {
  isObject,
  MAPS_OF_SCHEMAS,
  readDialect,
  SchemaReferences,
  type InputFault,
  type JsonObject,
  type SchemaNode,
  type SchemaPlace,
} from "@bulkhead/core";
import { FAULTS_MAX, SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX } from "./bounds.ts";
import { buildFault } from "./fault.ts";
import { inspectKeyword, type Inspection } from "./inspect-keyword.ts";
import { measureJson } from "./measure-json.ts";

/** Reads a schema as the drafts do: names under `properties` are no keywords, values under `enum` no schemas. */
export function inspectSchema(schema: JsonObject, place: SchemaPlace): Inspection {
  const dialect = readDialect(schema);
  const { nodes, tooDeep } = measureJson(schema, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX);
  const found: Inspection = {
    faults: [],
    dialect: dialect ?? "2020-12",
    nodes,
    linear: true,
    readsStrings: false,
    divisions: 0,
    patterns: [],
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
  const references = new SchemaReferences(schema, found.dialect);
  // Arguments are an object; a result may be anything.
  const mustBeObject = place === "parameters";
  const typeFault = mustBeObject ? findTypeFault(references, place) : undefined;
  if (typeFault) found.faults.push(typeFault);
  for (const node of references.nodes) inspectNode(node, references, place, mustBeObject, found);
  for (const { steps, keyword } of references.ambiguous)
    found.faults.push(
      buildFault([place, ...steps, keyword].join("."), "is the name of another part too, which is not alike"),
    );
  found.faults.length = Math.min(found.faults.length, FAULTS_MAX);
  return found;
}

/** Without a type, or with a reference to a schema without one, it only demands its other keywords. */
function findTypeFault(references: SchemaReferences, place: SchemaPlace): InputFault | undefined {
  const { root } = references;
  if (typeof root.schema === "boolean") return undefined;
  if (root.schema["type"] !== undefined)
    return root.schema["type"] === "object" ? undefined : buildFault(`${place}.type`, 'must be "object"');
  let at: SchemaNode = root;
  for (let hops = 0; hops < SCHEMA_DEPTH_MAX; hops += 1) {
    if (typeof at.schema === "boolean") return undefined;
    const { type, $ref: ref } = at.schema;
    if (type !== undefined)
      return type === "object"
        ? undefined
        : buildFault(`${place}.$ref`, 'must lead to a schema whose type is "object"');
    const lead = typeof ref === "string" ? references.lead(ref, at) : undefined;
    if (lead?.outcome !== "found") return undefined;
    at = lead.node;
  }
  return undefined;
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

function inspectNode(
  node: SchemaNode,
  references: SchemaReferences,
  place: SchemaPlace,
  mustBeObject: boolean,
  found: Inspection,
): void {
  if (typeof node.schema === "boolean") return;
  const path = [place, ...node.steps].join(".");
  const level = node.steps.length > 0 ? "inner" : mustBeObject ? "typed root" : "root";
  for (const [keyword, value] of Object.entries(node.schema)) {
    const at = `${path}.${keyword}`;
    inspectKeyword(keyword, value, at, level, found);
    if (!MAPS_OF_SCHEMAS.has(keyword) || !isObject(value)) continue;
    for (const name of Object.keys(value)) inspectName(keyword, name, `${at}.${name}`, found);
  }
  for (const [keyword, ref] of references.referencesOf(node.schema)) {
    const { outcome } = references.lead(ref, node, keyword);
    if (outcome === "elsewhere" || outcome === "nothing")
      found.faults.push(buildFault(`${path}.${keyword}`, NOT_FOUND[outcome]));
  }
}

const NOT_FOUND = {
  elsewhere: "must point into this schema (#/$defs/…): other documents are never loaded",
  nothing: "points at nothing in this schema",
} as const;

function inspectName(keyword: string, name: string, path: string, found: Inspection): void {
  if (keyword === "patternProperties") found.patterns.push({ path, text: name, ofNames: true });
  // The compiler skips this name, so the schema's demands on it would go unchecked.
  if (name === "__proto__") found.faults.push(buildFault(path, "is not a usable name"));
  // The compiler writes names as parts of URIs.
  if (!name.isWellFormed()) found.faults.push(buildFault(path, "must not contain lone surrogates"));
}
