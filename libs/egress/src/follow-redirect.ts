import type { EgressRequest } from "@bulkhead/core";
import { REDIRECT_BODY_BYTES_MAX, REDIRECTS_MAX } from "./bounds.ts";
import type { Exchange } from "./exchange.ts";
import { isRedirect, type Outgoing, redirectTo } from "./outgoing.ts";
import type { RedirectSecrets } from "./redirect-secrets.ts";
import { Refusal } from "./refusal.ts";

/** The facts by which a redirect is judged. */
export interface Hop {
  mode: EgressRequest["redirect"];
  /** Redirects that were followed before it. */
  redirects: number;
  secrets: Pick<RedirectSecrets, "empty">;
  signal: AbortSignal;
}

/**
 * A header's bytes come as characters of one byte each, and many servers write UTF-8 there. As browsers do, each byte beyond
 * ASCII is taken as it came, so that the URL's parser does not encode it a second time.
 */
const escapeBytes = (location: string): string =>
  location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** The request that a redirect leads to, with placeholders for its secrets; null where the answer is for the tool. */
export async function followRedirect(
  exchange: Exchange,
  outgoing: Outgoing,
  { mode, redirects, secrets, signal }: Hop,
): Promise<Outgoing | null> {
  const { body, headers, statusCode } = exchange.response;
  const { location } = headers;
  if (mode === "manual" || !isRedirect(statusCode, location)) return null;
  try {
    await body.dump({ limit: REDIRECT_BODY_BYTES_MAX, signal });
  } finally {
    exchange.end();
  }
  if (mode === "error") {
    const reason = `${outgoing.target.host} answered with a redirect, which redirect: "error" refuses`;
    throw new Refusal("failed", reason);
  }
  if (redirects === REDIRECTS_MAX)
    throw new Refusal("failed", `there were more than ${REDIRECTS_MAX} redirects`);
  return redirectTo(outgoing, statusCode, secrets.empty(escapeBytes(location), outgoing.target));
}
