import { Fault } from "@bulkhead/core";

/** `message` ends the sentence that its subject begins: the entry at `path`, or the archive where that is "". */
export const invalidArchive = (path: string, message: string, cause?: unknown): Fault =>
  new Fault("archive.invalid", {
    detail: `${path === "" ? "The archive" : path} ${message}.`,
    errors: [{ path, message }],
    cause,
  });
