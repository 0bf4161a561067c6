import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import type { Address } from "../address.ts";
import { CONNECT_MS_MAX } from "../bounds.ts";
import { checkTarget, type CheckTargetDeps } from "../check-target.ts";
import { BLOCKED_PORTS } from "../parse-target.ts";
import { Refusal } from "../refusal.ts";

export interface Dialled {
  socket: Socket;
  /** As certificates name it: in lower case, an address without brackets. */
  host: string;
}

export interface DialledPlace {
  host: string;
  port: number;
  secure: boolean;
  /** Ports of the protocol that no web request may use. */
  ownPorts: readonly number[];
}

const IN_THE_CLEAR =
  "a connection in the clear is only for hosts that an operator allowed with EGRESS_ALLOW: use TLS";

/**
 * Connects to a place that the rules leave open, at exactly one of the addresses that were checked. Throws a `Refusal`, or what
 * the connection failed with.
 */
export async function dial(
  deps: CheckTargetDeps,
  place: DialledPlace,
  signal: AbortSignal,
): Promise<Dialled> {
  const host = readHost(place);
  const { port, secure } = place;
  const addresses = await checkTarget(deps, { host, port, secure, inTheClear: IN_THE_CLEAR });
  signal.throwIfAborted();
  const socket = connect({
    host,
    port,
    autoSelectFamily: true,
    noDelay: true,
    // The name was looked up and checked; asking again could bring another answer.
    lookup: (_name, _options, found) =>
      found(
        null,
        addresses.map(({ text, family }: Address) => ({ address: text, family })),
      ),
  });
  try {
    await once(socket, "connect", { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS_MAX)]) });
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw error;
  }
  // Who speaks over it hears of its errors too; without a listener one that comes in between would end the process.
  socket.on("error", () => undefined);
  return { socket, host };
}

/** The host in the one notation that the checks and the connection use. */
function readHost({ host, port, ownPorts }: DialledPlace): string {
  const url = URL.parse(`https://${isIP(host) === 6 ? `[${host}]` : host}/`);
  if (!url || url.pathname !== "/" || url.username !== "" || url.port !== "" || url.search !== "")
    throw new Refusal("invalid_request", "the service's host is neither a name nor an address");
  if (url.hostname.endsWith("."))
    throw new Refusal("egress_denied", "the host ends with a dot: leave it out");
  if (BLOCKED_PORTS.has(port) && !ownPorts.includes(port))
    throw new Refusal("egress_denied", `port ${port} is for another protocol`);
  return url.hostname.replace(/^\[|\]$/g, "");
}
