import { Fault, reasonOf } from "@bulkhead/core";
import { Client } from "pg";

const CONNECT_MS_MAX = 5_000;

/**
 * One connection outside the pools, for who calls to end. Throws `service.unavailable` with the database's place, never its
 * password, and the plain reason.
 */
export async function openSession(databaseUrl: string, applicationName: string): Promise<Client> {
  try {
    const session = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      application_name: applicationName,
    });
    // A query that is under way tells when the connection breaks; between queries the next one does.
    session.on("error", () => undefined);
    await session.connect();
    return session;
  } catch (cause) {
    const internal = `The database at ${placeOf(databaseUrl)} can't be reached: ${reasonOf(cause)}`;
    throw new Fault("service.unavailable", { internal, cause });
  }
}

/** Host and port, or the folder of the socket, and database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "(not a URL)";
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${searchParams.get("host") ?? host}${pathname}`;
}
