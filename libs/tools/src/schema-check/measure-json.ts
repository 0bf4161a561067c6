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

/** Measures a value no deeper than `depthMax` levels, so that its own stack is bounded. A scalar has no level. */
export function measureJson(value: Json, depthMax: number): JsonSize {
  const size: JsonSize = { nodes: 0, chars: 0, tooDeep: false };
  measure(value, depthMax, size);
  return size;
}

function measure(value: Json, levels: number, size: JsonSize): void {
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
  if (Array.isArray(value)) {
    for (const item of value) measure(item, levels - 1, size);
    return;
  }
  for (const key of Object.keys(value)) {
    size.chars += key.length;
    const child = value[key];
    if (child !== undefined) measure(child, levels - 1, size);
  }
}
