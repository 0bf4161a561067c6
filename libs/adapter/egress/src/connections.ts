import { Agent, buildConnector } from "undici";
import { type Address, readAddress } from "./address.ts";
import { CONNECT_MS_MAX, CONNECTIONS_MAX, KEEP_ALIVE_MS, RESPONSE_HEADER_BYTES_MAX } from "./bounds.ts";

export interface ConnectionsOptions {
  requestMsMax: number;
  /** Certificates of authorities to trust instead of the system's, as PEM. */
  ca: string | undefined;
  onOpen: (connections: Connections) => void;
  onClosed: (connections: Connections) => void;
}

/**
 * The connections of one run: made only to addresses that were checked, kept for its next request for a moment, and
 * never shared with another run, which could otherwise tell by the time who had spoken to a host before.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #checked = new Map<string, readonly Address[]>();
  #agent: Agent | undefined;
  #inUse = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Lends the agent; requests to `origin` go to one of `addresses` and nowhere else. */
  async use<T>(
    origin: string,
    addresses: readonly Address[],
    work: (agent: Agent) => Promise<T>,
  ): Promise<T> {
    this.#checked.set(origin, addresses);
    clearTimeout(this.#idle);
    this.#inUse += 1;
    try {
      return await work(this.#open());
    } finally {
      this.#inUse -= 1;
      if (this.#inUse === 0) this.#idle = setTimeout(() => void this.close(), KEEP_ALIVE_MS).unref();
    }
  }

  /** Ends all connections, in the middle of their requests where they have one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.destroy();
    this.#options.onClosed(this);
  }

  #open(): Agent {
    if (this.#agent) return this.#agent;
    const { requestMsMax } = this.#options;
    this.#agent = new Agent({
      connect: (options, done) => this.#connect(options, done),
      connections: CONNECTIONS_MAX,
      // HTTP/2 brings shared state, header compression and floods of its own, for nothing a few requests would feel.
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      headersTimeout: requestMsMax,
      bodyTimeout: requestMsMax,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
    this.#options.onOpen(this);
    return this.#agent;
  }

  #connect(options: buildConnector.Options, done: buildConnector.Callback): void {
    const { origin } = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const addresses = this.#checked.get(origin) ?? [];
    const connect = buildConnector({
      ...(this.#options.ca === undefined ? {} : { ca: this.#options.ca }),
      allowH2: false,
      timeout: CONNECT_MS_MAX,
      maxCachedSessions: 0,
      autoSelectFamily: true,
      // The name was looked up and checked; asking again could bring another answer.
      lookup: (_name, how, found) => answerLookup(addresses, how.all === true, found),
    });
    connect(options, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      // A host that is an address is connected to without a look-up, so this holds for it too.
      const reached = readAddress(socket.remoteAddress ?? "")?.text;
      if (addresses.some(({ text }) => text === reached)) return done(null, socket);
      socket.destroy();
      return done(new Error("connected to an address that was not checked"), null);
    });
  }
}

type Found = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

function answerLookup(addresses: readonly Address[], all: boolean, found: Found): void {
  const [first] = addresses;
  if (!first) found(new Error("no address was checked for this origin"), "");
  else if (all)
    found(
      null,
      addresses.map(({ text, family }) => ({ address: text, family })),
    );
  else found(null, first.text, first.family);
}
