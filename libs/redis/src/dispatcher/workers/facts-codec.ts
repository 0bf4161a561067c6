import { strict as assert } from "node:assert";
import type { WorkerFacts } from "@bulkhead/core";
import { z } from "zod";

/** Characters of one worker's facts as JSON. */
const FACTS_CHARS_MAX = 16_384;
/** Characters of the detail about one layer or engine; more is cut off. */
const DETAIL_CHARS_MAX = 300;
const LAYERS_MAX = 40;
const ENGINES_MAX = 40;

const words = z.string().max(200);
const count = z.int().min(0);

/** A worker of any version may have written these; unknown fields are dropped. */
const StoredFacts = z.object({
  workerId: words.min(1),
  host: words,
  pid: count,
  startedAt: z.iso.datetime().transform((at) => new Date(at)),
  version: words,
  nodeVersion: words,
  v8Version: words,
  isolatedVmVersion: words,
  // Workers that don't say it never do.
  nodeSnapshot: z.boolean().default(false),
  slots: count,
  running: count,
  sandboxProcesses: z.object({ starting: count, blank: count, idle: count, running: count }),
  sandboxWaiting: count,
  sandboxLayers: z
    .array(z.object({ layer: words.min(1), inForce: z.boolean(), detail: z.string().max(DETAIL_CHARS_MAX) }))
    .max(LAYERS_MAX),
  // Workers that say nothing of them are of a version that had none.
  engines: z
    .array(
      z.object({ engine: words.min(1), available: z.boolean(), detail: z.string().max(DETAIL_CHARS_MAX) }),
    )
    .max(ENGINES_MAX)
    .default([]),
}) satisfies z.ZodType<WorkerFacts>;

/** The facts as JSON. Throws for facts that `decodeFacts` would reject, since nobody would see them. */
export function encodeFacts(facts: WorkerFacts): string {
  const text = JSON.stringify({
    ...facts,
    sandboxLayers: facts.sandboxLayers.map(withinBounds),
    engines: facts.engines.map(withinBounds),
  });
  assert(decodeFacts(text), "a worker's facts keep their bounds");
  return text;
}

const withinBounds = <T extends { detail: string }>(one: T): T => ({
  ...one,
  detail: one.detail.slice(0, DETAIL_CHARS_MAX),
});

/** Null for a text that is no worker's facts. */
export function decodeFacts(text: string): WorkerFacts | null {
  if (text.length > FACTS_CHARS_MAX) return null;
  try {
    return StoredFacts.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // The text is not even JSON.
    return null;
  }
}
