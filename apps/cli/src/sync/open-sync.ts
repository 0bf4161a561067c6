import { realpath } from "node:fs/promises";
import type { Bulkhead, ToolHash } from "@bulkhead/client";
import { openClient, type Cli } from "../cli.ts";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import type { ToolRecord } from "../folders/loaded-folder.ts";
import { repositoryOf } from "../folders/repository-of.ts";
import { gitPlaceOf } from "./git-place.ts";
import { type Mine, readMine } from "./mine.ts";
import { type Known, readState, sharedState, type SyncState, writeState } from "./state-file.ts";
import { type Answered, foresee, readTheirs, type Sent } from "./theirs.ts";
import { needsLook, standingOf, type Standing, type ThreeWay } from "./three-way.ts";

export interface SyncOptions {
  /** The folder; the one where the command runs unless said. */
  folder?: string | undefined;
  agent?: string | undefined;
}

/** A tool of either side and how it stands. */
export interface SyncRow {
  key: string;
  name: string;
  agentId: string | undefined;
  standing: Standing;
  sides: ThreeWay;
  /** Relative to the folder; undefined: only the server has it. */
  file: string | undefined;
  theirs: ToolHash | undefined;
  /** What the server would do with mine, where it was asked. */
  foreseen: Answered | undefined;
}

/** A folder and a server beside each other. */
export interface Sync {
  client: Bulkhead;
  /** The folder, as a real path. */
  root: string;
  /** Whose tools they are that say no owner. */
  owner: string | undefined;
  /** Where it is kept, as the server is told; null: nobody knows. */
  source: string | null;
  mine: Mine;
  rows: SyncRow[];
  /** Of this server and tenant. */
  known: Record<string, Known>;
  save(): Promise<void>;
}

/** Looks at both sides; asks the server to compare only what their hashes don't tell. */
export async function openSync(cli: Cli, { folder = ".", agent }: SyncOptions): Promise<Sync> {
  const root = await realpath(folder).catch((cause: Error) => {
    throw new CliFault(`${folder} can't be read: ${cause.message}`, {
      exit: EXIT.usage,
      code: "cli.folder_unreadable",
      next: "Say the folder of the tools: --folder <path>",
      cause,
    });
  });
  const connection = await cli.connection();
  const client = await openClient(connection);
  const { terminal } = cli;
  return terminal.during("Looking at the folder and the server…", async () => {
    const asked = client.me();
    // An agent's key makes that agent's own tools, and sees no other agent's.
    const owning = asked.then(({ key }) => key.agentId ?? agent);
    const reading = readFolder(root, cli.env, owning);
    const [me, theirs, { state, place, mine }, owner] = await Promise.all([
      asked,
      readTheirs(client),
      reading,
      owning,
    ]);
    if (agent !== undefined && owner !== agent)
      throw usageFault(
        `This is a key of the agent ${owner}, which has no tools of ${agent}.`,
        "Leave --agent out.",
      );
    if (me.tenant === null)
      throw usageFault("This is a key of the platform's administrator.", "Log in with one of a tenant.");
    // What was pushed for one agent is nothing to a push for another, or for the tenant.
    const of = owner === undefined ? "" : ` for ${owner}`;
    const known = (state.places[`${connection.url} ${me.tenant.id}${of}`] ??= Object.create(null) as Record<
      string,
      Known
    >);
    const kept = place?.source ?? null;
    const source = kept === null ? null : `${kept}${of}`;
    const rows = await rowsOf({ client, mine, theirs, known, source, agent: owner });
    const save = (): Promise<void> => writeState(root, stateToKeep(state, mine));
    return { client, root, owner, source, mine, rows, known, save };
  });
}

/** What the clone remembers, where it stands, and its tools; the server is asked meanwhile. */
async function readFolder(root: string, env: Cli["env"], owner: Promise<string | undefined>) {
  const [state, place] = await Promise.all([readState(root), gitPlaceOf(root, env)]);
  if (place?.hasState) throw sharedState(root);
  const within = repositoryOf(root) ?? root;
  const mine = await readMine({ root, within, env, owner, seen: state.seen }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== "UnreadableFolder") throw error;
    throw new CliFault(error.message, { exit: EXIT.usage, code: "cli.folder_unreadable", cause: error });
  });
  return { state, place, mine };
}

const stateToKeep = ({ places }: SyncState, mine: Mine): SyncState => ({ places, seen: mine.seen });

interface Sides {
  client: Bulkhead;
  mine: Mine;
  theirs: ReadonlyMap<string, ToolHash>;
  known: Readonly<Record<string, Known>>;
  source: string | null;
  agent: string | undefined;
}

async function rowsOf(sides: Sides): Promise<SyncRow[]> {
  const { client, mine, theirs, known, source, agent } = sides;
  const owners = new Set([agent, ...[...mine.tools.values()].map(({ agentId }) => agentId)]);
  for (const key of Object.keys(known)) owners.add(ownerIn(key));
  const there = [...theirs].filter(([, { agentId }]) => owners.has(agentId)).map(([key]) => key);
  const keys = [...new Set([...mine.tools.keys(), ...Object.keys(known), ...there])].toSorted();
  const hasErrors = mine.faults.some(({ severity }) => severity === "error");
  const looks = keys.map((key) => ({ key, sides: sidesOf(key, sides, source, hasErrors) }));
  const unsure = looks.filter((look) => needsLook(look.sides)).map(({ key }) => key);
  const records = unsure.length > 0 ? await mine.records() : new Map<string, ToolRecord>();
  const sent = unsure.flatMap((key): Sent[] => {
    const record = records.get(key);
    return record === undefined ? [] : [{ key, record, theirs: null }];
  });
  const foreseen = await foresee(client, sent);
  return looks.map(({ key, sides: both }) => {
    const answer = foreseen.get(key);
    const at = key.indexOf("@");
    return {
      key,
      name: at < 0 ? key : key.slice(0, at),
      agentId: ownerIn(key),
      standing: standingOf(both, answer?.outcome === "unchanged"),
      sides: both,
      file: mine.tools.get(key)?.file ?? (both.isFaulty ? known[key]?.file : undefined),
      theirs: theirs.get(key),
      foreseen: answer,
    };
  });
}

const ownerIn = (key: string): string | undefined => {
  const at = key.indexOf("@");
  return at < 0 ? undefined : key.slice(at + 1);
};

function sidesOf(
  key: string,
  { mine, theirs, known }: Sides,
  source: string | null,
  hasErrors: boolean,
): ThreeWay {
  const [here, there, was] = [mine.tools.get(key), theirs.get(key), known[key]];
  // Without a state, as in a fresh clone, the server's word for what this repository pushed is as good.
  const isOurs = source !== null && there?.source === source;
  const base = was ?? (isOurs ? { mine: null, theirs: there.recordHash } : undefined);
  return {
    mine: here?.hash,
    theirs: there?.recordHash,
    base,
    // Whatever a faulty file would have been: a fault of a module takes all of its tools away.
    isFaulty: here === undefined && base !== undefined && hasErrors,
  };
}

/** The rows that are meant; all where none is named. Throws where a name is none of either side's. */
export function chosen(rows: readonly SyncRow[], names: readonly string[]): SyncRow[] {
  if (names.length === 0) return [...rows];
  const wanted = new Set(names);
  for (const name of names)
    if (!rows.some((row) => row.name === name || row.key === name))
      throw new CliFault(`Neither the folder nor the server has a tool ${name}.`, {
        exit: EXIT.refused,
        code: "cli.tool_unknown",
        next: "See which there are: bulkhead status",
      });
  return rows.filter(({ name, key }) => wanted.has(name) || wanted.has(key));
}

/** Notes both sides of a tool as the same from now on. */
export function remember({ known, mine }: Pick<Sync, "known" | "mine">, key: string, theirs: string): void {
  const tool = mine.tools.get(key);
  if (tool !== undefined) known[key] = { mine: tool.hash, theirs, file: tool.file };
}
