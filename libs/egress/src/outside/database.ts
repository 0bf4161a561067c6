import type { DatabaseAnswer, DatabaseQuery, DatabaseServer, OutsideRefused } from "@bulkhead/core";
import { DatabaseError, type Client } from "pg";
import { QUERY_MORE_MS_MAX, QUERY_WIRE_BYTES_MORE, STATEMENT_MORE_MS } from "../bounds.ts";
import type { CheckTargetDeps } from "../check-target.ts";
import { BoundedQuery } from "./bounded-query.ts";
import { cancelQuery } from "./cancel-query.ts";
import { clientOver } from "./client-over.ts";
import { dial } from "./dial.ts";
import { OutsideRefusal } from "./outside-refusal.ts";
import { describeQueryFailure, describeSignIn } from "./query-failure.ts";
import { requireStatement } from "./statement.ts";

const TOO_LONG = "the answer has rows that are longer than the bound takes; select fewer bytes of them";

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
  const client = clientOver(server, dialled);
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
    return await Promise.race([work(client), broken.promise]).catch(async (error: unknown) => {
      // What the server itself has not ended goes on in it, connection or not.
      if (!(error instanceof DatabaseError)) await cancelQuery(deps, server, client);
      throw error;
    });
  } finally {
    over.removeEventListener("abort", end);
    // Nothing that a statement may have left in its session is met by another one.
    dialled.socket.destroy();
  }
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
  const answer = await inTime(bounded.answered, query.timeoutMs);
  const { command: ended } = await client.query(server.writable ? "COMMIT" : "ROLLBACK");
  if (server.writable && ended !== "COMMIT")
    throw new OutsideRefusal("failed", "the database took the change back at its end");
  await client.end();
  return answer;
}

/** The server ends a statement whose time is over, unless that has lifted its own time-out between two portions of its rows. */
async function inTime<T>(answered: Promise<T>, timeoutMs: number): Promise<T> {
  const over = Promise.withResolvers<never>();
  const late = new OutsideRefusal("timeout", `the statement had not ended after its ${timeoutMs} ms`);
  const timer = setTimeout(() => over.reject(late), timeoutMs + STATEMENT_MORE_MS);
  try {
    return await Promise.race([answered, over.promise]);
  } finally {
    clearTimeout(timer);
  }
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
