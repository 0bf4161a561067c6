import type { EgressRequest } from "./egress.ts";

/** A signature that is wanted with a secret of a service; the key itself never reaches the tool. */
export interface HmacRequest {
  service: string;
  /** Null is the default entry. */
  entry: string | null;
  /** Null is `api_key`, or the only secret there is. */
  field: string | null;
  algorithm: "sha256" | "sha1" | "sha512";
  encoding: "hex" | "base64" | "base64url";
  data: string;
  dataEncoding: "utf8" | "base64";
}

/** A request that a running tool makes to the outside. */
export type Effect =
  | { kind: "fetch"; request: EgressRequest; requestId: number }
  /** The next part of the body that answered fetch `bodyId`. */
  | { kind: "read_body"; bodyId: number }
  /** Another tool of the tenant, or a built-in one. */
  | { kind: "call_tool"; name: string; argumentsJson: string }
  /** The tools that may be called; no effect outside. */
  | { kind: "list_tools" }
  /** A signature; no effect outside. */
  | { kind: "hmac"; request: HmacRequest }
  /** An operation of a family of capabilities; the content is what it writes. None of it is checked yet. */
  | {
      kind: "capability";
      family: string;
      operation: string;
      argumentsJson: string;
      content: string | null;
      contentEncoding: "utf8" | "base64";
    };

/** `head` is JSON for the tool's runtime; a body is handed over as it is. */
export type EffectAnswer =
  | { ok: true; head: string; body: string | null; bodyEncoding: "utf8" | "base64" }
  | { ok: false; code: EffectRefusal; message: string };

/**
 * Why an effect has no answer; `failed` is the network's fault or the upstream's, the others are ours. `not_found` and
 * `conflict` are of what a capability was asked about: it isn't there, or it is not as the tool thinks; `unavailable`: it is
 * there and can't be reached now; `outcome_unknown`: it was asked, and may have done it.
 */
export const EFFECT_REFUSALS = [
  "egress_denied",
  "network_limit",
  "invalid_request",
  "failed",
  "timeout",
  "aborted",
  "tool_not_found",
  "tool_not_allowed",
  "tool_failed",
  "call_limit",
  "capability_denied",
  "capability_limit",
  "not_found",
  "conflict",
  "unavailable",
  "outcome_unknown",
] as const;
export type EffectRefusal = (typeof EFFECT_REFUSALS)[number];
