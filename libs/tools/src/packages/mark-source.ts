import { contentHash, type NewTool, type Tool } from "@bulkhead/core";
import { recordHashOf } from "../registry/record-hash.ts";
import { readSource, withSource } from "../registry/tool-source.ts";
import type { JudgedUpdate } from "../registry/update-tool.ts";

/** The source of which the tool is as it was last made; null once anybody else has changed its record. */
export function sourceOf(tool: Tool): string | null {
  const source = readSource(tool.metadata);
  return source !== null && source.record === recordHashOf(tool) ? source.name : null;
}

type Hashed = Parameters<typeof recordHashOf>[0];

/** The new tool, marked. */
export function markCreated(tool: NewTool, name: string): NewTool {
  const record = recordHashOf({ ...tool, contentHash: contentHash(tool) });
  return { ...tool, metadata: withSource(tool.metadata, { name, record }) };
}

/** The update, which marks the tool too. A version that waits leaves the serving one in place, of which the mark then is. */
export function markUpdated(update: JudgedUpdate, name: string): JudgedUpdate {
  const { current, change, waits } = update;
  const { definition } = change;
  const ran = definition && !waits ? { ...definition, contentHash: contentHash(definition) } : {};
  const next: Hashed = { ...current, ...change, ...ran };
  const record = recordHashOf(next);
  return { ...update, change: { ...change, metadata: withSource(next.metadata, { name, record }) } };
}
