import {
  FILE_PATH_BYTES_MAX,
  MEMORY_QUERY_CHARS_MAX,
  MEMORY_RESULTS_DEFAULT,
  MEMORY_RESULTS_MAX,
  type CapabilityAnswer,
  type CapabilityFamily,
} from "@bulkhead/core";
import { z } from "zod";
import type { FileAsker } from "../../files.ts";
import { getMemory } from "../../memory/get-memory.ts";
import type { MemoryDeps } from "../../memory/memory-engine.ts";
import { searchMemory } from "../../memory/search-memory.ts";
import { compact, refused } from "../files/operation.ts";
import { readAsked } from "../read-asked.ts";

const line = z.int().min(1);
const SEARCH = z.strictObject({
  query: z.string().min(1).max(MEMORY_QUERY_CHARS_MAX).regex(/\S/, "must not be blank"),
  limit: z.int().min(1).max(MEMORY_RESULTS_MAX).default(MEMORY_RESULTS_DEFAULT),
  minScore: z.number().min(0).max(1).default(0),
});
const GET = z.strictObject({
  path: z.string().max(FILE_PATH_BYTES_MAX),
  startLine: line.optional(),
  endLine: line.optional(),
});

/** The capability `memory`: what the caller's agent and user have written down, as agents see it. */
export function openMemory(deps: MemoryDeps): CapabilityFamily {
  const search = async (asker: FileAsker, said: unknown, signal: AbortSignal): Promise<CapabilityAnswer> => {
    const read = readAsked(SEARCH, said);
    if (!read.ok) return read;
    const answer = await searchMemory(deps, asker, { ...read.asked, signal });
    const results = answer.results.map((result) => ({ ...result }));
    return { ok: true, value: { ...answer, results } };
  };
  const get = async (asker: FileAsker, said: unknown): Promise<CapabilityAnswer> => {
    const read = readAsked(GET, said);
    if (!read.ok) return read;
    const { file, text, startLine, endLine, totalLines, isCut, scope } = await getMemory(
      deps,
      asker,
      compact(read.asked),
    );
    const { path, hash: etag } = file;
    return {
      ok: true,
      value: { path, startLine, endLine, totalLines, truncated: isCut, etag, scope },
      content: text,
    };
  };
  return {
    operations: new Map([
      ["search", "reads"],
      ["get", "reads"],
    ]),
    async run({ operation, arguments: args }, { tenantId, agentId, userId, executionId }, signal) {
      const asker = { workspace: { tenantId, agentId, userId }, by: executionId, seesAll: false };
      if (operation === "search") return search(asker, args, signal);
      if (operation === "get") return get(asker, args);
      return refused(`there is no operation ${operation}`);
    },
  };
}
