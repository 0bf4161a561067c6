import { Fault, type FileStore } from "@bulkhead/core";
import type { Pool } from "pg";
import { faulting } from "../sql-trouble.ts";
import { askPool, inTransaction } from "./file-transaction.ts";
import { moveFiles, removeFiles } from "./move-files.ts";
import {
  findAll,
  findFirst,
  listFiles,
  listPaths,
  listVersions,
  readBytes,
  searchFiles,
} from "./read-files.ts";
import { storeChunks, sweepChunks } from "./store-chunks.ts";
import { readUsage, writeFile } from "./write-file.ts";

/** How often pieces are stored again that the sweep took before their file was written. */
const STORED_MAX = 3;

/** Files in PostgreSQL. What it throws is a Fault. */
export function openFileStore(pool: Pool): FileStore {
  const ask = askPool(pool);
  return {
    findFirst: (...asked) => faulting(() => findFirst(ask, ...asked)),
    findAll: (...asked) => faulting(() => findAll(ask, ...asked)),
    read: (...asked) => faulting(() => readBytes(ask, ...asked)),
    versions: (...asked) => faulting(() => listVersions(ask, ...asked)),
    list: (...asked) => faulting(() => listFiles(ask, ...asked)),
    paths: (...asked) => faulting(() => listPaths(ask, ...asked)),
    search: (...asked) => faulting(() => searchFiles(ask, ...asked)),
    write: (...asked) => faulting(() => writeWhole(pool, ...asked)),
    move: (...asked) => faulting(() => inTransaction(pool, (within) => moveFiles(within, ...asked))),
    remove: (...asked) => faulting(() => inTransaction(pool, (within) => removeFiles(within, ...asked))),
    usage: (...asked) => faulting(() => readUsage(ask, ...asked)),
    sweep: (atOnce) => faulting(() => inTransaction(pool, (within) => sweepChunks(within, atOnce))),
  };
}

/** The bytes go first and without a lock that others wait for; the file is written when they are all there. */
async function writeWhole(
  pool: Pool,
  ...asked: Parameters<FileStore["write"]>
): ReturnType<FileStore["write"]> {
  const [place, content] = asked;
  for (let stored = 0; stored < STORED_MAX; stored += 1) {
    await storeChunks(askPool(pool), place.workspace.tenantId, content.chunks);
    const written = await inTransaction(pool, (within) => writeFile(within, ...asked));
    if (written.outcome !== "chunks_gone") return written;
  }
  throw new Fault("service.unavailable", { internal: "the pieces of a file went before it was written" });
}
