import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { PrismaClient } from "./generated/client.ts";

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

/** By how much an end is left to the database before this side gives up on the connection. */
const ANSWER_GRACE_MS = 2_000;

/** The statements that are worth preparing start with their name as a comment; it also shows in `pg_stat_activity`. */
const STATEMENT_NAME = /^\/\* ([a-z_.]{1,60}) \*\//;

/** The connections of one client. It connects with the first query and forgets connections that broke. */
export const openPool = (options: ClientOptions): Pool =>
  new Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectMsMax,
    statement_timeout: options.statementMsMax,
    idle_in_transaction_session_timeout: options.statementMsMax,
    // Covers a database that has stopped to answer at all.
    query_timeout: options.statementMsMax + ANSWER_GRACE_MS,
    keepAlive: true,
    options: PLANNING[options.planning],
  });

/** Prisma on the driver adapter; disconnecting it ends its pool too. */
export function openClient(options: ClientOptions, pool = openPool(options)): PrismaClient {
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    // An empty name is no name.
    statementNameGenerator: ({ sql }) => STATEMENT_NAME.exec(sql)?.[1] ?? "",
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
