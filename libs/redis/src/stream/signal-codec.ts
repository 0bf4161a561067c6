import { EXECUTION_ID, type Signal } from "@bulkhead/core";

/** Characters of a signal on the wire; anything longer is none. */
const SIGNAL_LENGTH_MAX = 512;
const ID_LENGTH_MAX = 128;
const KINDS = ["tool", "key", "tenant", "tools"] as const;

const isKind = (kind: unknown): kind is (typeof KINDS)[number] => KINDS.some((known) => known === kind);

/** Null for a text that is no signal of the closed union: anyone who can reach Redis can publish. */
export function decodeSignal(text: string): Signal | null {
  if (text.length > SIGNAL_LENGTH_MAX) return null;
  try {
    return pick(JSON.parse(text));
  } catch {
    return null;
  }
}

function pick(value: unknown): Signal | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, executionId, attempt, kind, id } = value as Record<string, unknown>;
  switch (type) {
    case "stop":
      return typeof executionId === "string" && EXECUTION_ID.test(executionId) && typeof attempt === "number"
        ? { type, executionId, attempt }
        : null;
    case "forget":
      return isKind(kind) && typeof id === "string" && id.length <= ID_LENGTH_MAX ? { type, kind, id } : null;
    default:
      return null;
  }
}
