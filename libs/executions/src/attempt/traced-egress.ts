import {
  listedHost,
  type EgressAnswer,
  type EgressReading,
  type EgressRequest,
  type EgressSession,
  type EgressUse,
  type PlacedSecret,
} from "@bulkhead/core";
import type { TraceSpan } from "@bulkhead/process/telemetry";

/** The methods that OpenTelemetry's conventions know; others are `OTHER`, since whoever asks makes them up. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]);
const ERROR_STATUS_MIN = 400;

/** Stands for a host that no list names: a tool can put anything into one. */
const OTHER = "_OTHER";

/** The hosts that may be told, and how their texts are covered. */
export interface HostTelling {
  /** The hosts of the tool and of its services, in the words of `allowedHosts`. */
  listed: readonly string[];
  cover: (text: string) => string;
}

/**
 * The session, with each request as a step of the trace, redirects included, until the head of its answer. Of the URL only
 * what `listed` says of its host is told, after `cover`; nothing of the trace goes out with the request.
 */
export const tracedEgress = (session: EgressSession, span: TraceSpan, telling: HostTelling): EgressSession =>
  span.isRecording ? new TracedEgress(session, span, telling) : session;

class TracedEgress implements EgressSession {
  readonly #session: EgressSession;
  readonly #span: TraceSpan;
  readonly #telling: HostTelling;

  constructor(session: EgressSession, span: TraceSpan, telling: HostTelling) {
    this.#session = session;
    this.#span = span;
    this.#telling = telling;
  }

  get requests(): number {
    return this.#session.requests;
  }
  get bytesIn(): number {
    return this.#session.bytesIn;
  }
  get bytesOut(): number {
    return this.#session.bytesOut;
  }

  get left(): EgressUse {
    return this.#session.left;
  }

  charge(used: EgressUse): void {
    this.#session.charge(used);
  }

  async fetch(request: EgressRequest, signal: AbortSignal, bodyId: number): Promise<EgressAnswer> {
    const { name, attributes } = clientSpan(request, this.#telling);
    const span = this.#span.begin(name, { kind: "client", attributes });
    const answer = await this.#session.fetch(request, signal, bodyId);
    endClientSpan(span, answer);
    return answer;
  }

  read(bodyId: number, signal: AbortSignal): Promise<EgressReading> {
    return this.#session.read(bodyId, signal);
  }

  withSecrets(secrets: readonly PlacedSecret[], waitMsMax?: number): EgressSession {
    const listed = [...this.#telling.listed, ...secrets.flatMap(({ secret }) => secret.hosts)];
    const session = this.#session.withSecrets(secrets, waitMsMax);
    return new TracedEgress(session, this.#span, { ...this.#telling, listed });
  }

  close(): void {
    this.#session.close();
  }
}

/** How a request out is told, without its path, query, headers and body. */
function clientSpan({ method, url }: Pick<EgressRequest, "method" | "url">, telling: HostTelling) {
  const known = METHODS.has(method.toUpperCase()) ? method.toUpperCase() : OTHER;
  return {
    name: known === OTHER ? "HTTP" : known,
    attributes: { "http.request.method": known, ...serverOf(url, telling) },
  };
}

/** A port is as free for a tool to choose as a host is, and told with it alone. */
function serverOf(url: string, { listed, cover }: HostTelling) {
  const target = URL.parse(url);
  if (target === null) return {};
  const port = target.port === "" ? (target.protocol === "http:" ? 80 : 443) : Number(target.port);
  const host = listedHost(listed, target.hostname, port);
  if (host === null) return { "server.address": OTHER };
  return { "server.address": cover(host), "server.port": port };
}

function endClientSpan(span: TraceSpan, answer: EgressAnswer): void {
  if (!answer.ok) return span.end(answer.code);
  span.set({ "http.response.status_code": answer.status });
  span.end(answer.status >= ERROR_STATUS_MIN ? String(answer.status) : null);
}
