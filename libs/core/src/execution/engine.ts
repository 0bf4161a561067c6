import type { CapabilityName } from "./capability.ts";

/**
 * What parts of the product work by and not every deployment has, in the words in which people are told of it. A family's line
 * is under its name; a worker says of each family by itself whether it is there.
 */
const ENGINES = {
  files: "Files of workspaces",
  memory: "Search of the memory",
  data: "Documents in collections",
  shell: "Commands of a shell in JavaScript",
  db: "Queries to databases of others",
  email: "Messages by channels",
  schedule: "Schedules that tools make",
  nodes: "Paired devices",
  gateway: "Administration of the tenant by agents",
  browser: "Pages of the web in a browser",
  chromium: "Chromium, which draws pages and pictures",
  resvg: "Drawing of SVG where there is no Chromium",
  espeak_ng: "Speech by espeak-ng",
  web_search: "Search engine for tenants without one of their own",
  image_model: "Model that makes pictures for tenants without one of their own",
  speech: "Voice for tenants without one of their own",
  embeddings: "Model that memories are searched by",
  assist_model: "Model that drafts tools",
} as const satisfies Readonly<Record<CapabilityName, string>> & Record<string, string>;

/** One engine, as whoever looked for it has found it. */
export interface EngineFact {
  /** A name of `ENGINES`; no closed list here: workers of other versions are listed too. */
  engine: string;
  available: boolean;
  /** Its version or its place, or why it is not there; for people. */
  detail: string;
}

/** An engine over all that may have it. */
interface EngineStanding extends EngineFact {
  title: string;
  /** How many workers have it; null: it is the API's or the database's, of which every worker has the same. */
  workers: number | null;
}

const titleOf = (engine: string): string =>
  Object.entries<string>(ENGINES).find(([name]) => name === engine)?.[1] ?? engine;

/** What workers and the API have found, as one list in the order of `ENGINES`; a worker's is there once one worker has it. */
export function engineStandings(
  ofWorkers: readonly (readonly EngineFact[])[],
  ofApi: readonly EngineFact[],
): EngineStanding[] {
  const found = new Map<string, EngineStanding>();
  for (const fact of ofWorkers.flat()) {
    const { engine } = fact;
    const before = found.get(engine) ?? { ...fact, title: titleOf(engine), workers: 0 };
    const isFirst = fact.available && !before.available;
    found.set(engine, {
      ...before,
      ...(isFirst && fact),
      workers: (before.workers ?? 0) + (fact.available ? 1 : 0),
    });
  }
  for (const fact of ofApi) found.set(fact.engine, { ...fact, title: titleOf(fact.engine), workers: null });
  const order = Object.keys(ENGINES);
  const placeOf = ({ engine }: EngineStanding): number => order.indexOf(engine) + 1 || order.length + 1;
  return [...found.values()].toSorted((a, b) => placeOf(a) - placeOf(b));
}
