import { isRecord } from "../input/is-record.ts";
import type { Terminal } from "../terminal/terminal.ts";

const BASE64_CHARS = 4;
const BASE64_BYTES = 3;
const KIB = 1_024;

const sizeOf = (base64: unknown): string => {
  const bytes = ((typeof base64 === "string" ? base64.length : 0) / BASE64_CHARS) * BASE64_BYTES;
  return bytes < KIB ? `${Math.floor(bytes)} bytes` : `${Math.round(bytes / KIB)} KiB`;
};

/** A part of content: its text, or what it is where it is none. */
function tellPart(terminal: Terminal, part: Record<string, unknown>): void {
  const { type, text, json, data, mimeType, uri, resource } = part;
  if (type === "text") terminal.text(String(text));
  else if (type === "json") terminal.value(json);
  else if (type === "resource" && isRecord(resource))
    terminal.text(typeof resource["text"] === "string" ? resource["text"] : `[${String(resource["uri"])}]`);
  else if (type === "resource_link") terminal.text(`[${String(uri)}]`);
  else terminal.text(`[${String(type)}, ${String(mimeType)}, ${sizeOf(data)}: --json has it]`);
}

/**
 * A tool's result on stdout: a text as it is, content part by part, of an output what is for the person, and anything else as
 * JSON.
 */
export function tellResult(terminal: Terminal, result: unknown): void {
  if (typeof result === "string") return terminal.text(result);
  if (isRecord(result) && result["$bulkhead"] === "output") return tellResult(terminal, result["forUser"]);
  const content = isRecord(result) && result["$bulkhead"] === "content" ? result["content"] : undefined;
  if (!Array.isArray(content) || !content.every(isRecord)) return terminal.value(result);
  for (const part of content) tellPart(terminal, part);
}
