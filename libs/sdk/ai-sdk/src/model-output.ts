import * as ai from "ai";
import { isFailedCall, MARK, type FailedCall } from "./outputs.ts";

/** What a model is given of an output, in the AI SDK's words. */
export type ModelOutput = Awaited<ReturnType<NonNullable<ai.Tool["toModelOutput"]>>>;
type ModelPart = Extract<ModelOutput, { type: "content" }>["value"][number];

/** Version 7 has one word for files of every kind, and warns of those of version 6, which came before its uploads. */
const HAS_FILES = "uploadFile" in ai;

/** What the model gets: of a result what is for it, its parts as text and files; of a failure its code and what to mend. */
export function toModelOutput(output: unknown, hasFiles = HAS_FILES): ModelOutput {
  if (isFailedCall(output)) return { type: "error-text", value: wordsOf(output) };
  const value = forModel(output);
  if (typeof value === "string") return { type: "text", value };
  const parts = isRecord(value) && value[MARK] === "content" ? partsOf(value["content"], hasFiles) : null;
  return parts === null
    ? { type: "json", value: value as Extract<ModelOutput, { type: "json" }>["value"] }
    : { type: "content", value: parts };
}

/** A refusal as a model reads it: the code, why, each fault with its place, and when to try again. */
function wordsOf({ code, refusal, message, errors = [], retryAfterMs }: FailedCall): string {
  const places = errors
    .map(({ path, message: fault }) => `${path}: ${fault}`)
    // One that the sentence before them tells is told once.
    .filter((place) => !message.includes(place));
  const later =
    retryAfterMs === undefined
      ? []
      : [`Try again in ${Math.ceil(retryAfterMs / 1_000)} seconds, not before.`];
  return [`${refusal ?? code}: ${message}`, ...places, ...later].join("\n");
}

/** Of `utils.output({ forLLM, forUser })` the first. */
const forModel = (output: unknown): unknown =>
  isRecord(output) && output[MARK] === "output" && output["forLLM"] !== undefined ? output["forLLM"] : output;

/** Null where it is no content: then it is data that anyone may have written. */
function partsOf(content: unknown, hasFiles: boolean): ModelPart[] | null {
  if (!Array.isArray(content)) return null;
  const parts = content.map((said) => partOf(said, hasFiles));
  return parts.every((part) => part !== null) ? parts : null;
}

function partOf(said: unknown, hasFiles: boolean): ModelPart | null {
  if (!isRecord(said)) return null;
  const { type, text, data, mimeType, resource, uri, name } = said;
  switch (type) {
    case "text":
      return isText(text) ? { type, text } : null;
    case "image":
    case "audio":
      return isText(data) && isText(mimeType) ? fileOf(data, mimeType, hasFiles) : null;
    case "resource":
      return isRecord(resource) ? resourceOf(resource, hasFiles) : null;
    case "resource_link":
      return isText(uri) && isText(name) ? { type: "text", text: `${name}: ${uri}` } : null;
    case "json":
      return { type: "text", text: JSON.stringify(said["json"] ?? null) };
    default:
      return null;
  }
}

function resourceOf(resource: Record<string, unknown>, hasFiles: boolean): ModelPart | null {
  const { uri, mimeType, text, blob } = resource;
  if (isText(text)) return { type: "text", text };
  if (!isText(blob)) return null;
  if (!isText(mimeType)) return { type: "text", text: `A file: ${String(uri)}` };
  return fileOf(blob, mimeType, hasFiles);
}

function fileOf(data: string, mediaType: string, hasFiles: boolean): ModelPart {
  if (hasFiles) return { type: "file", data: { type: "data", data }, mediaType };
  return { type: mediaType.startsWith("image/") ? "image-data" : "file-data", data, mediaType };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
