import { encodeFrame, WireError } from "@bulkhead/sandbox/wire";
import { z } from "zod";
import {
  CONTENT_TYPE_CHARS_MAX,
  JOB_FRAME_BYTES_MAX,
  LINK_HREF_CHARS_MAX,
  LINK_TEXT_CHARS_MAX,
  LINKS_MAX,
  TEXT_KEPT_CHARS_MAX,
  TITLE_CHARS_MAX,
} from "./bounds.ts";
import type { PageJob } from "./read-page.ts";

const page = z.object({
  title: z.string().max(TITLE_CHARS_MAX),
  text: z.string().max(TEXT_KEPT_CHARS_MAX),
  links: z
    .array(z.object({ text: z.string().max(LINK_TEXT_CHARS_MAX), href: z.string().max(LINK_HREF_CHARS_MAX) }))
    .max(LINKS_MAX),
  truncated: z.boolean(),
  pages: z.int().min(0).optional(),
});

/** What is known of a PDF that no text can be made of. */
const UNREADABLE_WHYS = ["encrypted", "broken"] as const;
export type UnreadableWhy = (typeof UNREADABLE_WHYS)[number];

/** The messages of a process that reads pages: once that it is ready, then one answer to each page. */
const fromProcess = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("read"), page: page.nullable() }),
  z.object({ type: z.literal("unreadable"), why: z.enum(UNREADABLE_WHYS).optional() }),
]);

export type FromPageProcess = z.infer<typeof fromProcess>;

/** A page as it is sent to be read. Throws a WireError over `JOB_FRAME_BYTES_MAX`. */
export function encodeJob({ bytes, contentType, url, textCharsMax, format }: PageJob): Buffer {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const job = {
    base64,
    contentType: contentType.slice(0, CONTENT_TYPE_CHARS_MAX),
    url,
    textCharsMax,
    format,
  };
  return encodeFrame(job, JOB_FRAME_BYTES_MAX);
}

/** Throws a WireError for a message that no honest process sends. */
export function parseFromProcess(text: string): FromPageProcess {
  try {
    return fromProcess.parse(JSON.parse(text));
  } catch (cause) {
    throw new WireError("a frame of a page's process breaks the wire", { cause });
  }
}
