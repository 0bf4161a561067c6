import type { DatabaseServer } from "@bulkhead/core";
import type { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import type { Dialled } from "./dial.ts";

/** Rounds of hashing that a server may ask for at the sign-in; PostgreSQL asks for 4,096. */
const SCRAM_ITERATIONS_MAX = 100_000;

/** What the driver's types leave out. */
type Config = ClientConfig & { scramMaxIterations: number };

/** A client that connects over what was dialled. */
export const clientOver = (server: DatabaseServer, dialled: Dialled): Client =>
  new Client(configOf(server, dialled));

/** Everything is said, so that no variable of the worker's environment and none of its files says it. */
const configOf = (server: DatabaseServer, dialled: Dialled): Config => ({
  host: dialled.host,
  port: server.port,
  database: server.database,
  user: server.user,
  password: server.password,
  ssl: server.tls ? { rejectUnauthorized: true, ...(server.ca !== null && { ca: server.ca }) } : false,
  application_name: "bulkhead",
  scramMaxIterations: SCRAM_ITERATIONS_MAX,
  stream: () => asConnecting(dialled.socket),
});

/** The driver connects what it is given; this one is connected already, to an address that was checked. */
function asConnecting(socket: Socket): Socket {
  return Object.assign(socket, {
    connect: () => {
      setImmediate(() => socket.emit("connect"));
      return socket;
    },
  });
}
