import { createServer, type AddressInfo, type Server } from "node:net";
import { ProxiedConnection, type Toward, type Way } from "./proxied-connection.ts";

export interface Hold {
  /** What has to go by, as it stands in the bytes. */
  text: string;
  toward: Toward;
}

/** Stands between two parties on loopback and does to their bytes what networks do. */
export class TcpProxy {
  readonly #connections = new Set<ProxiedConnection>();
  readonly #server: Server;
  #way: Way = { is: "open", delayMs: 0 };
  #hold: { text: string; toward: Toward; seen: () => void } | null = null;
  target: { host: string; port: number };

  constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server;
    this.target = target;
    server.on("connection", (client) => {
      const connection = new ProxiedConnection(
        client,
        this.target,
        () => this.#way,
        (chunk, toward) => this.#holds(chunk, toward),
      );
      this.#connections.add(connection);
      connection.ended(() => this.#connections.delete(connection));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** The same URL, through this proxy. */
  through(url: string): string {
    const here = new URL(url);
    here.hostname = "127.0.0.1";
    here.port = String(this.port);
    return here.href;
  }

  /** Every chunk of both directions comes so much later, in order. */
  delay(delayMs: number): void {
    this.#way = { is: "open", delayMs };
  }

  /** Breaks every connection, and every new one at once, until `heal`. */
  cut(): void {
    this.#way = { is: "cut" };
    this.breakAll();
  }

  /** Breaks every connection; new ones are fine. */
  breakAll(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Swallows what both sides say and tells neither; new connections are taken and swallowed too. */
  halfOpen(): void {
    this.#way = { is: "swallowing" };
  }

  /** Keeps what both sides say back and delivers it, late, at `heal`: what packets sent again look like. */
  stall(): void {
    this.#way = { is: "stalled" };
  }

  /**
   * From the chunk on that has `text` in it, its connection is half-open, that chunk included. Resolves when that has
   * happened; one hold at a time.
   */
  hold({ text, toward }: Hold): Promise<void> {
    return new Promise((resolve) => {
      this.#hold = { text, toward, seen: resolve };
    });
  }

  /** Everything passes again. Connections that have lost bytes are broken: they could only go on with garbage. */
  heal(): void {
    this.#way = { is: "open", delayMs: 0 };
    this.#hold = null;
    for (const connection of this.#connections) connection.heal();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.breakAll();
    await closed;
  }

  #holds(text: string, toward: Toward): boolean {
    if (this.#hold?.toward !== toward || !text.includes(this.#hold.text)) return false;
    this.#hold.seen();
    this.#hold = null;
    return true;
  }
}

/** On a free port of 127.0.0.1. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return new TcpProxy(server, target);
}
