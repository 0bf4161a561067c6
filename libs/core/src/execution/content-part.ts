import type { Json, JsonObject } from "../json/json.ts";

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

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
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

/** Null where it is none of them. */
export function readPart(said: Json): ContentPart | null {
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
export function isBase64(value: Json | undefined): value is string {
  if (!isText(value) || value.length % 4 !== 0) return false;
  try {
    // A tenth of the time that a pattern takes over some megabytes.
    atob(value);
    return true;
  } catch {
    return false;
  }
}
