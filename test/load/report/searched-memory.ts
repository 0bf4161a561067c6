import { newTenantId, TENANT_LIMITS_DEFAULT, TENANT_SETTINGS_DEFAULT } from "@bulkhead/core";
import { migrate, openDatabase, type Database } from "@bulkhead/postgres";
import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import { writeFile, type FileAsker } from "@bulkhead/tools/files";
import {
  hashedEmbeddings,
  MemoryKeeper,
  openMemoryEngine,
  searchMemory,
  type MemoryDeps,
} from "@bulkhead/tools/memory";
import { percentile } from "../load.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { inTurns, using, type Contender } from "./rounds.ts";

/** By default ten thousand chunks, ten a document; a run that means nothing needs fewer. */
const documentsOf = ({ seconds }: Pick<Settings, "seconds">): number => Math.min(1_000, seconds * 250);
const CHUNKS_A_DOCUMENT = 10;
const FILLED_PER_SECOND = 50;
const CALLS = 30;
const COLD_CALLS = 3;

/** Words as a language has them: some everywhere, most of them rare. */
const WORDS = Array.from(
  { length: 20_000 },
  (_, n) => `${((n * 7_919 + 13) % 99_991).toString(36)}${n % 7 === 0 ? "ing" : ""}`,
);
const wordAt = (n: number): string => WORDS[Math.floor(((n * 0.618_034) % 1) ** 3 * WORDS.length)] ?? "";
const sectionOf = (document: number, n: number): string =>
  `## Section ${n}\n\n${Array.from({ length: 180 }, (_, at) => wordAt(document * 1_009 + n * 181 + at * 7)).join(" ")}\n`;
const documentOf = (document: number): string =>
  Array.from({ length: CHUNKS_A_DOCUMENT }, (_, n) => sectionOf(document, n)).join("\n") +
  `\nneedle${document} in hay\n`;

/** Searches of one user's memory, as the use case does them. */
export const searchedMemory: Part = {
  name: "memory-search",
  title: "Searches of a memory",
  how:
    "1,000 documents of one user's memory with 10 chunks each, about 1,000 characters a chunk (with `--seconds` below 4 a quarter of them a second), vectors hashed; one caller's calls of the use case in this process, over the embedded PostgreSQL. " +
    "Cold: of a process that has searched nothing yet. Baseline: the list of the documents alone, by one bare statement.",
  expectSeconds: (settings) =>
    START_SECONDS + documentsOf(settings) / FILLED_PER_SECOND + settings.rounds * 20,
  measure: (settings) =>
    using<EmbeddedPostgres, Figure[]>(openPostgres({ throwaway: true }), async (postgres) => {
      await migrate(postgres.url);
      return using(openDatabase({ url: postgres.url, poolMax: 4 }), (database) =>
        using(Promise.resolve(openMemoryEngine(hashedEmbeddings)), (engine) =>
          measure(settings, { ...engine, ...database, configs: { open: async () => [] } }, database),
        ),
      );
    }),
};

async function measure(settings: Settings, deps: MemoryDeps, database: Database): Promise<Figure[]> {
  const asker = await openWorkspace(database);
  await fill(settings, deps, asker);
  const search = (query: string) => async (): Promise<void> => {
    const { results, notSearched } = await searchMemory(deps, asker, { query });
    if (results.length === 0 || notSearched.pending > 0)
      throw new Error(`${query} was found ${results.length} times, ${notSearched.pending} are not indexed`);
  };
  const common = [0, 1, 2, 3, 4, 5].map((n) => WORDS[n * 3]).join(" ");
  const calls: Contender<number[]>[] = [
    {
      name: "bare: the list of documents",
      run: () => timesOf(CALLS, () => database.memory.list([asker.workspace], 10_000)),
    },
    { name: "search: a word that is rare", run: () => timesOf(CALLS, search("needle7")) },
    { name: "search: six words that are common", run: () => timesOf(CALLS, search(common)) },
    {
      name: "search: six words, cold",
      run: () =>
        timesOf(COLD_CALLS, async () => {
          deps.weights.clear();
          await search(common)();
        }),
    },
  ];
  const measured = await inTurns(settings, calls);
  return calls.flatMap(({ name }, n): Figure[] =>
    [0.5, 0.95].map((share) => ({
      what: `${name}, p${share * 100}`,
      unit: "ms",
      rounds: (measured[n] ?? []).map((took) => percentile(took, share)),
    })),
  );
}

async function openWorkspace(database: Database): Promise<FileAsker> {
  const id = newTenantId();
  await database.tenants.create({
    id,
    slug: id.replace("_", "-"),
    name: "Memory",
    limits: TENANT_LIMITS_DEFAULT,
    settings: TENANT_SETTINGS_DEFAULT,
    createdAt: new Date(),
  });
  return { workspace: { tenantId: id, agentId: "agent", userId: "user" }, by: "key_1", seesAll: false };
}

/** Writes the documents, and waits until they are indexed as the worker does it. */
async function fill(settings: Settings, deps: MemoryDeps, asker: FileAsker): Promise<void> {
  const count = documentsOf(settings);
  settings.note(`writing and indexing ${count} documents`);
  for (let n = 0; n < count; n += 1)
    await writeFile(deps, asker, { path: `memory/${n % 50}/${n}.md`, content: Buffer.from(documentOf(n)) });
  const report = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error });
  };
  const keeper = new MemoryKeeper({ ...deps, report });
  for (;;) {
    await keeper.keep(new AbortController().signal);
    const documents = await deps.memory.list([asker.workspace], count);
    if (documents.every(({ index }) => index !== null)) return;
  }
}

/** Milliseconds in rising order; the first call is not among them. */
async function timesOf(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n <= calls; n += 1) {
    const began = performance.now();
    await call();
    if (n > 0) took.push(performance.now() - began);
  }
  return took.toSorted((one, other) => one - other);
}
