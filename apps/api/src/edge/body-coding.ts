import { Fault } from "@bulkhead/core";
import type { IncomingHttpHeaders } from "node:http";

/** Bodies are read as they come, in UTF-8, of which ASCII is a part. */
const CHARSETS = new Set(["utf-8", "utf8", "us-ascii"]);
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Throws `request.unsupported_media_type` for a body that would have to be unpacked, or decoded from another charset. */
export function checkBodyCoding(headers: IncomingHttpHeaders): void {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity")
    throw new Fault("request.unsupported_media_type", {
      detail: "Send the body as it is, without `Content-Encoding` (or `identity`).",
    });
  const charset = CHARSET.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase();
  if (charset !== undefined && !CHARSETS.has(charset))
    throw new Fault("request.unsupported_media_type", {
      detail: "Send the body in UTF-8: `Content-Type: application/json` says so by itself.",
    });
}
