import type { DatabaseServer } from "@bulkhead/core";
import { once } from "node:events";
import type { Client, Connection } from "pg";
import { CANCEL_MS_MAX } from "../bounds.ts";
import type { CheckTargetDeps } from "../check-target.ts";
import { clientOver } from "./client-over.ts";
import { dial } from "./dial.ts";

/** What the driver's types leave out. */
type Signed = Client & { processID: number | null; secretKey: number | null };
type Cancelling = Connection & {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
};

/**
 * Tells the server to end what a client's session is doing, by a connection of its own as the protocol has it. Resolves once
 * the server has heard it, or can't be told: then it is left to what the server does with sessions whose client is gone.
 */
export async function cancelQuery(
  deps: CheckTargetDeps,
  server: DatabaseServer,
  client: Client,
): Promise<void> {
  const { processID, secretKey } = client as Signed;
  if (processID === null || secretKey === null) return;
  const over = AbortSignal.timeout(CANCEL_MS_MAX);
  const { host, port, tls } = server;
  const dialled = await dial(deps, { host, port, secure: tls, ownPorts: [] }, over).catch(() => null);
  if (dialled === null) return;
  const connection = clientOver(server, dialled).connection as Cancelling;
  connection.on("error", () => undefined);
  if (tls) connection.once("connect", () => connection.requestSsl());
  connection.once(tls ? "sslconnect" : "connect", () => connection.cancel(processID, secretKey));
  // The server answers nothing: it ends the connection.
  const ended = once(connection, "end", { signal: over }).catch(() => undefined);
  connection.connect(port, dialled.host);
  await ended;
  dialled.socket.destroy();
}
