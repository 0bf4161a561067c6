import { buildConnector, Client, type Dispatcher } from "undici";
import { type Address, readAddress } from "./address.ts";
import { CONNECT_MS_MAX, KEEP_ALIVE_MS, RESPONSE_HEADER_BYTES_MAX } from "./bounds.ts";

export interface ConnectionOptions {
  /** Certificates of authorities to trust instead of the system's, as PEM. */
  ca: string | undefined;
}

/** One connection to one origin; it carries one request at a time and goes only to addresses that were checked for it. */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  readonly #ca: string | undefined;
  #checked: readonly Address[] = [];
  /** The origin that it leads to, while it is open. */
  #reached: string | null = null;
  #requests = 0;

  /** `onLost` hears when the connection ends by itself or by the other side. */
  constructor(origin: string, { ca }: ConnectionOptions, onLost: () => void) {
    this.origin = origin;
    this.#ca = ca;
    this.#client = new Client(origin, {
      connect: (options, done) => this.#connect(options, done),
      // HTTP/2 brings shared state, header compression and floods of its own, for nothing a few requests would feel.
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
      // A request says how long it waits for a head. A body waits for its reader, and each read has a time of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
    this.#client.on("disconnect", () => {
      this.#reached = null;
      onLost();
    });
  }

  /** Whether it has carried a request before this one, so that the other side may have given it up meanwhile. */
  get isUsed(): boolean {
    return this.#requests > 1;
  }

  get isOpen(): boolean {
    return this.#reached !== null;
  }

  /** Whether it leads to one of these addresses now. */
  leadsTo(addresses: readonly Address[]): boolean {
    return addresses.some(({ text }) => text === this.#reached);
  }

  /** Sends to one of `addresses`, also where it has to connect anew. The body of the answer must be read or destroyed. */
  async request(
    addresses: readonly Address[],
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData> {
    this.#checked = addresses;
    this.#requests += 1;
    const response = await this.#client.request(options);
    // A cancelled body emits an error, which may have no listener any more.
    response.body.on("error", () => undefined);
    return response;
  }

  /** Ends it, in the middle of its request where it has one. */
  async close(): Promise<void> {
    await this.#client.destroy();
  }

  #connect(options: buildConnector.Options, done: buildConnector.Callback): void {
    const addresses = this.#checked;
    const connect = buildConnector({
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
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
      if (reached !== undefined && addresses.some(({ text }) => text === reached)) {
        this.#reached = reached;
        return done(null, socket);
      }
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
