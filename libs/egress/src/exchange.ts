import type { Dispatcher } from "undici";
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { ACCEPT_ENCODING } from "./decode-body.ts";
import { isConnectionLoss } from "./describe-failure.ts";
import type { Outgoing } from "./outgoing.ts";

/** May be sent twice where the first try met a connection that the other side had just closed (RFC 9110, 9.2.2). */
const SAFE: readonly Outgoing["method"][] = ["GET", "HEAD", "OPTIONS"];

/** Headers for requests whose tool set none; `accept` is the fetch standard's. */
const DEFAULTS = [
  ["accept", "*/*"],
  ["user-agent", "bulkhead"],
] as const;

/** One request that was answered, and the connection that carries the answer's body. */
export class Exchange {
  readonly response: Dispatcher.ResponseData;
  readonly #giveBack: (reusable: boolean) => void;
  #ended = false;

  constructor(response: Dispatcher.ResponseData, giveBack: (reusable: boolean) => void) {
    this.response = response;
    this.#giveBack = giveBack;
  }

  /** Gives the connection back: for others where the body was read to its end, else it is closed. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { body } = this.response;
    const isRead = body.readableEnded && !body.errored;
    body.destroy();
    this.#giveBack(isRead);
  }
}

/** Where a request goes, and how long the head of its answer is waited for; milliseconds. */
export interface Sending {
  addresses: readonly Address[];
  waitMsMax: number;
}

/** Sends a request to one of the checked addresses. Rejects with the library's error, or the signal's reason. */
export async function send(
  pool: ConnectionPool,
  tenantId: string,
  outgoing: Outgoing,
  { addresses, waitMsMax }: Sending,
  signal: AbortSignal,
): Promise<Exchange> {
  const { origin } = outgoing.target;
  const options = { ...optionsOf(outgoing, signal), headersTimeout: waitMsMax };
  for (let fresh = false; ; fresh = true) {
    const connection = await pool.lend({ tenantId, origin, addresses, fresh }, signal);
    const giveBack = (reusable: boolean): void => pool.giveBack(tenantId, connection, reusable);
    try {
      return new Exchange(await connection.request(addresses, options), giveBack);
    } catch (error) {
      const again = mayRepeat(connection, outgoing, error) && !fresh && !signal.aborted;
      giveBack(false);
      if (!again) throw error;
    }
  }
}

const mayRepeat = (connection: Connection, { method }: Outgoing, error: unknown): boolean =>
  connection.isUsed && SAFE.includes(method) && isConnectionLoss(error);

function optionsOf(
  { target, method, headers, body }: Outgoing,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  const all = ["accept-encoding", ACCEPT_ENCODING, ...headers.flat()];
  for (const [name, value] of DEFAULTS) if (!headers.some(([given]) => given === name)) all.push(name, value);
  const path = target.url.pathname + target.url.search;
  return { origin: target.origin, path, method, headers: all, body, signal };
}
