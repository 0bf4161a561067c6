import type { Json } from "@bulkhead/core";

/** The size of a JSON value, as far as it was measured. */
export interface JsonSize {
  /** Values, containers included. */
  nodes: number;
  /** UTF-16 units of all strings and keys. */
  chars: number;
  /** It is deeper than asked for, and the rest was not measured. */
  tooDeep: boolean;
}

/**
 * Measures a value no deeper than `depthMax` levels, so that its own stack is bounded. A scalar has no level. A value of more
 * than `nodesMax` values is measured until those were met.
 */
export function measureJson(value: Json, depthMax: number, nodesMax = Infinity): JsonSize {
  const size: JsonSize = { nodes: 0, chars: 0, tooDeep: false };
  measure(value, depthMax, nodesMax, size);
  return size;
}

function measure(value: Json, levels: number, nodesMax: number, size: JsonSize): void {
  size.nodes += 1;
  if (typeof value === "string") {
    size.chars += value.length;
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) {
    size.tooDeep = true;
    return;
  }
  const names = Array.isArray(value) ? null : Object.keys(value);
  const count = names?.length ?? (value as Json[]).length;
  for (let at = 0; at < count && size.nodes <= nodesMax; at += 1) {
    const name = names?.[at];
    if (name !== undefined) size.chars += name.length;
    const child = (value as Record<string | number, Json>)[name ?? at];
    if (child !== undefined) measure(child, levels - 1, nodesMax, size);
  }
}
