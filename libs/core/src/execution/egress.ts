import type { RunLimits } from "../limit/limits.ts";
import type { PlacedSecret } from "../secret/placeholder.ts";

/** A tool's `fetch` request. `body` is text, or base64 if `bodyEncoding` says so. */
export interface EgressRequest {
  url: string;
  method: string;
  headers: [string, string][];
  body: string | null;
  bodyEncoding: "utf8" | "base64";
  redirect: "follow" | "error" | "manual";
}

/** A part of a response's body: base64 unless it is text by itself. After the part that is `done` there is none. */
export interface EgressPart {
  body: string;
  bodyEncoding: "utf8" | "base64";
  done: boolean;
}

/** A response's head with the first part of its body, which may be empty. */
export interface EgressResponse extends EgressPart {
  ok: true;
  status: number;
  statusText: string;
  headers: [string, string][];
  /** The last URL, after redirects. */
  url: string;
  redirected: boolean;
}

export interface EgressRefused {
  ok: false;
  code: EgressRefusal;
  message: string;
}

export type EgressAnswer = EgressResponse | EgressRefused;
export type EgressReading = ({ ok: true } & EgressPart) | EgressRefused;

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
  /**
   * Never rejects. `bodyId` names the response's body for `read` and is used once in a session. The signal ends the
   * request, and after the answer the rest of its body.
   */
  fetch(request: EgressRequest, signal: AbortSignal, bodyId: number): Promise<EgressAnswer>;
  /**
   * The next part, at least a byte of it unless it is the last; nothing more is taken from the upstream than is asked
   * for and a bounded buffer holds. One read at a time. Never rejects; a refusal is final for that body.
   */
  read(bodyId: number, signal: AbortSignal): Promise<EgressReading>;
  /** Requests sent so far, redirects included. */
  readonly requests: number;
  /** Bytes of bodies so far: of responses, decompressed, as far as they were read, and of requests. At most the limits. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** What of the run's limits is left. */
  readonly left: EgressUse;
  /** Counts what was sent for the run by another process, which got `left` for it. */
  charge(used: EgressUse): void;
  /**
   * The same way out, to the same hosts and within the same limits, with these secrets in place of its own: for what is asked on
   * behalf of a run whose code is told nothing of them. Its bodies are its own; it ends with this session at the latest.
   * `waitMsMax` as in an opening: for what is known to think long before it answers; unset: as this session waits.
   */
  withSecrets(secrets: readonly PlacedSecret[], waitMsMax?: number): EgressSession;
  /** Ends running requests, including bodies that were read in part. */
  close(): void;
}

/** Requests, and bytes of bodies in both directions. */
export type EgressUse = Pick<RunLimits, "networkRequests" | "bytesIn" | "bytesOut">;

/** The owner and the bounds of a run's requests. */
export interface EgressOpening {
  /** Connections are kept for this tenant's next requests, and never serve another's. */
  tenantId: string;
  limits: EgressUse;
  /** As in a tool's definition: null is any public host. */
  allowedHosts: readonly string[] | null;
  /**
   * Secrets that are filled in on the way out, each for its own hosts only; a request that holds one elsewhere is refused.
   * Answers of those hosts have its value covered, answers of other hosts don't.
   */
  secrets: readonly PlacedSecret[];
  /**
   * How long the head of an answer, and each further part of its body, may let itself be waited for; milliseconds. Default:
   * the broker's bound, which a stream of events may outlast.
   */
  waitMsMax?: number;
}

export interface EgressBroker {
  open(opening: EgressOpening): EgressSession;
  close(): Promise<void>;
}

/** The broker's rules, for code that must refuse a URL long before it is requested. */
export interface EgressPolicy {
  /** Why no request to this URL will ever be let out, as far as that is known without a look-up; null otherwise. */
  refusalOf(url: string): string | null;
}
