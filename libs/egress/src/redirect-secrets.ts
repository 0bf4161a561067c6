import { allowsHost, PLACEHOLDER, portOf, type HeldSecret, type PlacedSecret } from "@bulkhead/core";
import type { Target } from "./parse-target.ts";
import type { SecretExchange } from "./secret-exchange.ts";
import { refuseRepeated, refuseSentOpenly } from "./secret-refusal.ts";
import { findWritten, holdsStart } from "./written-value.ts";

/** One fetch's secrets on its way from redirect to redirect. */
export class RedirectSecrets {
  /** Secrets that were sent in a URL or a body, which a server may repeat in a redirect in any form. */
  readonly sentOpenly = new Set<HeldSecret>();
  readonly #exchange: Pick<SecretExchange, "sentTo">;
  #isUrlSecret = false;

  constructor(exchange: Pick<SecretExchange, "sentTo">) {
    this.#exchange = exchange;
  }

  /** Whether a redirect wrote a possible secret into the URL, where no placeholder can stand. */
  get isUrlSecret(): boolean {
    return this.#isUrlSecret;
  }

  /**
   * The redirect's target, with placeholders for the values that its upstream wrote into the query. Throws a Refusal where
   * a value could reach a host that may not know it.
   */
  empty(location: string, from: Target): string {
    const known = this.#exchange.sentTo(from);
    const written = URL.parse(location, from.url);
    if (known.length === 0 || written === null) return location;
    const next = { host: written.hostname, port: portOf(written) };
    for (const { secret } of known) {
      if (allowsHost(secret.hosts, next.host, next.port)) continue;
      if (this.sentOpenly.has(secret)) throw refuseSentOpenly(secret, from.host);
      if (holdsStart(secret, location)) throw refuseRepeated(secret, from.host);
    }
    const { url, rest } = emptyQuery(location, written, from.url, known);
    for (const { secret } of known) {
      if (!rest.some((text) => holdsStart(secret, text))) continue;
      // The host may know it, but the tool may not.
      this.sentOpenly.add(secret);
      this.#isUrlSecret = true;
    }
    return url.href;
  }
}

/**
 * The URL with placeholders for the values in its query, and the other visible texts. The location as it was written is
 * searched before the URL, since a value may hold characters that end a path or a query.
 */
function emptyQuery(location: string, written: URL, base: URL, known: readonly PlacedSecret[]) {
  const text = known.reduce(putPlaceholder, location);
  const tidy = URL.parse(text, base);
  const isTidy = tidy !== null && !known.some(({ placeholder }) => outsideQuery(tidy).includes(placeholder));
  const url = isTidy ? tidy : written;
  // Beyond ASCII only the URL has the bytes by which a value is found.
  url.search = known.reduce(putPlaceholder, url.search);
  const rest = [isTidy ? text : location, url.href].map((seen) => seen.replace(PLACEHOLDER, " "));
  return { url, rest };
}

function putPlaceholder(text: string, { placeholder, secret }: PlacedSecret): string {
  const written = findWritten(secret);
  return written ? text.replace(written, placeholder) : text;
}

function outsideQuery(url: URL): string {
  const bare = new URL(url);
  bare.search = "";
  return bare.href;
}
