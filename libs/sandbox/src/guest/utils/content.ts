import { decodeBase64, encodeBase64 } from "../base64.ts";
import { Bytes, isArray, isView, matchOf, objectKeys, push } from "../primordials.ts";
import { takeList, takeText, wrongKind } from "./arguments.ts";

const MEDIA_TYPE = /^[^\s/;]+\/[^\s/;]+/;

/**
 * A result of parts, each an object of its `type`: `text` {text}, `image` and `audio` {data, mimeType}, `resource`
 * {resource: {uri, mimeType?, text or blob}}, `json` {json}. Bytes may be base64 already. Throws for anything else.
 */
export function content(parts: unknown): object {
  const list = takeList<unknown>("content", "parts", parts);
  const taken: object[] = [];
  for (let i = 0; i < list.length; i++) push(taken, takePart(`parts[${i}]`, list[i]));
  // The platform's readContent knows it by this key; a test compares the two.
  return { $bulkhead: "content", content: taken };
}

/** A result of which a model gets `forLLM`, and everybody else both. */
export function output(given: unknown): object {
  const { forLLM, forUser } = takeFields("output", "value", given, ["forLLM", "forUser"]);
  if (forLLM === undefined) throw wrongKind("output", "forLLM is missing");
  if (forUser === undefined) throw wrongKind("output", "forUser is missing");
  return { $bulkhead: "output", forLLM, forUser };
}

const RESOURCE_FIELDS = ["uri", "mimeType", "text", "blob"] as const;
const TYPES = ["text", "image", "audio", "resource", "json"] as const;

function takePart(name: string, given: unknown): object {
  const type = (given as { type?: unknown } | null | undefined)?.type;
  switch (type) {
    case "text": {
      const { text } = takeFields("content", name, given, ["type", "text"]);
      return { type, text: takeText("content", `${name}.text`, text) };
    }
    case "image":
    case "audio": {
      const { data, mimeType } = takeFields("content", name, given, ["type", "data", "mimeType"]);
      return { type, data: takeBytes(`${name}.data`, data), mimeType: takeMediaType(name, mimeType) };
    }
    case "resource": {
      const { resource } = takeFields("content", name, given, ["type", "resource"]);
      return { type, resource: takeResource(`${name}.resource`, resource) };
    }
    case "json": {
      const { json } = takeFields("content", name, given, ["type", "json"]);
      if (json === undefined) throw wrongKind("content", `${name}.json is missing`);
      return { type, json };
    }
    default:
      takeObject("content", name, given);
      throw wrongKind("content", `${name}.type must be one of ${TYPES.join(", ")}`);
  }
}

function takeResource(name: string, given: unknown): object {
  const { uri, mimeType, text, blob } = takeFields("content", name, given, RESOURCE_FIELDS);
  if ((text === undefined) === (blob === undefined))
    throw wrongKind("content", `${name} must have text or blob, and not both`);
  return {
    uri: takeText("content", `${name}.uri`, uri),
    ...(mimeType === undefined ? {} : { mimeType: takeMediaType(name, mimeType) }),
    ...(text === undefined
      ? { blob: takeBytes(`${name}.blob`, blob) }
      : { text: takeText("content", `${name}.text`, text) }),
  };
}

function takeMediaType(name: string, given: unknown): string {
  const type = takeText("content", `${name}.mimeType`, given);
  if (matchOf(MEDIA_TYPE, type) === null)
    throw wrongKind("content", `${name}.mimeType must be like image/png`);
  return type;
}

function takeBytes(name: string, given: unknown): string {
  if (given instanceof ArrayBuffer) return encodeBase64(new Bytes(given));
  if (isView(given)) return encodeBase64(new Bytes(given.buffer, given.byteOffset, given.byteLength));
  const bytes = typeof given === "string" ? decodeBase64(given) : null;
  if (bytes === null)
    throw wrongKind("content", `${name} must be bytes, or base64 without "data:" before it`);
  return encodeBase64(bytes);
}

/** An object's fields; one that nobody would read is refused, so that nothing is lost without a word. */
function takeFields(
  fn: string,
  name: string,
  given: unknown,
  known: readonly string[],
): Record<string, unknown> {
  const fields = takeObject(fn, name, given);
  const names = objectKeys(fields);
  for (let i = 0; i < names.length; i++)
    if (!known.includes(names[i] as string))
      throw wrongKind(fn, `${name} has a field "${names[i]}" too many`);
  return fields;
}

function takeObject(fn: string, name: string, given: unknown): Record<string, unknown> {
  if (typeof given !== "object" || given === null || isArray(given))
    throw wrongKind(fn, `${name} must be an object`);
  return given as Record<string, unknown>;
}
