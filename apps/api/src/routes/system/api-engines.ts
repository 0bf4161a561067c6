import type { EngineFact } from "@bulkhead/core";

interface Extensions {
  extension(name: string): Promise<{ installed: string | null; offered: string | null }>;
}

/** The engines that are the API's and the database's. Throws `service.unavailable` where the database is away. */
export const apiEngines =
  (database: Extensions, model: { name: string } | null) => async (): Promise<EngineFact[]> => [
    pgvector(await database.extension("vector")),
    model === null
      ? { engine: "assist_model", available: false, detail: "MODEL_BASE_URL and MODEL_NAME are not set." }
      : { engine: "assist_model", available: true, detail: model.name },
  ];

function pgvector({ installed, offered }: { installed: string | null; offered: string | null }): EngineFact {
  const detail =
    installed ??
    (offered === null
      ? "The PostgreSQL server does not offer the extension."
      : `The server offers ${offered}; the database has not installed it.`);
  return { engine: "pgvector", available: installed !== null, detail };
}
