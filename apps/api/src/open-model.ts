import type { DraftDeps } from "@bulkhead/agents";
import type { Scrubbers } from "@bulkhead/core";
import { openChatModel, openEmbeddings } from "@bulkhead/egress";
import type { Closers } from "@bulkhead/process";
import { countBy, type Meter } from "@bulkhead/process/telemetry";
import { hashedEmbeddings, openMemoryEngine, type MemoryEngine } from "@bulkhead/tools/memory";
import type { ApiConfig } from "./config.ts";

export interface OpenModelsInput {
  config: Pick<ApiConfig, "MODEL_BASE_URL" | "MODEL_NAME" | "EMBEDDINGS_BASE_URL" | "EMBEDDINGS_MODEL">;
  scrubbers: Pick<Scrubbers, "open">;
  closers: Closers;
  meter: Meter;
}

/** Opens the model that drafts tools, where the settings name one, and what searches memories, by a model of theirs or by none. */
export function openModels(input: OpenModelsInput): {
  assist: Pick<DraftDeps, "model" | "countDraft">;
  memoryEngine: MemoryEngine;
} {
  return { assist: openDrafting(input), memoryEngine: openMemory(input) };
}

function openDrafting({
  config: { MODEL_BASE_URL: baseUrl, MODEL_NAME: name },
  scrubbers,
  closers,
  meter,
}: OpenModelsInput): Pick<DraftDeps, "model" | "countDraft"> {
  const countDraft = countBy(meter, "bulkhead_assist_drafts_total");
  if (baseUrl === undefined || name === undefined) return { model: null, countDraft };
  return { model: closers.add("model", openChatModel({ baseUrl, name, scrubbers })), countDraft };
}

function openMemory({
  config: { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: model },
  scrubbers,
  closers,
}: OpenModelsInput): MemoryEngine {
  const isGiven = baseUrl !== undefined && model !== undefined;
  const embeddings = isGiven ? openEmbeddings({ baseUrl, model, scrubbers }) : hashedEmbeddings;
  return closers.add("memory", openMemoryEngine(closers.add("embeddings", embeddings)));
}
