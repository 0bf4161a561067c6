import type { DatabaseAnswer, DatabaseQuery, DatabaseServer, OutsideRefused } from "@bulkhead/core";
import type { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { QUERY_MORE_MS_MAX, QUERY_WIRE_BYTES_MORE } from "../bounds.ts";
import type { CheckTargetDeps } from "../check-target.ts";
import { BoundedQuery } from "./bounded-query.ts";
import { dial, type Dialled } from "./dial.ts";
import { OutsideRefusal } from "./outside-refusal.ts";
import { describeQueryFailure, describeSignIn } from "./query-failure.ts";
import { requireStatement } from "./statement.ts";

/** Rounds of hashing that a server may ask for at the sign-in; PostgreSQL asks for 4,096. */
const SCRAM_ITERATIONS_MAX = 100_000;

const TOO_LONG = "the answer has rows that are longer than the bound takes; select fewer bytes of them";

/** What the driver's types leave out. */
type Config = ClientConfig & { scramMaxIterations: number };

/** One query over a connection of its own, which is ended whatever comes. Never rejects. */
export async function runQuery(
  deps: CheckTargetDeps,
  server: DatabaseServer,
  query: DatabaseQuery,
  signal: AbortSignal,
): Promise<DatabaseAnswer | OutsideRefused> {
  const late = AbortSignal.timeout(query.timeoutMs + QUERY_MORE_MS_MAX);
  const over = AbortSignal.any([signal, late]);
  try {
    const command = requireStatement(query.sql, server.writable);
    // Names and hex take more bytes on the wire than in JSON.
    const wireBytesMax = query.bytesMax * 2 + QUERY_WIRE_BYTES_MORE;
    return await overConnection(deps, { server, wireBytesMax, over }, (client) =>
      inTransaction(client, server, query, command),
    );
  } catch (error) {
    if (signal.aborted) return { ok: false, code: "aborted", message: "the run has given the query up" };
    if (late.aborted) return { ok: false, code: "timeout", message: "the database did not answer in time" };
    return describeQueryFailure(error, server).toAnswer();
  }
}

async function overConnection(
  deps: CheckTargetDeps,
  { server, wireBytesMax, over }: { server: DatabaseServer; wireBytesMax: number; over: AbortSignal },
  work: (client: Client) => Promise<DatabaseAnswer>,
): Promise<DatabaseAnswer> {
  const { host, port, tls } = server;
  const dialled = await dial(deps, { host, port, secure: tls, ownPorts: [] }, over);
  const client = new Client(configOf(server, dialled));
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  client.on("error", broken.reject);
  const end = (): void => {
    broken.reject(over.reason);
    dialled.socket.destroy();
  };
  over.addEventListener("abort", end);
  try {
    const connected = client.connect();
    boundWire(client, tls, wireBytesMax);
    await Promise.race([connected, broken.promise]).catch((error: unknown) => {
      throw over.aborted ? error : describeSignIn(error, server);
    });
    return await Promise.race([work(client), broken.promise]);
  } finally {
    over.removeEventListener("abort", end);
    // Nothing that a statement may have left in its session is met by another one.
    dialled.socket.destroy();
  }
}

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

/** A message of the server's is read whole before anybody sees it: beyond the bound the connection ends. */
function boundWire({ connection }: Client, tls: boolean, bytesMax: number): void {
  const count = (): void => {
    let bytes = 0;
    const { stream } = connection;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) stream.destroy(new OutsideRefusal("capability_limit", TOO_LONG));
    });
  };
  if (tls) connection.once("sslconnect", count);
  else count();
}

async function inTransaction(
  client: Client,
  server: DatabaseServer,
  query: DatabaseQuery,
  command: string,
): Promise<DatabaseAnswer> {
  await client.query(beginOf(server, query));
  const bounded = new BoundedQuery(query, command);
  client.query(bounded as unknown as { submit(): void });
  const answer = await bounded.answered;
  const { command: ended } = await client.query(server.writable ? "COMMIT" : "ROLLBACK");
  if (server.writable && ended !== "COMMIT")
    throw new OutsideRefusal("failed", "the database took the change back at its end");
  await client.end();
  return answer;
}

/** What a statement's own session may be is said for its transaction alone, which poolers between here and there keep. */
const beginOf = ({ writable }: DatabaseServer, { timeoutMs }: DatabaseQuery): string =>
  [
    `BEGIN TRANSACTION ${writable ? "READ WRITE" : "READ ONLY"}`,
    `SET LOCAL statement_timeout = ${timeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${QUERY_MORE_MS_MAX}`,
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL DateStyle = 'ISO'",
    "SET LOCAL IntervalStyle = 'iso_8601'",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL client_min_messages = 'error'",
  ].join("; ");
