import { JsonText, valueOf } from "../json/json-text.ts";
import type { Json, JsonObject } from "../json/json.ts";

/**
 * The key of a result that is more than data: `{"$bulkhead": "content", content, structuredContent?}`, parts as the Model
 * Context Protocol has them, or `{"$bulkhead": "output", forLLM, forUser}`, of which a model gets the first. Whoever asks
 * over HTTP gets such an object as it is. Anyone may write one by hand: what doesn't have the form is data.
 */
const MARK = "$bulkhead";

/** The parts of the protocol, links from others' servers among them, and any value as `json`. `data` and `blob` are base64. */
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string }) }
  | {
      type: "resource_link";
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
    }
  | { type: "json"; json: Json };

export interface Content {
  parts: ContentPart[];
  /** The same as data, where whoever made it said so. */
  structured: JsonObject | null;
}

/**
 * The result of a call that another's MCP server has answered with `{content, structuredContent?}`. What is no part of the
 * protocol's is kept as a `json` part; annotations and `_meta` of parts are left out.
 */
export function contentOfMcp({ content, structuredContent }: JsonObject): JsonObject {
  const given = Array.isArray(content) ? content : [];
  const parts = given.map((part): ContentPart => readPart(part) ?? { type: "json", json: part });
  const structured = isObject(structuredContent) ? { structuredContent } : {};
  return { [MARK]: "content", content: parts, ...structured };
}

/** Null where the value is data. */
export function readContent(value: Json): Content | null {
  if (!isMarked(value, "content") || !Array.isArray(value["content"])) return null;
  const parts: ContentPart[] = [];
  for (const said of value["content"]) {
    const part = readPart(said);
    if (part === null) return null;
    parts.push(part);
  }
  const { structuredContent: structured = null } = value;
  return structured === null || isObject(structured) ? { parts, structured } : null;
}

/** What a model gets of a result. */
export function forModel(result: Json | JsonText): Json | JsonText {
  // A large result that has no mark anywhere is not parsed.
  if (result instanceof JsonText && !result.text.includes(`"${MARK}"`)) return result;
  const value = valueOf(result);
  return isMarked(value, "output") && value["forLLM"] !== undefined ? value["forLLM"] : value;
}

/**
 * What the output schema of a tool is about, of what a model gets of its result: all of it, or of content what it has as
 * data, which is its only `json` part where it doesn't say. Null: it has none.
 */
export function dataOf(value: Json): Json {
  const content = readContent(value);
  if (content === null) return value;
  if (content.structured !== null) return content.structured;
  const [data, ...others] = content.parts.flatMap((part) => (part.type === "json" ? [part.json] : []));
  return data === undefined || others.length > 0 ? null : data;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isMarked = (value: Json, kind: "content" | "output"): value is JsonObject =>
  isObject(value) && value[MARK] === kind;
const isText = (value: Json | undefined): value is string => typeof value === "string";

/** Those of the fields that are there; null where one of them is no text. */
function textsOf<Name extends string>(
  said: JsonObject,
  names: readonly Name[],
): { [name in Name]?: string } | null {
  const texts: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = said[name];
    if (value === undefined) continue;
    if (!isText(value)) return null;
    texts[name] = value;
  }
  return texts;
}

function readPart(said: Json): ContentPart | null {
  if (!isObject(said)) return null;
  const { type, text, data, mimeType, resource, uri, name, json } = said;
  switch (type) {
    case "text":
      return isText(text) ? { type, text } : null;
    case "image":
    case "audio":
      return isBase64(data) && isText(mimeType) ? { type, data, mimeType } : null;
    case "resource":
      return isObject(resource) ? readResource(resource) : null;
    case "resource_link": {
      const more = textsOf(said, ["title", "description", "mimeType"]);
      return isText(uri) && isText(name) && more !== null ? { type, uri, name, ...more } : null;
    }
    case "json":
      return json === undefined ? null : { type, json };
    default:
      return null;
  }
}

function readResource(said: JsonObject): ContentPart | null {
  const { uri, text, blob } = said;
  const more = textsOf(said, ["mimeType"]);
  if (!isText(uri) || more === null) return null;
  if (isText(text) && blob === undefined) return { type: "resource", resource: { uri, ...more, text } };
  return isBase64(blob) && text === undefined ? { type: "resource", resource: { uri, ...more, blob } } : null;
}

/** Checks as clients do, who refuse a whole result for what is none, such as what a scrubber has covered. */
function isBase64(value: Json | undefined): value is string {
  if (!isText(value) || value.length % 4 !== 0) return false;
  try {
    // A tenth of the time that a pattern takes over some megabytes.
    atob(value);
    return true;
  } catch {
    return false;
  }
}
