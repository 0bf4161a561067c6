import type { DraftDeps } from "@bulkhead/agents";
import type { Scrubbers } from "@bulkhead/core";
import { openChatModel } from "@bulkhead/egress";
import type { Closers } from "@bulkhead/process";
import { countBy, type Meter } from "@bulkhead/process/telemetry";
import type { ApiConfig } from "./config.ts";

export interface OpenModelInput {
  config: Pick<ApiConfig, "MODEL_BASE_URL" | "MODEL_NAME">;
  scrubbers: Pick<Scrubbers, "open">;
  closers: Closers;
  meter: Meter;
}

/** Opens the model that drafts tools, where the settings name one. */
export function openModel({
  config: { MODEL_BASE_URL: baseUrl, MODEL_NAME: name },
  scrubbers,
  closers,
  meter,
}: OpenModelInput): Pick<DraftDeps, "model" | "countDraft"> {
  const countDraft = countBy(meter, "bulkhead_assist_drafts_total");
  if (baseUrl === undefined || name === undefined) return { model: null, countDraft };
  return { model: closers.add("model", openChatModel({ baseUrl, name, scrubbers })), countDraft };
}
