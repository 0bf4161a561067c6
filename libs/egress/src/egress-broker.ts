import type { EgressBroker, EgressOpening, EgressSession, Scrubbers } from "@bulkhead/core";
import { LOOKUP_MS_MAX, REQUEST_MS_MAX } from "./bounds.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { compileEgressAllow, type EgressAllowRule } from "./egress-allow.ts";
import { BoundedSession, type CoverTally } from "./egress-session.ts";
import { buildLookup, type Lookup } from "./lookup.ts";

export interface EgressBrokerOptions {
  /** The rules that `parseEgressAllow` read. */
  allow: readonly EgressAllowRule[];
  /** Cover answers of hosts that may know a secret. */
  scrubbers: Pick<Scrubbers, "open">;
  /** By default covered values are not counted. */
  tally?: CoverTally;
  /** Default: the system's name servers. */
  lookup?: Lookup;
  /** To a response's head, redirects included, and for each further part of its body; milliseconds. */
  requestMsMax?: number;
  /** Certificates of authorities to trust instead of the system's, as PEM. */
  ca?: string;
}

/** Opens the only way out that tools have. A tenant's connections are kept for its own next requests and nobody else's. */
export function openEgressBroker(options: EgressBrokerOptions): EgressBroker {
  return new Broker(options);
}

class Broker implements EgressBroker {
  readonly #requestMsMax: number;
  readonly #allow;
  readonly #scrubbers;
  readonly #tally: CoverTally;
  readonly #lookup: Lookup;
  readonly #pool: ConnectionPool;
  readonly #closing = new AbortController();

  constructor(options: EgressBrokerOptions) {
    const { allow, scrubbers, tally, lookup, requestMsMax = REQUEST_MS_MAX, ca } = options;
    this.#requestMsMax = requestMsMax;
    this.#allow = compileEgressAllow(allow);
    this.#scrubbers = scrubbers;
    this.#tally = tally ?? (() => undefined);
    this.#lookup = lookup ?? buildLookup(LOOKUP_MS_MAX);
    this.#pool = new ConnectionPool({ ca });
  }

  open(opening: EgressOpening): EgressSession {
    const deps = {
      allow: this.#allow,
      lookup: this.#lookup,
      pool: this.#pool,
      scrubbers: this.#scrubbers,
      tally: this.#tally,
      requestMsMax: this.#requestMsMax,
      closing: this.#closing.signal,
    };
    return new BoundedSession(deps, opening);
  }

  /** Ends every connection; running requests fail. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.close();
  }
}
