import { archivePathFault } from "@bulkhead/core";
import { PATH_BYTES_MAX } from "./bounds.ts";
import { invalidArchive } from "./invalid-archive.ts";

/** The path of an entry as text. Throws `archive.invalid` for one that leaves its folder, and for what is no relative path. */
export function readPath(bytes: Buffer): string {
  if (bytes.length > PATH_BYTES_MAX) {
    throw invalidArchive("", `holds a path of ${bytes.length} bytes; ${PATH_BYTES_MAX} are the most`);
  }
  const path = decode(bytes);
  // Of a folder the last `/` only tells that it is one.
  const fault = archivePathFault(path.endsWith("/") ? path.slice(0, -1) : path);
  if (fault !== null) throw invalidArchive("", fault);
  return path;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidArchive("", "holds a path that is not UTF-8", cause);
  }
}
