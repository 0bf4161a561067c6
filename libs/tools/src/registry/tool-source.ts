import type { JsonObject } from "@bulkhead/core";

/** Where the folder is kept of which a tool was last made, and the hash of the record that this made. */
interface ToolSource {
  name: string;
  record: string;
}

/** Its place in `metadata.package`. */
const FIELD = "source";

const partsOf = (metadata: JsonObject | null): JsonObject | null => {
  const kept = metadata?.["package"];
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : null;
};

/** The metadata as its author wrote it. */
export function withoutSource(metadata: JsonObject | null): JsonObject | null {
  const parts = partsOf(metadata);
  if (metadata === null || parts === null || !Object.hasOwn(parts, FIELD)) return metadata;
  const { [FIELD]: _, ...left } = parts;
  const { package: __, ...rest } = metadata;
  const kept = Object.keys(left).length > 0 ? { ...rest, package: left } : rest;
  return Object.keys(kept).length > 0 ? kept : null;
}

/** Null where none is said. */
export function readSource(metadata: JsonObject | null): ToolSource | null {
  const said = partsOf(metadata)?.[FIELD];
  if (typeof said !== "object" || said === null || Array.isArray(said)) return null;
  const { name, record } = said;
  return typeof name === "string" && typeof record === "string" ? { name, record } : null;
}

/** Metadata that has another use for `package` stays without a source. */
export function withSource(metadata: JsonObject | null, { name, record }: ToolSource): JsonObject | null {
  if (metadata?.["package"] !== undefined && partsOf(metadata) === null) return metadata;
  return { ...metadata, package: { ...partsOf(metadata), [FIELD]: { name, record } } };
}
