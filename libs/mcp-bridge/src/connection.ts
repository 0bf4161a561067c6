import {
  MCP_MESSAGE_BYTES_MAX,
  type McpCallHooks,
  type McpOffer,
  type McpServer,
  type McpToolCall,
  type Needle,
  type Scrubber,
  type Scrubbers,
  type ServiceConfigs,
} from "@bulkhead/core";
import {
  type Client,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type StandardSchemaV1,
  type Transport,
} from "@modelcontextprotocol/client";
import {
  CONNECT_MS_MAX,
  GREETING_BYTES_MAX,
  GOODBYE_MS_MAX,
  LIST_PAGES_MAX,
  PING_MS_MAX,
  RESULT_VALUES_MAX,
} from "./bounds.ts";
import { BridgeError, bridgeErrorIn, cut, wordsOf } from "./bridge-error.ts";
import { buildClient, connectClient } from "./connect-client.ts";
import { NoteGauge } from "./note-gauge.ts";
import { openTransport, type TransportDeps } from "./open-transport.ts";
import { openValues } from "./open-values.ts";
import { ProcessTransport } from "./process-transport.ts";
import { refusal, type Refused } from "./refusal.ts";
import { RunningCall, runningCall } from "./running-call.ts";
import { isForgotten, refusalOf, sendCall } from "./send-call.ts";
import { settledOr } from "./settled-or.ts";
import { Offers } from "./take-offers.ts";
import { isWide } from "./wide-result.ts";

export interface ConnectionDeps extends TransportDeps {
  configs: Pick<ServiceConfigs, "open">;
  scrubbers: Pick<Scrubbers, "open">;
  /** Our own version, as servers are told it. */
  version: string;
  /** For the handshake; milliseconds. */
  connectMs: number;
}

export interface ConnectionHooks {
  /** Once, unless we close it; `reason` is covered. */
  onLost(reason: string): void;
  onListChanged(): void;
}

/** What the server has answered, or why there is no answer. */
type Answered = { ok: true; resultJson: string } | Refused;

/** Whoever reads the answer looks at its parts himself. */
const ANYTHING: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "bulkhead", validate: (value) => ({ value }) },
};

/** One connection to one server, from its handshake on. */
export class Connection {
  readonly #server: McpServer;
  readonly #hooks: ConnectionHooks;
  readonly #scrubber: Scrubber;
  readonly #needles: readonly Needle[];
  readonly #client: Client;
  readonly #calls = new Set<RunningCall>();
  #isGreeted = false;
  #isEnded = false;
  readonly #notes = new NoteGauge();

  private constructor(
    server: McpServer,
    hooks: ConnectionHooks,
    scrubber: Scrubber,
    needles: readonly Needle[],
    version: string,
  ) {
    this.#server = server;
    this.#hooks = hooks;
    this.#scrubber = scrubber;
    this.#needles = needles;
    this.#client = buildClient(version, server, () => hooks.onListChanged());
  }

  /** Rejects with an error whose words are covered; nothing is left of the connection then. */
  static async open(
    deps: ConnectionDeps,
    server: McpServer,
    hooks: ConnectionHooks,
    signal: AbortSignal,
  ): Promise<Connection> {
    const values = await openValues(deps.configs, server);
    const { needles } = values;
    const scrubber = deps.scrubbers.open({ needles, patterns: [] });
    const connection = new Connection(server, hooks, scrubber, needles, deps.version);
    try {
      const transport = await openTransport(deps, server, values, {
        onLost: (error) => connection.#lose(error),
        bytesMax: () => (connection.#isGreeted ? MCP_MESSAGE_BYTES_MAX : GREETING_BYTES_MAX),
      });
      await connection.#connect(deps, transport, signal);
      return connection;
    } catch (error) {
      throw new BridgeError(connection.wordsOf(error));
    }
  }

  get serverName(): string {
    return cut(this.cover(this.#client.getServerVersion()?.name ?? ""));
  }

  get serverVersion(): string {
    return cut(this.cover(this.#client.getServerVersion()?.version ?? ""));
  }

  get protocol(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? "";
  }

  cover(text: string): string {
    return this.#scrubber.text(text);
  }

  /** An error in words for people, covered. */
  wordsOf(error: unknown): string {
    return wordsOf(error, (text) => this.cover(text));
  }

  /** All that the server offers, covered, and why some of it was left out. */
  async list(signal: AbortSignal): Promise<{ offers: McpOffer[]; leftOut: ReadonlyMap<string, string> }> {
    const offers = new Offers();
    if (this.#client.getServerCapabilities()?.tools === undefined)
      return { offers: [], leftOut: offers.leftOut };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), CONNECT_MS_MAX);
    try {
      await this.#readPages(offers, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      throw late.signal.aborted
        ? new BridgeError(`the server's list of tools took longer than ${CONNECT_MS_MAX} ms`)
        : error;
    } finally {
      clearTimeout(timer);
    }
    return { offers: await this.#covered(offers.taken), leftOut: offers.leftOut };
  }

  async #readPages(offers: Offers, signal: AbortSignal): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < LIST_PAGES_MAX; page += 1) {
      const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } };
      const got = await this.#client.request(request, ANYTHING, { signal, timeout: CONNECT_MS_MAX });
      const { tools, nextCursor } = got as { tools?: unknown; nextCursor?: unknown };
      if (!Array.isArray(tools)) throw new BridgeError("the server's list of tools is no list");
      if (!offers.add(tools) || typeof nextCursor !== "string" || nextCursor === cursor) return;
      cursor = nextCursor;
    }
  }

  async ping(): Promise<void> {
    // The stateless revision knows no ping.
    const isModern = this.#client.getProtocolEra() === "modern";
    const request = { method: isModern ? "server/discover" : "ping" };
    await this.#client.request(request, ANYTHING, { timeout: PING_MS_MAX });
  }

  /** Sends a call and waits for its answer. Never rejects. */
  async call(
    call: McpToolCall,
    offer: McpOffer,
    hooks: McpCallHooks,
    signal: AbortSignal,
  ): Promise<Answered> {
    const running = new RunningCall(hooks, (text) => this.cover(text));
    const stop = new AbortController();
    this.#calls.add(running);
    try {
      const sent = runningCall.run(running, () =>
        sendCall(this.#client, call, offer, running, AbortSignal.any([signal, stop.signal])),
      );
      sent.catch(() => undefined);
      return await this.#answer(await Promise.race([sent, running.lost]));
    } catch (error) {
      if (signal.aborted) return refusal("aborted", "the call was cancelled");
      if (isForgotten(error)) this.#lose(new BridgeError("the server has forgotten the session"));
      // Where the stream was lost, the client waits still.
      stop.abort();
      return refusalOf(error, this.wordsOf(error), call.timeoutMs);
    } finally {
      running.end();
      this.#calls.delete(running);
    }
  }

  /** Ends the connection, with its process or its session. Calls that go on are lost. */
  async close(): Promise<void> {
    this.#isEnded = true;
    for (const call of this.#calls) call.lose(new BridgeError("the connection was closed"));
    const { transport } = this.#client;
    if (transport instanceof StreamableHTTPClientTransport) {
      // A courtesy, which nobody waits for long: a server that keeps sessions would keep this one until it forgets.
      const over = transport.terminateSession().catch(() => undefined);
      await settledOr(over, AbortSignal.timeout(GOODBYE_MS_MAX));
    }
    await this.#client.close();
  }

  async #connect(deps: ConnectionDeps, transport: Transport, signal: AbortSignal): Promise<void> {
    const client = this.#client;
    // The library's callbacks, which are no events.
    Object.assign(transport, { onmessage: (message: JSONRPCMessage) => this.#weigh(message) });
    // Such as an answer to nothing, or what is no message.
    Object.assign(client, { onerror: () => this.#count() });
    client.setNotificationHandler("notifications/message", ({ params }) => {
      // A stream of its own tells whose line it is; without one only a single call can be meant.
      const [only] = this.#calls;
      const call = runningCall.getStore() ?? (this.#calls.size === 1 ? only : undefined);
      call?.onLog(params.level, params.logger, params.data);
    });
    try {
      await connectClient(client, transport, deps.connectMs, signal);
      this.#isGreeted = true;
    } catch (error) {
      this.#isEnded = true;
      throw bridgeErrorIn(error) ?? failureOf(transport) ?? error;
    }
    const onclose = (): void => this.#lose(failureOf(transport) ?? new BridgeError("the connection ended"));
    Object.assign(client, { onclose });
  }

  /** Covers what this connection's server knows; all else is covered with the run. */
  async #answer(resultJson: string): Promise<Answered> {
    if (this.#needles.length === 0) return { ok: true, resultJson };
    const covered = await this.#scrubber.document(this.#server.tenantId, resultJson);
    if (covered === null) return refusal("protocol_error", "the server's answer is nested too deeply");
    return { ok: true, resultJson: covered.json };
  }

  async #covered(offers: McpOffer[]): Promise<McpOffer[]> {
    const covered = await this.#scrubber.document(this.#server.tenantId, JSON.stringify(offers));
    if (covered === null) throw new BridgeError("the server's list of tools is nested too deeply");
    return JSON.parse(covered.json) as McpOffer[];
  }

  /** What answers nothing is counted and weighed: a server that floods us is not listened to. */
  #weigh(message: JSONRPCMessage): void {
    if ("method" in message) return this.#count(message);
    // Of the older revisions we read lists of tools ourselves.
    const but = this.#client.getProtocolEra() === "modern" ? null : "tools";
    if ("result" in message && isWide(message.result, but))
      this.#lose(
        new BridgeError(`a result of the server's has more than ${RESULT_VALUES_MAX} parts`, "too_large"),
      );
  }

  #count(note?: object): void {
    const fault = this.#notes.add(note);
    if (fault !== null) this.#lose(new BridgeError(`the server sent ${fault}`));
  }

  #lose(error: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const reason = this.wordsOf(error);
    for (const call of this.#calls) call.lose(new BridgeError(reason, bridgeErrorIn(error)?.code));
    void this.#client.close();
    this.#hooks.onLost(reason);
  }
}

/** Why a process ended, where the transport has one. */
const failureOf = (transport: Transport): Error | null =>
  transport instanceof ProcessTransport ? transport.failure : null;
