import { Fault, isMemoryPath } from "@bulkhead/core";
import { filePath, type FileAsker } from "../files/file-access.ts";
import { readLines } from "../files/read-file.ts";
import type { MemoryDeps } from "./memory-engine.ts";
import { scopeOf, type MemoryResult } from "./search-memory.ts";

type Lines = Awaited<ReturnType<typeof readLines>>;

/** Lines of a file of the memory. Throws as `readLines` does, and `file.path_invalid` for any other file. */
export async function getMemory(
  deps: Pick<MemoryDeps, "files" | "tenants">,
  asker: FileAsker,
  asked: { path: string; startLine?: number; endLine?: number },
): Promise<Lines & { scope: MemoryResult["scope"] }> {
  const path = filePath(asked.path);
  if (!isMemoryPath(path)) {
    const fault = "must be MEMORY.md, memory.md or within memory/";
    const errors = [{ path: "path", message: fault }];
    throw new Fault("file.path_invalid", { detail: `The path is not valid: path ${fault}.`, errors });
  }
  const read = await readLines(deps, asker, { ...asked, path });
  return { ...read, scope: scopeOf(read.file) };
}
