import { DEVICE_FRAME_BYTES_MAX, Fault } from "@bulkhead/core";
import { findConnecting, type ConnectDeps } from "@bulkhead/tenants";
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { answerOf } from "../edge/broken-request.ts";
import { asFault } from "../edge/problems.ts";
import { CLOSING_MS_MAX } from "./bounds.ts";
import type { DeviceHub } from "./device-hub.ts";

const CONNECT_PATH = "/api/v1/devices/connect";

/** For `fastify`: any other upgrade that a client offers is passed over, and the request answered as it is. */
export const DEVICE_UPGRADES = {
  shouldUpgradeCallback: ({ url, headers }: IncomingMessage): boolean =>
    url?.split("?")[0] === CONNECT_PATH && headers.upgrade?.toLowerCase() === "websocket",
} as const;

export interface DeviceSocketDeps extends ConnectDeps {
  hub: Pick<DeviceHub, "isFull" | "accept">;
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
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", ignore);
    void letIn(deps, request).then(
      (device) => {
        socket.off("error", ignore);
        if (socket.destroyed) return;
        server.handleUpgrade(request, socket, head, (opened) => void deps.hub.accept(device, opened));
      },
      (error: unknown) => {
        const fault = asFault(error as Error & { code: string; name: string });
        if (fault.status >= 500) app.log.error({ err: fault, internal: fault.internal }, fault.code);
        app.metrics.refused(fault.code);
        // A peer that never leaves would else keep its half of the connection.
        socket.end(answerOf(fault, CONNECT_PATH), () => socket.destroy());
      },
    );
  });
}

const ignore = (): void => undefined;

async function letIn(deps: DeviceSocketDeps, { headers, socket }: IncomingMessage) {
  // A browser can't send the token, but whatever it sends was a page's idea.
  if (headers.origin !== undefined)
    throw new Fault("device.from_page", { detail: "Leave the header `Origin` out." });
  if (deps.hub.isFull)
    throw new Fault("device.no_room", { detail: "This process takes no more devices now; try again." });
  return findConnecting(deps, headers.authorization, socket.remoteAddress ?? "");
}
