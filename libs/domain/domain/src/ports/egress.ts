import type { RunLimits } from "../limits.ts";

/** What a tool asked `fetch` for. `body` is text, or base64 where `bodyEncoding` says so. */
export interface EgressRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body: string | null;
  bodyEncoding: "utf8" | "base64";
  redirect: "follow" | "error" | "manual";
}

export type EgressAnswer =
  | {
      ok: true;
      status: number;
      statusText: string;
      headers: [string, string][];
      /** The last URL, after redirects. */
      url: string;
      redirected: boolean;
      body: string;
      bodyEncoding: "utf8" | "base64";
    }
  | { ok: false; code: EgressRefusal; message: string };

/** Why there is no response; `failed` is the network's fault or the upstream's, the others are ours. */
export type EgressRefusal =
  | "egress_denied"
  | "network_limit"
  | "invalid_request"
  | "failed"
  | "timeout"
  | "aborted";

/** The way out for one run: it counts requests and bytes against the run's limits. */
export interface EgressSession {
  /** Never rejects. */
  fetch(request: EgressRequest, signal: AbortSignal): Promise<EgressAnswer>;
  /** Requests sent so far, redirects included. */
  readonly requests: number;
}

export interface EgressBroker {
  open(limits: Pick<RunLimits, "networkRequests" | "bytesIn" | "bytesOut">): EgressSession;
  close(): Promise<void>;
}
