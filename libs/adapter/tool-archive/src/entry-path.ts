import { PATH_BYTES_MAX } from "./bounds.ts";
import { invalidArchive } from "./invalid-archive.ts";

/** Letters that another system would read as a way out of the folder, or that no name needs. */
// oxlint-disable-next-line no-control-regex -- these are what no name needs
const STRANGE = /[\u0000-\u001f\u007f\\:]/;

/** The path of an entry as text. Throws `archive.invalid` for one that leaves its folder, and for what is no relative path. */
export function readPath(bytes: Buffer): string {
  if (bytes.length > PATH_BYTES_MAX) {
    throw invalidArchive("", `holds a path of ${bytes.length} bytes; ${PATH_BYTES_MAX} are the most`);
  }
  const path = decode(bytes);
  const parts = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  if (STRANGE.test(path) || parts.some((part) => ["", ".", "..", "__proto__"].includes(part))) {
    throw invalidArchive("", `holds the path ${JSON.stringify(path)}, which is not allowed`);
  }
  return path;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidArchive("", "holds a path that is not UTF-8", cause);
  }
}
