import { newTenantId, TENANT_LIMITS_DEFAULT, TENANT_SETTINGS_DEFAULT } from "@bulkhead/core";
import { migrate, openDatabase, type Database } from "@bulkhead/postgres";
import { openPostgres, type EmbeddedPostgres } from "@bulkhead/standalone/stores";
import {
  globFiles,
  listFiles,
  openFileSearch,
  searchFiles,
  writeFile,
  type FileAsker,
  type FilesDeps,
} from "@bulkhead/tools/files";
import { percentile } from "../load.ts";
import { START_SECONDS, type Figure, type Part, type Settings } from "./part.ts";
import { inTurns, ratio, using, type Contender } from "./rounds.ts";

const MIB = 1024 * 1024;
/** By default ten thousand files, of which a hundred are large; a run that means nothing needs fewer. */
const filesOf = ({ seconds }: Pick<Settings, "seconds">): number => Math.min(10_000, seconds * 2_500);
const largeOf = ({ seconds }: Pick<Settings, "seconds">): number => Math.min(100, seconds * 25);
const FILLED_PER_SECOND = 150;
const CALLS = 20;
const SEARCHES = 3;

const LINE = "2026-11-27T00:00:00Z info the quick brown fox jumps over the lazy dog, again and again";
/** One of so many large files holds what is searched for. */
const HOLDERS = 10;
/** A large file of text, some with one line of their own. */
const textOf = (n: number): string =>
  `${`${LINE} ${n}\n`.repeat(MIB / (LINE.length + 4)).slice(0, MIB - 100)}\n${n % HOLDERS === 0 ? `error needle_${n} in hay` : LINE}\n`;

/** Lists, globs and searches of one workspace, as the use case does them. */
export const files: Part = {
  name: "files",
  title: "Files of a workspace",
  how:
    "10,000 files of one workspace in 400 folders, 100 of them of 1 MiB (with `--seconds` below 4 a quarter of both a second); one caller's calls of the use case in this process, over the embedded PostgreSQL. " +
    "Baselines: all paths by one bare statement, and `Buffer.indexOf` over the same bytes in memory.",
  expectSeconds: (settings) =>
    START_SECONDS + filesOf(settings) / FILLED_PER_SECOND + largeOf(settings) / 5 + settings.rounds * 30,
  measure: (settings) =>
    using<EmbeddedPostgres, Figure[]>(openPostgres({ throwaway: true }), async (postgres) => {
      await migrate(postgres.url);
      return using(openDatabase({ url: postgres.url, poolMax: 4 }), (database) =>
        using(Promise.resolve(openFileSearch()), (search) =>
          measure(settings, { files: database.files, tenants: database.tenants, search }, database),
        ),
      );
    }),
};

async function measure(settings: Settings, deps: FilesDeps, database: Database): Promise<Figure[]> {
  const asker = await openWorkspace(database);
  const large = await fill(settings, deps, asker);
  const all = { folder: "", denied: [], after: null, limit: filesOf(settings) };
  const layer = { workspace: asker.workspace, only: null, except: [] };
  const calls: Contender<number[]>[] = [
    { name: "bare: all paths", run: () => timesOf(CALLS, () => database.files.paths(layer, all)) },
    {
      name: "list: a page of 200",
      run: () => timesOf(CALLS, () => listFiles(deps, asker, { isRecursive: true, limit: 200 })),
    },
    {
      name: "list: the root's folders",
      run: () => timesOf(CALLS, () => listFiles(deps, asker, { limit: 200 })),
    },
    {
      name: "glob: **/*7.md",
      run: () => timesOf(CALLS, () => globFiles(deps, asker, { pattern: "**/*7.md", limit: 200 })),
    },
    {
      name: "glob: within a folder",
      run: () => timesOf(CALLS, () => globFiles(deps, asker, { pattern: "dir_7/**" })),
    },
    {
      name: "bare: Buffer.indexOf",
      run: () => timesOf(SEARCHES, async () => void large.indexOf("not there")),
    },
    {
      name: "search: a text that is rare",
      run: () =>
        timesOf(SEARCHES, () =>
          searchOf(deps, asker, "needle_\\d+ in", Math.ceil(largeOf(settings) / HOLDERS)),
        ),
    },
    {
      name: "search: a text that is nowhere",
      run: () => timesOf(SEARCHES, () => searchOf(deps, asker, "nowhere\\d", 0)),
    },
    {
      name: "search: no text that has to stand in it",
      run: () => timesOf(SEARCHES, () => searchOf(deps, asker, "[a-z]+\\d{5}", 0)),
    },
  ];
  const measured = await inTurns(settings, calls);
  const rounds = (name: string, share: number): number[] =>
    (measured[calls.findIndex((call) => call.name === name)] ?? []).map((took) => percentile(took, share));
  const figures = calls.flatMap(({ name }): Figure[] => [
    { what: `${name}, p50`, unit: "ms", rounds: rounds(name, 0.5) },
    { what: `${name}, p95`, unit: "ms", rounds: rounds(name, 0.95) },
  ]);
  const over = (what: string, bare: string): Figure =>
    ratio(`${what} over ${bare}`, rounds(what, 0.5), rounds(bare, 0.5));
  return [
    ...figures,
    over("glob: **/*7.md", "bare: all paths"),
    over("list: a page of 200", "bare: all paths"),
    over("search: a text that is rare", "bare: Buffer.indexOf"),
  ];
}

async function openWorkspace(database: Database): Promise<FileAsker> {
  const id = newTenantId();
  await database.tenants.create({
    id,
    slug: id.replace("_", "-"),
    name: "Files",
    limits: TENANT_LIMITS_DEFAULT,
    settings: TENANT_SETTINGS_DEFAULT,
    createdAt: new Date(),
  });
  return { workspace: { tenantId: id, agentId: "agent", userId: "user" }, by: "key_1", seesAll: false };
}

/** Answers the large files' bytes, one behind the other. */
async function fill(settings: Settings, deps: FilesDeps, asker: FileAsker): Promise<Buffer> {
  const [count, largeCount] = [filesOf(settings), largeOf(settings)];
  const write = (path: string, text: string) => writeFile(deps, asker, { path, content: Buffer.from(text) });
  const large = Array.from({ length: largeCount }, (_, n) => textOf(n));
  settings.note(`writing ${count} files`);
  for (const [n, text] of large.entries()) await write(`logs/large_${n}.log`, text);
  for (let n = largeCount; n < count; n += 1)
    await write(`dir_${n % 400}/part_${n % 7}/file_${n}.md`, `# File ${n}\n`);
  return Buffer.from(large.join(""));
}

/** Throws where it does not find what there is: that is no measurement. */
async function searchOf(deps: FilesDeps, asker: FileAsker, pattern: string, expected: number): Promise<void> {
  const { matches, cut } = await searchFiles(deps, asker, { pattern });
  if (matches.length !== expected || cut !== null)
    throw new Error(`${pattern} was found ${matches.length} times and not ${expected}, cut by ${cut}`);
}

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
