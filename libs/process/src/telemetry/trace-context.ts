/** W3C Trace Context: version, trace id (not all zero), parent id (not all zero), flags; a later version may say more. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Of a header that is worth looking at: more than any version's fields. */
const TRACEPARENT_CHARS_MAX = 128;
const SAMPLED = 1;

/** A place in a trace. */
export interface TracePlace {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  /** Whether its trace is recorded. */
  sampled: boolean;
}

/** Parses a `traceparent`; null for anything that the standard does not allow, which its readers must ignore. */
export function readTraceparent(text: unknown): TracePlace | null {
  if (typeof text !== "string" || text.length > TRACEPARENT_CHARS_MAX) return null;
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The reverse of `readTraceparent`, in version 00. */
export const writeTraceparent = ({ traceId, spanId, sampled }: TracePlace): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
