import { queryRows } from "./query-rows.ts";

/** The same server, another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** One statement, or several that no row comes of. */
export async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  await queryRows(adminUrl, statement);
}
