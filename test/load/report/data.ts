import { newTenantId, TENANT_LIMITS_DEFAULT, TENANT_SETTINGS_DEFAULT, type JsonObject } from "@bulkhead/core";
import { migrate, openDatabase, type Database } from "@bulkhead/postgres";
import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import {
  getDocument,
  incrementDocument,
  putDocument,
  queryDocuments,
  type DataAsker,
  type DataDeps,
} from "@bulkhead/tools/data";
import { Client } from "pg";
import { percentile } from "../load.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { inTurns, ratio, using, type Contender } from "./rounds.ts";

/** By default a hundred thousand documents; a run that means nothing needs fewer. */
const documentsOf = ({ seconds }: Pick<Settings, "seconds">): number => Math.min(100_000, seconds * 25_000);
const FILLED_PER_SECOND = 5_000;
const CALLS = 200;
const SCANS = 10;

const collection = "orders";
const idOf = (n: number): string => `order_${n}`;

/** Documents of one collection, as the use case reads, changes and finds them. */
export const data: Part = {
  name: "data",
  title: "Custom data of one collection",
  how:
    "100,000 documents of some 250 bytes in one collection (with `--seconds` below 4 a quarter of them a second), and as many with the same fields in another tenant's; one caller's calls of the use case in this process, over the embedded PostgreSQL. " +
    "Baseline: a bare statement that reads a row by its key. What an index serves are equality, `in` and `contains`; ranges and orders look at every document.",
  expectSeconds: (settings) =>
    START_SECONDS + (2 * documentsOf(settings)) / FILLED_PER_SECOND + settings.rounds * 15,
  measure: (settings) =>
    using<EmbeddedPostgres, Figure[]>(openPostgres({ throwaway: true }), async (postgres) => {
      await migrate(postgres.url);
      return using(openDatabase({ url: postgres.url, poolMax: 4 }), (database) =>
        using(openClient(postgres.url), (client) => measure(settings, database, client)),
      );
    }),
};

async function openClient(url: string): Promise<Client & { close(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { close: () => client.end() });
}

async function measure(settings: Settings, database: Database, client: Client): Promise<Figure[]> {
  const deps: DataDeps = { data: database.data, tenants: database.tenants };
  const asker = await filledTenant(settings, deps, database, client);
  await filledTenant(settings, deps, database, client);
  await client.query("VACUUM ANALYZE data_documents");
  const count = documentsOf(settings);
  const find = (where: JsonObject, expected: number, orderBy?: string) => async (): Promise<void> => {
    const asked = { collection, where, limit: 50, ...(orderBy && { orderBy }) };
    const { documents } = await queryDocuments(deps, asker, asked);
    if (documents.length !== expected)
      throw new Error(`${JSON.stringify(where)} found ${documents.length} and not ${expected}`);
  };
  let n = 0;
  const any = (): string => idOf(1 + ((n += 7_919) % (count - 1)));
  const rows = "SELECT body FROM data_documents WHERE tenant_id = $1 AND collection_id = $2 AND id = $3";
  const { rows: found } = await client.query<{ collection_id: string }>(
    "SELECT collection_id FROM data_documents WHERE tenant_id = $1 LIMIT 1",
    [asker.workspace.tenantId],
  );
  const key = [asker.workspace.tenantId, found[0]?.collection_id];
  const calls: Contender<number[]>[] = [
    { name: "bare: a row by its key", run: () => timesOf(CALLS, () => client.query(rows, [...key, any()])) },
    { name: "get", run: () => timesOf(CALLS, () => getDocument(deps, asker, { collection, id: any() })) },
    {
      name: "put",
      run: () =>
        timesOf(CALLS, () =>
          putDocument(deps, asker, { collection: "written", id: any(), value: { n, status: "new" } }),
        ),
    },
    {
      name: "increment",
      run: () =>
        timesOf(CALLS, () => incrementDocument(deps, asker, { collection: "counters", id: "n", by: 1 })),
    },
    {
      name: "query: one of all has it",
      run: () => timesOf(CALLS, find({ "customer.email": "c77@example.com" }, 1)),
    },
    { name: "query: none has it", run: () => timesOf(SCANS, find({ "customer.email": "nobody" }, 0)) },
    { name: "query: half of all have it", run: () => timesOf(SCANS, find({ status: "open" }, 50)) },
    { name: "query: a page of all", run: () => timesOf(CALLS, find({}, 50)) },
    {
      name: "query: a range that one in ten meets",
      run: () => timesOf(SCANS, find({ total: { gte: 9_000 } }, 50)),
    },
    { name: "query: all in the order of a field", run: () => timesOf(SCANS, find({}, 50, "-total")) },
    {
      name: "query: half in the order of a field",
      run: () => timesOf(SCANS, find({ status: "open" }, 50, "customer.email")),
    },
  ];
  const measured = await inTurns(settings, calls);
  const rounds = (name: string, share: number): number[] =>
    (measured[calls.findIndex((call) => call.name === name)] ?? []).map((took) => percentile(took, share));
  const figures = calls.flatMap(({ name }): Figure[] => [
    { what: `${name}, p50`, unit: "ms", rounds: rounds(name, 0.5) },
    { what: `${name}, p95`, unit: "ms", rounds: rounds(name, 0.95) },
  ]);
  const bare = "bare: a row by its key";
  return [...figures, ratio(`get over ${bare}`, rounds("get", 0.5), rounds(bare, 0.5))];
}

/** Documents are written by one statement, which takes a hundredth of the time; what counts them is told of it. */
async function filledTenant(
  settings: Settings,
  deps: DataDeps,
  database: Database,
  client: Client,
): Promise<DataAsker> {
  const tenantId = newTenantId();
  const count = documentsOf(settings);
  await database.tenants.create({
    id: tenantId,
    slug: tenantId.replace("_", "-"),
    name: "Data",
    limits: { ...TENANT_LIMITS_DEFAULT, maxDocuments: 2 * count },
    settings: TENANT_SETTINGS_DEFAULT,
    createdAt: new Date(),
  });
  const workspace = { tenantId, agentId: "agent", userId: "user" };
  const asker = { workspace, by: "key_1", seesAll: false };
  settings.note(`writing ${count} documents`);
  await putDocument(deps, asker, { collection, id: idOf(0), value: {} });
  await client.query(FILL, [tenantId, count]);
  for (const table of ["data_collections", "data_usage"])
    await client.query(
      `UPDATE ${table} SET documents = documents + $2, bytes = bytes + $2 * 200 WHERE tenant_id = $1`,
      [tenantId, count],
    );
  return asker;
}

const FILL = `INSERT INTO data_documents
    (tenant_id, collection_id, id, body, version, bytes, created_at, created_by, updated_at, updated_by)
  SELECT $1, c.id, 'order_' || n, jsonb_build_object(c.id, jsonb_build_object(
      'status', CASE n % 2 WHEN 0 THEN 'open' ELSE 'done' END, 'total', n % 10000,
      'customer', jsonb_build_object('email', 'c' || n || '@example.com', 'city', 'city ' || n % 100),
      'tags', jsonb_build_array('tag' || n % 50, 'tag' || n % 7), 'note', 'the quick brown fox jumps over the lazy dog'
    )), 1, 200, now(), 'key_1', now(), 'key_1'
  FROM data_collections AS c, generate_series(1, $2::int) AS n WHERE c.tenant_id = $1`;

/** Milliseconds in rising order; the first call, which meets a cold cache, is not among them. */
async function timesOf(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n <= calls; n += 1) {
    const began = performance.now();
    await call();
    if (n > 0) took.push(performance.now() - began);
  }
  return took.toSorted((one, other) => one - other);
}
