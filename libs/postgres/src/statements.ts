import { Query, type Pool, type PoolClient, type QueryResult } from "pg";
import { sparesConnection } from "./sql-trouble.ts";
import { takeConnection } from "./take-connection.ts";

/** Sends a statement: a Prisma client, its transaction, or the driver itself. Named and shaped as Prisma has it. */
export interface Statements {
  $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows>;
  /** Answers how many rows there were. */
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
}

/** The statements that are worth preparing start with their name as a comment; it also shows in `pg_stat_activity`. */
const STATEMENT_NAME = /^\/\* ([a-z_.]{1,60}) \*\//;

/** Undefined for one that is planned once and forgotten. */
export const statementName = (sql: string): string | undefined => STATEMENT_NAME.exec(sql)?.[1];

/**
 * Past Prisma, for the few statements that every call needs: they are SQL anyway, and half of what they cost this process
 * was turning their rows into Prisma's and back. Throws as the driver does, and `NoConnection`.
 */
export function driverStatements(pool: Pool): Statements {
  const send = async (text: string, values: unknown[]) => {
    const connection = await takeConnection(pool);
    let isUsable = true;
    try {
      return await query(connection, text, values);
    } catch (error) {
      // Its statements are planned on it, so it is kept where it is not to blame.
      isUsable = sparesConnection(error);
      throw error;
    } finally {
      connection.release(!isUsable);
    }
  };
  return {
    $queryRawUnsafe: async <Rows>(sql: string, ...values: unknown[]) =>
      (await send(sql, values)).rows as Rows,
    $executeRawUnsafe: async (sql, ...values) => (await send(sql, values)).rowCount ?? 0,
  };
}

/**
 * As `connection.query` of an object with a name, which the driver would copy, property by property: a twentieth of what a
 * call costs.
 */
function query(connection: PoolClient, text: string, values: unknown[]): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const statement = new Query(text, values);
    Object.assign(statement, {
      name: statementName(text),
      callback: (error: Error | null, result: QueryResult) => (error ? reject(error) : resolve(result)),
    });
    connection.query(statement);
  });
}
