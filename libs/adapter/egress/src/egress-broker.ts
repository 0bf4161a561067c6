import type { EgressBroker, EgressSession } from "@bulkhead/domain";
import { LOOKUP_MS_MAX, REQUEST_MS_MAX } from "./bounds.ts";
import { Connections } from "./connections.ts";
import { compileEgressAllow, type EgressAllowRule } from "./egress-allow.ts";
import { BoundedSession, type SessionLimits } from "./egress-session.ts";
import { buildLookup, type Lookup } from "./lookup.ts";

export interface EgressBrokerOptions {
  /** What `parseEgressAllow` read. */
  allow: readonly EgressAllowRule[];
  /** Default: the system's name servers. */
  lookup?: Lookup;
  /** For one fetch, redirects included; milliseconds. */
  requestMsMax?: number;
  /** Certificates of authorities to trust instead of the system's, as PEM. */
  ca?: string;
}

/** Opens the only way out that tools have. Nothing of one run (connections, limits, cookies) is seen by another. */
export function openEgressBroker(options: EgressBrokerOptions): EgressBroker {
  return new Broker(options);
}

class Broker implements EgressBroker {
  readonly #options: EgressBrokerOptions;
  readonly #allow;
  readonly #lookup: Lookup;
  readonly #open = new Set<Connections>();
  readonly #closing = new AbortController();

  constructor(options: EgressBrokerOptions) {
    this.#options = options;
    this.#allow = compileEgressAllow(options.allow);
    this.#lookup = options.lookup ?? buildLookup(LOOKUP_MS_MAX);
  }

  open(limits: SessionLimits): EgressSession {
    const requestMsMax = this.#options.requestMsMax ?? REQUEST_MS_MAX;
    const connections = new Connections({
      requestMsMax,
      ca: this.#options.ca,
      onOpen: (opened) => this.#open.add(opened),
      onClosed: (closed) => this.#open.delete(closed),
    });
    const closing = this.#closing.signal;
    const deps = { allow: this.#allow, lookup: this.#lookup, connections, requestMsMax, closing };
    return new BoundedSession(deps, limits);
  }

  /** Ends every connection; what is under way fails. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#open].map((connections) => connections.close()));
  }
}
