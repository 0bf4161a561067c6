import type { Pool, PoolClient, QueryResultRow } from "pg";
import { sparesConnection } from "../sql-trouble.ts";
import { takeConnection } from "../take-connection.ts";

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * The rows of a statement that ends with its caller: null where `signal` fired first, and the database then works on it no
 * longer. What goes wrong is thrown as the driver throws it, or as `NoConnection`.
 */
export async function cancellableQuery<Row extends QueryResultRow>(
  pool: Pool,
  { text, values }: Statement,
  signal: AbortSignal,
): Promise<Row[] | null> {
  const connection = await takeConnection(pool);
  let isUsable = true;
  const cancelling: Promise<void>[] = [];
  const cancel = (): void => void cancelling.push(cancelOn(pool, connection, text));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) return null;
    const { rows } = await connection.query<Row>(text, values);
    return signal.aborted ? null : rows;
  } catch (error) {
    isUsable = sparesConnection(error);
    // Nobody waits for the error of a cancelled statement, or of one whose caller has left.
    if (signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
    // A cancellation that came late would meet the next statement of its connection: so there is none.
    await Promise.all(cancelling);
    connection.release(cancelling.length > 0 || !isUsable);
  }
}

/** The server may know less of a statement's text, never less than this; bytes. */
const SEEN_LENGTH = 100;
/**
 * In SQL, since only the server ends a statement. Behind a pooler the driver's number is the pooler's own, and may be that of
 * another process, so the statement's text is compared too.
 */
const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND left(query, ${SEEN_LENGTH}) = left($2, ${SEEN_LENGTH})`;

/** Where the cancellation can't be sent, the statement's own bound ends it. */
async function cancelOn(pool: Pool, connection: PoolClient, text: string): Promise<void> {
  const { processID } = connection as PoolClient & { processID: number | null };
  if (processID === null) return;
  await pool.query(CANCEL, [processID, text]).catch(() => undefined);
}
