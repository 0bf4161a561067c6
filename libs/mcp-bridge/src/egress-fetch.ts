import {
  MCP_MESSAGE_BYTES_MAX,
  portOf,
  type EgressAnswer,
  type EgressBroker,
  type EgressReading,
  type EgressResponse,
  type EgressSession,
  type PlacedSecret,
} from "@bulkhead/core";
import type { FetchLike } from "@modelcontextprotocol/client";
import { SENDS_OPEN_MAX, SILENCE_MS_MAX } from "./bounds.ts";
import { BridgeError } from "./bridge-error.ts";
import { EventGauge } from "./event-gauge.ts";
import { runningCall } from "./running-call.ts";

export interface EgressFetchInput {
  egress: Pick<EgressBroker, "open">;
  tenantId: string;
  url: URL;
  /** Of each request; a secret stands in them as its placeholder. */
  headers: Readonly<Record<string, string>>;
  secrets: readonly PlacedSecret[];
  /** Of one message of the server's, at this moment. */
  bytesMax(): number;
  /** Hears that a stream which answers no call of ours has ended: null by its server, an error where it broke. */
  onStreamEnd(error: Error | null): void;
}

const BODY_ID = 1;
const NULL_BODY = [204, 205, 304];

/** The body of one answer, and what is to be done when it ends. */
interface OpenAnswer {
  session: EgressSession;
  signal: AbortSignal;
  gauge: EventGauge;
  onEnd: (error: Error | null) => void;
  /** Of one whose body is not read. */
  close: () => void;
}

/**
 * `fetch` for the client's transports, by way of egress alone and to the server's own host. Each request has a session of its
 * own, so one that is given up ends with its connection and leaves the others.
 */
export function egressFetch(input: EgressFetchInput): FetchLike {
  const allowed = `${input.url.hostname}:${portOf(input.url)}`;
  const open = new Set<EgressSession>();
  return async (url, init = {}) => {
    if (open.size >= SENDS_OPEN_MAX)
      throw new BridgeError(`the server leaves ${SENDS_OPEN_MAX} requests without an answer`);
    const call = runningCall.getStore();
    const isCall = call?.isSentBy(init) === true;
    // In the course of a call only its own stream is asked for again.
    const endsWithCall = isCall || (call !== undefined && init.method === "GET");
    const signals = [...(init.signal ? [init.signal] : []), ...(endsWithCall ? [call.ended] : [])];
    const signal = AbortSignal.any(signals);
    const session = input.egress.open({
      tenantId: input.tenantId,
      limits: { networkRequests: 1, bytesIn: Number.MAX_SAFE_INTEGER, bytesOut: MCP_MESSAGE_BYTES_MAX },
      allowedHosts: [allowed],
      secrets: input.secrets,
      waitMsMax: SILENCE_MS_MAX,
    });
    open.add(session);
    const close = (): void => {
      open.delete(session);
      session.close();
    };
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
    const answer = await session.fetch(requestOf(url, init, input.headers), signal, BODY_ID);
    const gauge = new EventGauge(headerOf(answer, "content-type"), () => input.bytesMax());
    const onEnd = (error: Error | null): void => {
      close();
      if (!gauge.isStream) return;
      if (!isCall) input.onStreamEnd(error);
      // A stream whose events have names is asked for again by the client.
      else if (error !== null || !gauge.hasEventId)
        setImmediate(() =>
          call.lose(error ?? new BridgeError("the server ended the stream without an answer")),
        );
    };
    if (!answer.ok) {
      close();
      throw new BridgeError(answer.message);
    }
    return toResponse(answer, { session, signal, gauge, onEnd, close });
  };
}

const headerOf = (answer: EgressAnswer, name: string): string =>
  (answer.ok && answer.headers.find(([named]) => named.toLowerCase() === name)?.[1]) || "";

function requestOf(url: string | URL, init: RequestInit, own: Readonly<Record<string, string>>) {
  const headers = new Headers(own);
  // What the protocol needs is not the tenant's to change.
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  return {
    url: String(url),
    method: init.method ?? "GET",
    headers: [...headers],
    body: typeof init.body === "string" ? init.body : null,
    bodyEncoding: "utf8" as const,
    redirect: init.redirect ?? ("follow" as const),
  };
}

function toResponse(answer: EgressResponse, open: OpenAnswer): Response {
  const { status, headers } = answer;
  const statusText = /^[\x20-\x7e]*$/.test(answer.statusText) ? answer.statusText : "";
  const hasBody = !NULL_BODY.includes(status);
  if (!hasBody) open.close();
  return new Response(hasBody ? bodyOf(answer, open) : null, { status, statusText, headers });
}

/** Nothing more is taken from the server than the client asks for. */
function bodyOf(first: EgressResponse, { session, signal, gauge, onEnd, close }: OpenAnswer): ReadableStream {
  let part: EgressResponse | EgressReading = first;
  let isFirst = true;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (let isEmpty = true; isEmpty;) {
      if (!isFirst) part = await session.read(BODY_ID, signal);
      isFirst = false;
      if (!part.ok) throw new BridgeError(part.message);
      const bytes = Buffer.from(part.body, part.bodyEncoding);
      gauge.take(bytes);
      isEmpty = bytes.length === 0;
      if (!isEmpty) controller.enqueue(bytes);
      if (!part.done) continue;
      controller.close();
      return onEnd(null);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          await pull(controller);
        } catch (error) {
          const failure = error instanceof Error ? error : new Error(String(error));
          onEnd(failure);
          throw failure;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
