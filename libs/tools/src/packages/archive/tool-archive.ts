import type { ToolArchive } from "@bulkhead/core";
import { readArchive } from "./read-archive.ts";
import { writeArchive } from "./write-archive.ts";

/** Zip as APPNOTE 6.3 describes it, without what tools have no use for: zip64, encryption, parts, links. */
export const toolArchive: ToolArchive = { read: readArchive, write: writeArchive };
