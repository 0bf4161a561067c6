import { DEVICE_FRAME_BYTES_MAX, Fault } from "@bulkhead/core";
import { findConnecting, type ConnectDeps } from "@bulkhead/tenants";
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { answerOf } from "../edge/broken-request.ts";
import { asFault } from "../edge/problems.ts";
import { CLOSING_MS_MAX, HANDSHAKES, type Handshakes } from "./bounds.ts";
import type { DeviceHub } from "./device-hub.ts";

const CONNECT_PATH = "/api/v1/devices/connect";

/** For `fastify`: any other upgrade that a client offers is passed over, and the request answered as it is. */
export const DEVICE_UPGRADES = {
  shouldUpgradeCallback: ({ url, headers }: IncomingMessage): boolean =>
    url?.split("?")[0] === CONNECT_PATH && headers.upgrade?.toLowerCase() === "websocket",
} as const;

export interface DeviceSocketDeps extends ConnectDeps {
  hub: Pick<DeviceHub, "isFull" | "accept">;
  handshakes?: Readonly<Handshakes>;
}

/** An option of `ws` that its types don't know. */
const CLOSING = { closeTimeout: CLOSING_MS_MAX } as const;

/** Lets devices in, by web socket; whoever is refused gets a problem, as over any route. */
export function acceptDevices(app: FastifyInstance, deps: DeviceSocketDeps): void {
  const server = new WebSocketServer({
    ...CLOSING,
    noServer: true,
    maxPayload: DEVICE_FRAME_BYTES_MAX,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const find = finder(deps);
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", ignore);
    find(request)
      .then((connecting) => {
        // Only who has a token is told of the room that there is.
        if (deps.hub.isFull) throw noRoom("This process takes no more devices now; try again.");
        socket.off("error", ignore);
        if (socket.destroyed) return;
        server.handleUpgrade(request, socket, head, (opened) => void deps.hub.accept(connecting, opened));
      })
      .catch((error: unknown) => {
        const fault = asFault(error as Error & { code: string; name: string });
        if (fault.status >= 500) app.log.error({ err: fault, internal: fault.internal }, fault.code);
        app.metrics.refused(fault.code);
        // A peer that never leaves would else keep its half of the connection.
        socket.end(answerOf(fault, CONNECT_PATH), () => socket.destroy());
      });
  });
}

const ignore = (): void => undefined;

const noRoom = (detail: string): Fault => new Fault("device.no_room", { detail });

/** Finds whose token a request has, of so many requests at one time; a place is taken until its look-up has ended. */
function finder({ handshakes: { max, ms } = HANDSHAKES, ...deps }: DeviceSocketDeps) {
  let open = 0;
  return async ({ headers, socket }: IncomingMessage) => {
    // A browser can't send the token, but whatever it sends was a page's idea.
    if (headers.origin !== undefined)
      throw new Fault("device.from_page", { detail: "Leave the header `Origin` out." });
    if (open >= max) throw noRoom("This process looks at too many devices' tokens now; try again.");
    open += 1;
    const found = findConnecting(deps, headers.authorization, socket.remoteAddress ?? "").finally(() => {
      open -= 1;
    });
    return inTime(found, ms);
  };
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const internal = `a device's token was looked up for ${ms} ms`;
    timer = setTimeout(() => reject(new Fault("service.unavailable", { internal })), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
