import {
  CALL_ARGUMENTS_BYTES_MAX,
  CAPABILITY_CONTENT_BYTES_MAX,
  EFFECT_HEAD_CHARS_MAX,
  HMAC_DATA_BYTES_MAX,
} from "../wire/bounds.ts";
import { fromSandboxBytesMax } from "../wire/frame-bound.ts";
import type { FromSandbox } from "../wire/from-sandbox.ts";
import type { Refusal } from "../wire/refusals.ts";
import type { RunFrame } from "../wire/to-sandbox.ts";

/**
 * A guest's request to the worker: a fetch, bytes to sign or an operation of a capability, each with its body as text or as
 * base64; or a call of another tool.
 */
export interface GuestRequest {
  kind: "effect" | "effect64" | "call" | "sign" | "sign64" | "capability" | "capability64";
  requestId: number;
  head: string;
  body: string;
}

/** Why the worker is not asked. */
export interface RefusedRequest {
  code: Refusal;
  message: string;
}

type EffectFrame = Extract<FromSandbox, { type: "effect" }>;

/** The frame for a request, or why it is too large to be sent. */
export function effectFrame(request: GuestRequest, run: RunFrame): EffectFrame | RefusedRequest {
  const { kind, requestId, head, body } = request;
  const { executionId, limits } = run;
  const isBase64 = kind.endsWith("64");
  const bytes = isBase64 ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
  const tooLarge = whyTooLarge(kind, head, bytes, limits);
  if (tooLarge) return tooLarge;
  const packed = isBase64 ? { body, bodyEncoding: "base64" as const } : pack(body);
  if (jsonBytes(head) + jsonBytes(packed.body) > fromSandboxBytesMax(run) - FRAME_BYTES)
    return { code: "invalid_request", message: "The request is too long to be sent." };
  return { type: "effect", executionId, requestId, head, ...packed };
}

function whyTooLarge(
  kind: GuestRequest["kind"],
  head: string,
  bytes: number,
  { bytesOut }: RunFrame["limits"],
): RefusedRequest | null {
  const isCapability = kind === "capability" || kind === "capability64";
  if (head.length > EFFECT_HEAD_CHARS_MAX) {
    const what = isCapability ? "arguments" : "URL or headers";
    return { code: "invalid_request", message: `The request's ${what} are too long.` };
  }
  if (isCapability && bytes > CAPABILITY_CONTENT_BYTES_MAX) {
    const message = `One call writes ${CAPABILITY_CONTENT_BYTES_MAX} bytes at most: append the rest.`;
    return { code: "invalid_request", message };
  }
  if (kind === "call" && bytes > CALL_ARGUMENTS_BYTES_MAX) {
    const message = `The arguments of the call are over ${CALL_ARGUMENTS_BYTES_MAX} bytes as JSON (limits.resultBytes).`;
    return { code: "invalid_request", message };
  }
  if ((kind === "sign" || kind === "sign64") && bytes > HMAC_DATA_BYTES_MAX) {
    const message = `utils.hmac signs ${HMAC_DATA_BYTES_MAX} bytes at most: sign a digest of the data`;
    return { code: "invalid_request", message };
  }
  if ((kind === "effect" || kind === "effect64") && bytes > bytesOut) {
    const message = `the request's body is over the limit of ${bytesOut} bytes (limits.bytesOut)`;
    return { code: "network_limit", message };
  }
  return null;
}

/** Bytes of an effect's frame beside its head and body. */
const FRAME_BYTES = 1_024;

const jsonBytes = (text: string | null): number =>
  text === null ? 4 : Buffer.byteLength(JSON.stringify(text));

/** A text that JSON would escape to more than double goes as base64: then the wire's bound holds for it. */
function pack(body: string): { body: string | null; bodyEncoding: "utf8" | "base64" } {
  // The guest's bridge has no word for a request without a body.
  if (body === "") return { body: null, bodyEncoding: "utf8" };
  const escaped = JSON.stringify(body).length;
  if (escaped <= body.length * 2 + 2) return { body, bodyEncoding: "utf8" };
  return { body: Buffer.from(body).toString("base64"), bodyEncoding: "base64" };
}
