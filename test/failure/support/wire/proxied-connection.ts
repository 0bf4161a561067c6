import { connect, type Socket } from "node:net";

/** What the proxy does to the bytes of its connections. */
export type Way = { is: "open"; delayMs: number } | { is: "cut" } | { is: "swallowing" } | { is: "stalled" };

export type Toward = "server" | "client";

/** So much of what went by is remembered to find a text that lies across two chunks; characters. */
const TAIL_CHARS = 512;

/** One client and its connection to the server. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #wayNow: () => Way;
  readonly #isHeld: (text: string, toward: Toward) => boolean;
  readonly #stalled: (() => void)[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #delayed: (() => void)[] = [];
  readonly #tails = { server: "", client: "" };
  #dueAt = 0;
  #hasLost = false;
  #held = false;

  constructor(
    client: Socket,
    target: { host: string; port: number },
    wayNow: () => Way,
    isHeld: (text: string, toward: Toward) => boolean,
  ) {
    this.#client = client;
    this.#wayNow = wayNow;
    this.#isHeld = isHeld;
    this.#server = connect(target);
    // Chunks pass as they come: who says little wants it said at once.
    for (const socket of [client, this.#server]) socket.setNoDelay(true).on("error", () => this.destroy());
    client.on("data", (chunk: Buffer) => this.#pass(chunk, "server"));
    this.#server.on("data", (chunk: Buffer) => this.#pass(chunk, "client"));
    for (const [from, to] of [
      [client, this.#server],
      [this.#server, client],
    ] as const) {
      from.once("end", () => this.#later(() => to.end()));
      // A side that went away is not told of in a network that swallows.
      from.once("close", () => this.#later(() => to.destroy()));
    }
    if (wayNow().is === "cut") this.destroy();
  }

  ended(tell: () => void): void {
    let open = 2;
    for (const socket of [this.#client, this.#server]) socket.once("close", () => --open === 0 && tell());
  }

  destroy(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#delayed.splice(0);
    this.#client.destroy();
    this.#server.destroy();
  }

  heal(): void {
    if (this.#hasLost) return this.destroy();
    for (const deliver of this.#stalled.splice(0)) deliver();
  }

  #pass(chunk: Buffer, toward: Toward): void {
    const text = this.#tails[toward] + chunk.toString("latin1");
    this.#tails[toward] = text.slice(-TAIL_CHARS);
    this.#held ||= this.#isHeld(text, toward);
    const to = toward === "server" ? this.#server : this.#client;
    this.#later(() => to.write(chunk));
  }

  /** Does it when and if the network lets it through. */
  #later(deliver: () => void): void {
    const way = this.#held ? ({ is: "swallowing" } as const) : this.#wayNow();
    switch (way.is) {
      case "cut":
        return this.destroy();
      case "swallowing":
        this.#hasLost = true;
        return;
      case "stalled":
        this.#stalled.push(deliver);
        return;
      case "open":
        if (this.#hasLost) return;
        if (way.delayMs === 0 && this.#timers.size === 0) return deliver();
        this.#deliverIn(way.delayMs, deliver);
    }
  }

  /** Never before what was to be delivered earlier: timers of unlike length may ring in another order than they are due. */
  #deliverIn(delayMs: number, deliver: () => void): void {
    this.#delayed.push(deliver);
    this.#dueAt = Math.max(this.#dueAt, performance.now() + delayMs);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#delayed.shift()?.();
    }, this.#dueAt - performance.now());
    this.#timers.add(timer);
  }
}
