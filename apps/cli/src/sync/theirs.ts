import type { Bulkhead, ToolHash, ImportAnswer } from "@bulkhead/client";
import { importFolderOf } from "../folders/tool-record.ts";
import type { ToolRecord } from "../folders/loaded-folder.ts";
import { inParts } from "./import-parts.ts";
import { keyOf } from "./mine.ts";

/** Folders in one import, and tools that it deletes. */
const TOOLS_AT_ONCE = 1_000;
/** Many tools are checked one by one, and stored in one step. */
const IMPORT_MS_MAX = 120_000;

/** The server's tools, by name and owner. */
export async function readTheirs(client: Bulkhead): Promise<Map<string, ToolHash>> {
  const theirs = new Map<string, ToolHash>();
  for await (const tool of client.tools.hashes()) theirs.set(keyOf(tool), tool);
  return theirs;
}

/** A tool as it is sent: its record, and what has to be there; null: nothing. */
export interface Sent {
  key: string;
  record: ToolRecord;
  theirs: string | null;
}

export type Answered = ImportAnswer["tools"][number];

interface Sending {
  source: string | null;
  /** Tools to delete: by id, what each has to be. */
  remove: Readonly<Record<string, string>>;
  /** Is told of each part that was stored. */
  onStored: (answers: ReadonlyMap<string, Answered>, deleted: readonly Answered[]) => void;
}

/** What the server would do with each, by key; its faults among them. Nothing is stored. */
export async function foresee(client: Bulkhead, tools: readonly Sent[]): Promise<Map<string, Answered>> {
  const foreseen = new Map<string, Answered>();
  const query = { mode: "each", existing: "update", dryRun: "true" } as const;
  for (const part of partsOf(tools)) {
    const { answers } = await importPart(client, part, {}, query);
    for (const [key, answer] of answers) foreseen.set(key, answer);
  }
  return foreseen;
}

/** How many imports it takes to store the tools and to delete so many; each is stored whole or not at all. */
export const countParts = (tools: readonly Sent[], deletions: number): number =>
  Math.max([...partsOf(tools)].length, Math.ceil(deletions / TOOLS_AT_ONCE));

/** Stores all; each part in one step, for what was found on the server. Throws what the client throws. */
export async function send(
  client: Bulkhead,
  tools: readonly Sent[],
  { source, remove, onStored }: Sending,
): Promise<void> {
  const query = { mode: "all", existing: "update" } as const;
  const parts = [...partsOf(tools)];
  const gone = Object.entries(remove);
  // The first deletions go with the first tools: names that are given up may be taken in the same step.
  for (let at = 0; at < countParts(tools, gone.length); at += 1) {
    const leaving = gone.slice(at * TOOLS_AT_ONCE, (at + 1) * TOOLS_AT_ONCE);
    const terms = {
      ...(leaving.length > 0 ? { remove: Object.fromEntries(leaving) } : {}),
      ...(source === null ? {} : { source }),
    };
    const { answers, deleted } = await importPart(client, parts[at] ?? [], terms, query);
    onStored(answers, deleted);
  }
}

type Written = Sent & { folder: string; text: string };

const partsOf = (tools: readonly Sent[]): Iterable<Written[]> =>
  inParts(
    tools.map((one, at) => ({
      ...one,
      folder: folderOf(one, at),
      text: JSON.stringify(importFolderOf(one)),
    })),
    TOOLS_AT_ONCE,
  );

/** Unlike an agent's id, it may be the name of a folder. */
const folderOf = ({ record: { name, agentId } }: Sent, at: number): string =>
  agentId === undefined ? name : `${name}@${at}`;

type ImportQuery = NonNullable<Parameters<Bulkhead["tools"]["import"]>[1]>;

async function importPart(
  client: Bulkhead,
  part: readonly Written[],
  terms: object,
  query: ImportQuery,
): Promise<{ answers: Map<string, Answered>; deleted: Answered[] }> {
  const tools = Object.fromEntries(part.map((one) => [one.folder, importFolderOf(one)]));
  const isDry = query.dryRun === "true";
  const ifMatch = isDry
    ? {}
    : { ifMatch: Object.fromEntries(part.map(({ folder, theirs }) => [folder, theirs])) };
  // What was stored must not be sent again: its own trace would look like somebody else's.
  const options = { requestTimeoutMs: IMPORT_MS_MAX, ...(isDry ? {} : { retries: 0 }) };
  const answer = await client.tools.import({ tools, ...ifMatch, ...terms }, query, options);
  const byFolder = new Map(part.map(({ folder, key }) => [folder, key]));
  const answers = new Map<string, Answered>();
  const deleted: Answered[] = [];
  for (const one of answer.tools) {
    const key = byFolder.get(one.folder);
    if (one.outcome === "deleted") deleted.push(one);
    else if (key !== undefined) answers.set(key, one);
  }
  return { answers, deleted };
}
