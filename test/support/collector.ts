import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A span as it was exported; times in milliseconds since 1970. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: string;
  start: number;
  end: number;
  attributes: Record<string, unknown>;
  events: { name: string; at: number }[];
  /** The message of an error status; null where there is none. */
  error: string | null;
  /** `service.name` of the process. */
  service: unknown;
}

/** A collector of telemetry on loopback, OTLP over HTTP as JSON. */
export interface Collector {
  readonly url: string;
  readonly headers: readonly IncomingHttpHeaders[];
  spansOf(traceId: string): Span[];
  /** All that was ever sent to it. */
  everything(): string;
  close(): Promise<void>;
}

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"];

type Json = ReturnType<typeof JSON.parse>;

const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

const read = (attributes: Json[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const toSpan = (span: Json, service: unknown): Span => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || null,
  name: span.name,
  kind: KINDS[span.kind] ?? String(span.kind),
  start: ms(span.startTimeUnixNano),
  end: ms(span.endTimeUnixNano),
  attributes: read(span.attributes),
  events: span.events.map((event: Json) => ({ name: event.name, at: ms(event.timeUnixNano) })),
  error: span.status.code === 2 ? (span.status.message ?? "") : null,
  service,
});

const spansIn = (body: Json): Span[] =>
  body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => toSpan(span, read(resource.attributes)["service.name"])),
    ),
  );

/** Takes all that is sent; with `answers` false it reads and never answers. */
export async function openCollector({ answers = true } = {}): Promise<Collector> {
  const spans: Span[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let everything = "";
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    everything += body;
    if (request.url === "/v1/traces") {
      headers.push(request.headers);
      spans.push(...spansIn(JSON.parse(body)));
    }
    if (answers) response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    spansOf: (traceId) => spans.filter((span) => span.traceId === traceId),
    everything: () => everything,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
