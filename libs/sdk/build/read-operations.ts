import type { ApiDocument, Operation } from "./api-document.ts";
import { METHOD_NAMES } from "./method-names.ts";
import { nameOf, type Schema } from "./type-writer.ts";

/** An operation as the client has it. */
export interface ClientOperation {
  id: string;
  /** `tools.create`, or the name of a method of the client itself. */
  method: string;
  verb: string;
  path: string;
  about: string;
  pathParameters: { name: string; schema: Schema }[];
  query: Schema | null;
  body: { schema: Schema; isRequired: boolean; takesZip: boolean; takesBytes: boolean } | null;
  headers: ReadonlySet<string>;
  answer: Answer;
}

export type Answer =
  | { kind: "data"; schemas: Schema[] }
  | { kind: "pages"; schema: Schema; items: string }
  | { kind: "events" | "bytes" | "stream" | "text" | "nothing" };

/** Every operation of the document that has an id, in the order of the client's methods. Throws where one has no name in the client. */
export function readOperations(document: ApiDocument): ClientOperation[] {
  const found = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([verb, operation]) => readOperation(document, verb, path, operation)),
  );
  const ids = new Set(found.map(({ id }) => id));
  const unknown = Object.keys(METHOD_NAMES).filter((id) => !ids.has(id));
  if (unknown.length > 0) throw new Error(`The API has no operation ${unknown.join(", ")}.`);
  const place = new Map(Object.keys(METHOD_NAMES).map((id, at) => [id, at]));
  return found.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

function readOperation(
  document: ApiDocument,
  verb: string,
  path: string,
  operation: Operation,
): ClientOperation {
  const { operationId: id, summary = "", description = "", parameters = [] } = operation;
  const method = METHOD_NAMES[id];
  if (method === undefined) throw new Error(`${id} has no method; name one in method-names.ts.`);
  const inQuery = parameters.filter((one) => one.in === "query" && !isOfOwnKind(one.name));
  return {
    id,
    method,
    verb: verb.toUpperCase(),
    path,
    // Of a meta-tool the summary is what models are told, which ends with a full stop already.
    about: `${summary.replace(/\.$/, "")}. ${description}`.trim(),
    pathParameters: parameters.filter((one) => one.in === "path"),
    query: inQuery.length === 0 ? null : asObject(inQuery),
    body: bodyOf(operation),
    headers: new Set(parameters.filter((one) => one.in === "header").map(({ name }) => name)),
    answer: answerOf(document, operation),
  };
}

/** A stream's place and a token travel by ways of their own. */
const isOfOwnKind = (name: string): boolean => name === "lastEventId" || name === "access_token";

const asObject = (parameters: NonNullable<Operation["parameters"]>): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description && { description }) },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

function bodyOf({ requestBody }: Operation): ClientOperation["body"] {
  const bytes = requestBody?.content["application/octet-stream"]?.schema;
  const schema = requestBody?.content["application/json"]?.schema ?? bytes;
  if (!requestBody || !schema) return null;
  return {
    schema,
    takesBytes: schema === bytes,
    isRequired: requestBody.required === true,
    takesZip: "application/zip" in requestBody.content,
  };
}

function answerOf(document: ApiDocument, operation: Operation): Answer {
  const { responses } = operation;
  const good = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const kinds = new Set(good.flatMap(([, { content = {} }]) => Object.keys(content)));
  if (kinds.size === 0) return { kind: "nothing" };
  if (!kinds.has("application/json")) {
    if (kinds.has("text/event-stream")) return { kind: "events" };
    if (kinds.has("application/octet-stream")) return { kind: "bytes" };
    return { kind: kinds.has("application/zip") ? "stream" : "text" };
  }
  if ("206" in responses) return { kind: "bytes" };
  const envelopes = good.flatMap(([, { content }]) => content?.["application/json"]?.schema ?? []);
  const schemas = envelopes.map((schema) => schema.properties?.["data"] ?? schema);
  const [schema] = schemas;
  if (schema === undefined) throw new Error("An answer has no schema.");
  const items = itemsOf(document, schema, operation);
  return items === null ? { kind: "data", schemas } : { kind: "pages", schema, items };
}

/** The list in a page, or what is kept by name there; null for what is no page. */
function itemsOf(document: ApiDocument, schema: Schema, { parameters = [] }: Operation): string | null {
  const resolve = (one: Schema = {}): Schema =>
    one.$ref ? (document.components.schemas[nameOf(one.$ref)] ?? {}) : one;
  const { properties = {} } = resolve(schema);
  if (!("nextCursor" in properties) && !parameters.some(({ name }) => name === "cursor")) return null;
  const holdsMore = (one: Schema): boolean => {
    const { type, oneOf, anyOf } = resolve(one);
    return type === "object" || oneOf !== undefined || anyOf !== undefined;
  };
  const fields = Object.entries(properties);
  const list =
    fields.find(([, { items }]) => items && holdsMore(items)) ?? fields.find(([, one]) => holdsMore(one));
  return list?.[0] ?? null;
}
