import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import type {
  EgressAnswer,
  EgressOpening,
  EgressRequest,
  EgressResponse,
  EgressSession,
  RunLimits,
} from "@bulkhead/core";
import { parseEgressAllow } from "./egress-allow.ts";
import { type EgressBrokerOptions, openEgressBroker } from "./egress-broker.ts";
import { plainScrubbers } from "./local-secrets.ts";

/** The servers that a test opened on this machine; `close` ends all of them, connections first. */
export class LocalOrigins {
  readonly #closing: (() => Promise<unknown>)[] = [];

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).toReversed()) await close();
  }

  /** Listens on a free loopback port and resolves to that port. */
  async listen(server: Server | TcpServer): Promise<number> {
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      // A client that gives up in the middle resets the connection: the tests' own subject, not a fault.
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    });
    const address: AddressInfo | string | null = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server has no port");
    return address.port;
  }

  async serve(handle: RequestListener): Promise<string> {
    return `http://127.0.0.1:${await this.listen(createServer(handle))}`;
  }

  /** Answers with the bytes that `talk` writes after a request, valid HTTP or not. */
  async serveRaw(talk: (socket: Socket) => void): Promise<string> {
    const server = createTcpServer((socket) => socket.once("data", () => talk(socket)));
    return `http://127.0.0.1:${await this.listen(server)}`;
  }

  openBroker(allow: string, options: Partial<EgressBrokerOptions> = {}): TestBroker {
    const parsed = parseEgressAllow(allow);
    if (!parsed.ok) throw new Error(parsed.faults.join());
    const broker = openEgressBroker({ allow: parsed.rules, scrubbers: plainScrubbers, ...options });
    this.#closing.push(() => broker.close());
    return {
      open: (limits = LIMITS, more = {}) => {
        const session = broker.open({
          tenantId: "ten_a",
          allowedHosts: null,
          secrets: [],
          ...more,
          limits,
        });
        this.#closing.push(() => Promise.resolve(session.close()));
        return new TestSession(session);
      },
      close: () => broker.close(),
    };
  }

  openSession(limits: Partial<RunLimits> = {}, options: Partial<EgressBrokerOptions> = {}): TestSession {
    return this.openBroker("127.0.0.0/8", options).open({ ...LIMITS, ...limits });
  }
}

export interface TestBroker {
  open(limits?: EgressOpening["limits"], more?: Partial<EgressOpening>): TestSession;
  close(): Promise<void>;
}

type Refused = Exclude<EgressAnswer, EgressResponse>;

/** A session whose responses are read to their end. */
export class TestSession {
  readonly session: EgressSession;
  #bodies = 0;

  constructor(session: EgressSession) {
    this.session = session;
  }
  get requests(): number {
    return this.session.requests;
  }

  /** The whole response, or the refusal of it or of a part of its body. */
  async fetch(request: EgressRequest, signal = never): Promise<EgressResponse | Refused> {
    const bodyId = ++this.#bodies;
    const answer = await this.session.fetch(request, signal, bodyId);
    if (!answer.ok) return answer;
    const bytes = [Buffer.from(answer.body, answer.bodyEncoding)];
    for (let { done } = answer; !done;) {
      const part = await this.session.read(bodyId, signal);
      if (!part.ok) return part;
      bytes.push(Buffer.from(part.body, part.bodyEncoding));
      ({ done } = part);
    }
    const whole = Buffer.concat(bytes);
    const bodyEncoding = isUtf8(whole) ? "utf8" : "base64";
    return { ...answer, body: whole.toString(bodyEncoding), bodyEncoding, done: true };
  }
}

/** Limits that no ordinary test reaches. */
export const LIMITS = { networkRequests: 20, bytesIn: 1_000_000, bytesOut: 1_000 };
/** A signal that doesn't fire. */
export const never = new AbortController().signal;

export function get(url: string, change: Partial<EgressRequest> = {}): EgressRequest {
  return { url, method: "GET", headers: [], body: null, bodyEncoding: "utf8", redirect: "follow", ...change };
}

/** The status of an answer, or why there is none. */
export function codeOf(answer: EgressAnswer): string | number {
  return answer.ok ? answer.status : answer.code;
}
