import { Fault } from "@bulkhead/core";
import type { Pool, PoolClient, QueryResultRow } from "pg";
import { sparesConnection } from "../sql-trouble.ts";
import { takeConnection } from "../take-connection.ts";

/** Sends one statement and answers its rows. */
export type Ask = <Row extends QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

const asker =
  (connection: PoolClient): Ask =>
  async (text, values) =>
    (await connection.query(text, values)).rows;

/** Statements of their own, each on any connection. */
export const askPool =
  (pool: Pool): Ask =>
  (text, values) =>
    onConnection(pool, (ask) => ask(text, values));

/** All statements of `work` take effect together, or where it throws none does. */
export const inTransaction = <T>(pool: Pool, work: (ask: Ask) => Promise<T>): Promise<T> =>
  onConnection(pool, async (ask) => {
    await ask("BEGIN", []);
    try {
      const done = await work(ask);
      await ask("COMMIT", []);
      return done;
    } catch (error) {
      // Where the connection is broken the database has ended the transaction by itself; the first error tells why.
      await ask("ROLLBACK", []).catch(() => undefined);
      throw error;
    }
  });

async function onConnection<T>(pool: Pool, work: (ask: Ask) => Promise<T>): Promise<T> {
  const connection = await takeConnection(pool);
  let isUsable = true;
  try {
    return await work(asker(connection));
  } catch (error) {
    // What our own code throws within a transaction is no fault of the connection.
    isUsable = error instanceof Fault || sparesConnection(error);
    throw error;
  } finally {
    connection.release(!isUsable || (connection.getTransactionStatus() ?? "I") !== "I");
  }
}
