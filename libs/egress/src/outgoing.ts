import type { EgressRequest } from "@bulkhead/core";
import { parseTarget, type Target } from "./parse-target.ts";
import { Refusal } from "./refusal.ts";
import { checkHeaders, type HeaderList, withoutBodyHeaders, withoutCredentials } from "./request-headers.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];

/** One request as it goes out: checked, and complete except for the connection's headers. */
export interface Outgoing {
  target: Target;
  method: Method;
  headers: HeaderList;
  body: Buffer | null;
}

/** Checks a tool's request; throws `invalid_request`, and `egress_denied` as `parseTarget` does. */
export function readOutgoing(request: EgressRequest): Outgoing {
  const wanted = request.method.toUpperCase();
  const method = METHODS.find((known) => known === wanted);
  if (!method) throw new Refusal("invalid_request", `the method must be one of ${METHODS.join(", ")}`);
  const body = request.body === null ? null : Buffer.from(request.body, request.bodyEncoding);
  if (body && (method === "GET" || method === "HEAD"))
    throw new Refusal("invalid_request", `a ${method} request has no body`);
  return { target: parseTarget(request.url), method, headers: checkHeaders(request.headers), body };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether an answer asks to go elsewhere; without a place to go to it is an answer like any other. */
export function isRedirect(status: number, location: unknown): location is string {
  return REDIRECTS.has(status) && typeof location === "string";
}

/**
 * The request after a redirect, by the fetch standard: 303 turns all but HEAD into GET, 301 and 302 only POST, and the
 * body is dropped then. Credentials are dropped at another origin; the standard drops `Authorization` there, and here
 * every header that names a key goes too, since a tool's upstream must not be able to send its key elsewhere.
 */
export function redirectTo(sent: Outgoing, status: number, location: string): Outgoing {
  const target = parseTarget(location, sent.target.url);
  const becomesGet =
    (status === 303 && sent.method !== "HEAD" && sent.method !== "GET") ||
    ((status === 301 || status === 302) && sent.method === "POST");
  const headers = target.origin === sent.target.origin ? sent.headers : withoutCredentials(sent.headers);
  if (!becomesGet) return { ...sent, target, headers };
  return { target, method: "GET", headers: withoutBodyHeaders(headers), body: null };
}
