import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/client";
import { isStateless, mayPass, onceOnly, rpcError } from "./rpc.ts";

export interface RelayParts {
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Gives a message to the client at stdin and stdout. */
  write: (message: object) => void;
  /** How its user logs in anew. */
  login: string;
  /** Tells what the client can't be told; one line. */
  warn: (sentence: string) => void;
  fetch?: typeof fetch;
  /** Waits between two tries; ends early, without a fault, when the relay closes. */
  pause: (ms: number) => Promise<unknown>;
}

/** A request that the server has not answered yet. */
interface Open {
  message: JSONRPCRequest;
  leaving: AbortController;
  tries: number;
  /** Whether the server has it, so that its answer comes by itself, unless the session ends. */
  taken: boolean;
}

const HTTP_NOT_FOUND = 404;
const TRIES_MAX = 8;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 10_000;

/** A lost listening stream is opened again for as long as the relay lives. */
const RECONNECTION = {
  initialReconnectionDelay: PAUSE_MS,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Infinity,
};

/**
 * Carries messages between one client and the server's endpoint. What breaks on the way is made good: a request is sent again,
 * a call under an Idempotency-Key so that it runs once, and a session that the server has no more is opened anew.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #open = new Map<string | number, Open>();
  #transport: StreamableHTTPClientTransport;
  #initialize: JSONRPCRequest | undefined;
  /** Until the server has answered it, nothing else can name the session; a client in a pipe does not wait. */
  #opening: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;
  /** The answer to a session's own opening, which the client must not see twice. */
  #reopened: ((answer: JSONRPCMessage) => void) | undefined;
  #settled: () => void = () => {};
  #closed = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#transport = this.#connect();
  }

  /** A line of the client's; one that is no message of JSON-RPC is told and passed over. */
  async take(line: string): Promise<void> {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch (error) {
      return this.#parts.warn(
        `A line that is no message was passed over: ${(error as Error).message.slice(0, 200)}`,
      );
    }
    if (isJSONRPCRequest(message)) return this.#request(onceOnly(message));
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const cancelled = this.#open.get(message.params?.["requestId"] as string | number);
      if (cancelled !== undefined && isStateless(cancelled.message)) return this.#leave(cancelled);
    }
    await this.#opening;
    await this.#send(message).catch((error: unknown) =>
      this.#parts.warn(`A message was lost: ${String(error)}`),
    );
  }

  /** Settles when the client has the answers to all that it asked. */
  async answered(): Promise<void> {
    while (this.#open.size > 0) await new Promise<void>((resolve) => (this.#settled = resolve));
  }

  #forget(id: string | number): void {
    this.#open.delete(id);
    this.#settled();
  }

  /** Ends the session and all that goes on. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#transport.terminateSession().catch(() => {
      // A session that can't be ended ends by itself, 30 minutes after its last word.
    });
    await this.#transport.close();
  }

  #connect(): StreamableHTTPClientTransport {
    const { url, headers, fetch: ownFetch } = this.#parts;
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      reconnectionOptions: RECONNECTION,
      ...(ownFetch === undefined ? {} : { fetch: ownFetch }),
    });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- A transport has no other way.
    transport.onmessage = (message) => this.#receive(message);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- Likewise.
    transport.onerror = (error) => this.#lostStream(transport, error);
    return transport;
  }

  /** Nobody waits for the listening stream; whoever sends is told by its own fault. */
  #lostStream(transport: StreamableHTTPClientTransport, error: Error): void {
    const isStream =
      error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpFailedToOpenStream;
    if (isStream && this.#isGone(error) && transport === this.#transport)
      void this.#reopen().catch(this.#warn);
  }

  #warn = (error: unknown): void => {
    if (!this.#closed) this.#parts.warn(error instanceof Error ? error.message : String(error));
  };

  async #send(message: JSONRPCMessage, open?: Open): Promise<void> {
    const signal = open === undefined ? {} : { requestSignal: open.leaving.signal };
    const again = open === undefined ? {} : { onRequestStreamEnd: () => void this.#unanswered(open) };
    await this.#transport.send(message, { ...signal, ...again });
  }

  async #request(message: JSONRPCRequest): Promise<void> {
    const open = { message, leaving: new AbortController(), tries: 0, taken: false };
    this.#open.set(message.id, open);
    if (isInitializeRequest(message)) {
      this.#initialize = message;
      this.#opening = this.#ask(open);
    } else {
      await this.#opening;
      await this.#ask(open);
    }
  }

  /** Sends a request until it is taken; what can't be sent is answered as a fault. */
  async #ask(open: Open): Promise<void> {
    while (this.#isOpen(open)) {
      open.taken = false;
      try {
        await this.#send(open.message, open);
        open.taken = true;
        return;
      } catch (error) {
        if (!this.#isOpen(open)) return;
        if (this.#isGone(error)) await this.#reopen().catch(this.#warn);
        else if (!mayPass(error)) return this.#fail(open, error);
        open.tries += 1;
        if (open.tries >= TRIES_MAX) return this.#fail(open, error);
        await this.#parts.pause(Math.min(PAUSE_MS * 2 ** open.tries, PAUSE_MS_MAX));
      }
    }
  }

  /** Its stream ended: without an answer, it is asked again. */
  async #unanswered(open: Open): Promise<void> {
    if (!this.#isOpen(open)) return;
    open.tries += 1;
    if (open.tries >= TRIES_MAX) return this.#fail(open, new Error("The answer broke off."));
    await this.#parts.pause(PAUSE_MS);
    await this.#ask(open);
  }

  #isOpen = ({ message, leaving }: Open): boolean =>
    !this.#closed && !leaving.signal.aborted && this.#open.get(message.id)?.leaving === leaving;

  #isGone = (error: unknown): boolean =>
    error instanceof SdkHttpError && error.status === HTTP_NOT_FOUND && this.#initialize !== undefined;

  /** Opens a session anew, once for all who find it gone, and asks again what the former one left unanswered. */
  #reopen(): Promise<void> {
    this.#reopening ??= this.#openAnew().finally(() => (this.#reopening = undefined));
    return this.#reopening;
  }

  async #openAnew(): Promise<void> {
    const initialize = this.#initialize;
    if (initialize === undefined || this.#closed) return;
    const former = this.#transport;
    this.#transport = this.#connect();
    await this.#transport.start();
    await former.close();
    const opening = { ...initialize, id: `bulkhead-${randomUUID()}` };
    const answer = await new Promise<JSONRPCMessage>((resolve, reject) => {
      this.#reopened = resolve;
      const onRequestStreamEnd = () => reject(new Error("The answer to a new session broke off."));
      this.#transport.send(opening, { onRequestStreamEnd }).catch(reject);
    });
    this.#settleVersion(answer);
    await this.#transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    // Whoever was about to send one that the server has not taken sends it by itself.
    for (const open of this.#open.values()) if (open.taken) void this.#ask(open);
  }

  #receive(message: JSONRPCMessage): void {
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message))
      return this.#parts.write(message);
    const { id } = message;
    if (typeof id === "string" && id.startsWith("bulkhead-")) return this.#reopened?.(message);
    // An answer that came before, by another try, was the one.
    const open = id === undefined ? undefined : this.#open.get(id);
    if (open === undefined || id === undefined) return;
    if (isInitializeRequest(open.message)) this.#settleVersion(message);
    this.#parts.write(message);
    this.#forget(id);
  }

  #settleVersion(answer: JSONRPCMessage): void {
    const version = isJSONRPCResultResponse(answer) ? answer.result["protocolVersion"] : undefined;
    if (typeof version === "string") this.#transport.setProtocolVersion(version);
  }

  #leave({ message, leaving }: Open): void {
    this.#forget(message.id);
    leaving.abort();
  }

  #fail({ message: { id } }: Open, error: unknown): void {
    this.#parts.write({ jsonrpc: "2.0", id, error: rpcError(error, this.#parts.login) });
    this.#forget(id);
  }

  start(): Promise<void> {
    return this.#transport.start();
  }
}
