import { queryRows } from "./query-rows.ts";

/** The same server, another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Makes a database as another one is, by its files: block by block, as PostgreSQL would, takes it three times as long. */
export const copyDatabase = (adminUrl: string, name: string, template: string): Promise<void> =>
  asAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`);

/** One statement, or several that no row comes of. */
export async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  await queryRows(adminUrl, statement);
}
