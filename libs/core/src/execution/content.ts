import { JsonText, valueOf } from "../json/json-text.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { isObject, readPart, type ContentPart } from "./content-part.ts";

/**
 * The key of a result that is more than data: `{"$bulkhead": "content", content, structuredContent?}`, parts as the Model
 * Context Protocol has them, or `{"$bulkhead": "output", forLLM, forUser}`, of which a model gets the first. Whoever asks
 * over HTTP gets such an object as it is. Anyone may write one by hand: what doesn't have the form is data.
 */
const MARK = "$bulkhead";

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

const isMarked = (value: Json, kind: "content" | "output"): value is JsonObject =>
  isObject(value) && value[MARK] === kind;
