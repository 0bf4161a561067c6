import type { Page } from "./read-html.ts";
import type { PageFormat } from "./bounds.ts";
import { isUtf8 } from "node:buffer";
import { cutText } from "./cut-text.ts";
import { decodeBytes, mediaTypeOf } from "./media-type.ts";
import { prettyJson } from "./pretty-json.ts";
import { readHtml } from "./read-html.ts";

/** A fetched page; all of it is untrusted. */
export interface PageJob {
  bytes: Uint8Array;
  contentType: string;
  /** The URL that it came from; links are relative to it. */
  url: string;
  textCharsMax: number;
  format: PageFormat;
}

/** Null for anything but text. Takes time in proportion to the bytes at best, so it must run in a process of its own. */
export function readPage({ bytes, contentType, url, textCharsMax, format }: PageJob): Page | null {
  const kind = kindOf(contentType, bytes);
  if (kind === "binary") return null;
  const source = decodeBytes(bytes, contentType);
  if (kind === "html") return readHtml(source, url, textCharsMax, format);
  const text = kind === "json" ? prettyJson(source, textCharsMax) : source;
  return { title: "", text: cutText(text, textCharsMax), links: [], truncated: text.length > textCharsMax };
}

function kindOf(contentType: string, bytes: Uint8Array): "html" | "json" | "text" | "binary" {
  const type = mediaTypeOf(contentType);
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type.startsWith("text/") || type === "application/xml" || type.endsWith("+xml")) return "text";
  if (type === "application/javascript" || type === "application/yaml") return "text";
  // If a server doesn't name a type, the content counts as text if it looks like it.
  if (type !== "" || bytes.includes(0) || !isUtf8(bytes)) return "binary";
  return /^\s*<(!doctype html|html|head|body)/i.test(Buffer.from(bytes.subarray(0, 256)).toString("latin1"))
    ? "html"
    : "text";
}
