import type { Embeddings, Scrubbers } from "@bulkhead/core";
import { openEmbeddings } from "@bulkhead/egress";
import type { Closers } from "@bulkhead/process";
import {
  hashedEmbeddings,
  type KeepMemoryDeps,
  type MemoryDeps,
  MemoryKeeper,
  openMemoryEngine,
  sweepMemory,
} from "@bulkhead/tools/memory";
import type { WorkerConfig } from "./config.ts";
import { Repeating } from "./repeating.ts";

const KEEP_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

interface KeepMemoryInput {
  config: Pick<WorkerConfig, "EMBEDDINGS_BASE_URL" | "EMBEDDINGS_MODEL">;
  scrubbers: Pick<Scrubbers, "open">;
  closers: Closers;
  stores: Pick<MemoryDeps, "files" | "tenants" | "memory" | "configs">;
  report: KeepMemoryDeps["report"];
}

/** Opens what searches memories, and keeps indexing what is written. */
export function keepMemory({ config, scrubbers, closers, stores, report }: KeepMemoryInput): MemoryDeps {
  const embeddings = closers.add("embeddings", embeddingsOf(config, scrubbers));
  const engine = closers.add("memory", openMemoryEngine(embeddings));
  const deps = { ...stores, ...engine };
  const keeper = new MemoryKeeper({ ...deps, report });
  const closing = new AbortController();
  const repeat = (what: string, everyMs: number, step: () => Promise<void>): void => {
    closers.add(what, new Repeating(what, everyMs, step, report));
  };
  repeat("indexing memories", KEEP_EVERY_MS, () => keeper.keep(closing.signal));
  repeat("sweeping memories", SWEEP_EVERY_MS, () => sweepMemory(deps, closing.signal));
  // Before those are closed, which wait for the turn under way.
  closers.defer("turns of memories", () => closing.abort());
  return deps;
}

const embeddingsOf = (
  { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: model }: KeepMemoryInput["config"],
  scrubbers: KeepMemoryInput["scrubbers"],
): Embeddings =>
  baseUrl === undefined || model === undefined
    ? hashedEmbeddings
    : openEmbeddings({ baseUrl, model, scrubbers });
