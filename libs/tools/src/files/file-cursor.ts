import { Fault, parseFilePath } from "@bulkhead/core";

/** The place behind which a page goes on, as its reader passes it back. */
export const writeCursor = (path: string): string => Buffer.from(path).toString("base64url");

/** Throws `request.invalid` for what no page has told. */
export function readCursor(cursor: string): string {
  const said = Buffer.from(cursor, "base64url").toString();
  const { path } = parseFilePath(said);
  if (path !== undefined && writeCursor(path) === cursor) return path;
  const message = "must be the nextCursor of the page before";
  throw new Fault("request.invalid", {
    detail: `The request is not valid: cursor ${message}.`,
    errors: [{ path: "cursor", message }],
  });
}
