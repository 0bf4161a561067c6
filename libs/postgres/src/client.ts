import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { PrismaClient } from "./generated/client.ts";
import { statementName } from "./statements.ts";

export interface ClientOptions {
  url: string;
  /** Connections of this process. */
  poolMax: number;
  /** Shown by the database beside each connection. */
  applicationName: string;
  /** How long to wait for a connection. */
  connectMsMax: number;
  /** How long one statement may take; the database ends it then. */
  statementMsMax: number;
  planning: keyof typeof PLANNING;
}

/**
 * `once`: statements by ids are planned once for each connection, as loops over the primary key, which stays right
 * whatever the ids are; planning was a third of the database's work for one call. `anew`: with the values at hand, for
 * lists and sweeps, where the right plan depends on them.
 */
const PLANNING = {
  once:
    "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off " +
    "-c enable_mergejoin=off",
  anew: "-c plan_cache_mode=force_custom_plan",
} as const;

/** It holds whatever the server's zone is: the adapter takes every time of the database for UTC, and writes its own as UTC. */
const ZONE = "-c TimeZone=UTC";

/** By how much an end is left to the database before this side gives up on the connection. */
const ANSWER_GRACE_MS = 2_000;

/** The connections of one client. It connects with the first query and forgets connections that broke. */
export function openPool(options: ClientOptions): Pool {
  const { url, startOptions } = splitOptions(options.url);
  const pool = new Pool({
    connectionString: url,
    max: options.poolMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectMsMax,
    statement_timeout: options.statementMsMax,
    idle_in_transaction_session_timeout: options.statementMsMax,
    // Covers a database that has stopped to answer at all.
    query_timeout: options.statementMsMax + ANSWER_GRACE_MS,
    keepAlive: true,
    options: `${startOptions} ${ZONE} ${PLANNING[options.planning]}`.trim(),
  });
  // A connection may break at any moment. While nobody uses it, it is forgotten, and the next statement takes another; what
  // is under way on it, or is begun at that moment, is told by its own statement. An event that nobody hears would end us.
  pool.on("error", ignore);
  pool.on("connect", (connection) => connection.on("error", ignore));
  return pool;
}

const ignore = (): void => undefined;

/** The URL's settings of sessions go before ours: the driver would take them instead of ours. */
function splitOptions(text: string): { url: string; startOptions: string } {
  const url = URL.parse(text);
  const startOptions = url?.searchParams.getAll("options").at(-1)?.trimStart() ?? "";
  // Some hosted databases have a name of theirs there, not a list of settings; it stands alone.
  if (url === null || !startOptions.startsWith("-")) return { url: text, startOptions: "" };
  url.searchParams.delete("options");
  return { url: url.href, startOptions };
}

/** Prisma on the driver adapter; disconnecting it ends its pool too. */
export function openClient(options: ClientOptions, pool = openPool(options)): PrismaClient {
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    // An empty name is no name.
    statementNameGenerator: ({ sql }) => statementName(sql) ?? "",
  });
  return new PrismaClient({
    adapter,
    errorFormat: "minimal",
    // A transaction may wait and work as long as any other call: by itself Prisma gives one up that waits for two seconds.
    transactionOptions: {
      maxWait: options.connectMsMax + ANSWER_GRACE_MS,
      timeout: options.statementMsMax + ANSWER_GRACE_MS,
    },
  });
}
