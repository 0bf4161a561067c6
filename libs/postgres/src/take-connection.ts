import type { Pool, PoolClient } from "pg";
import { NoConnection } from "./sql-trouble.ts";

/**
 * A connection on which nothing is under way: one that came back within a transaction would lose what is written on it.
 * Throws `NoConnection`.
 */
export async function takeConnection(pool: Pool): Promise<PoolClient> {
  // Each that can't be used is ended, so the last one is new.
  for (let left = pool.options.max; left >= 0; left -= 1) {
    const connection = await connect(pool);
    if ((connection.getTransactionStatus() ?? "I") === "I") return connection;
    connection.release(true);
  }
  throw new NoConnection("each is within a transaction from its start");
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new NoConnection(error);
  }
}
