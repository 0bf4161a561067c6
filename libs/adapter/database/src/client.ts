import { PrismaPg } from "@prisma/adapter-pg";
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
}

/** By how much a statement's end is left to the database before this side gives up on the connection. */
const ANSWER_GRACE_MS = 2_000;

/** The statements that are worth preparing start with their name as a comment; it also shows in `pg_stat_activity`. */
const STATEMENT_NAME = /^\/\* ([a-z_.]{1,60}) \*\//;

/** Prisma on the driver adapter. It connects with the first query; its pool forgets connections that broke. */
export function openClient(options: ClientOptions): PrismaClient {
  const adapter = new PrismaPg(
    {
      connectionString: options.url,
      max: options.poolMax,
      application_name: options.applicationName,
      connectionTimeoutMillis: options.connectMsMax,
      statement_timeout: options.statementMsMax,
      idle_in_transaction_session_timeout: options.statementMsMax,
      // Covers a database that has stopped to answer at all.
      query_timeout: options.statementMsMax + ANSWER_GRACE_MS,
      keepAlive: true,
      // Planned with the values at hand, a batch touches the partitions of its ids by their primary key. A generic plan,
      // which PostgreSQL may choose while the tables are small, would scan everything between the first and last id.
      options: "-c plan_cache_mode=force_custom_plan",
    },
    // An empty name is no name.
    { statementNameGenerator: ({ sql }) => STATEMENT_NAME.exec(sql)?.[1] ?? "" },
  );
  return new PrismaClient({ adapter, errorFormat: "minimal" });
}
