import type { Bulkhead, Me } from "@bulkhead/client";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { openClient, type Cli, type Define } from "../cli.ts";
import { Drafts } from "../dev/drafts.ts";
import { leasePath, takeLease } from "../dev/lease.ts";
import { agentOfDraft, draftAgent } from "../dev/namespace.ts";
import { Server } from "../dev/server.ts";
import { DevSession } from "../dev/session.ts";
import { Teller } from "../dev/teller.ts";
import { TypesFile } from "../dev/types-file.ts";
import { openExampleSchemas } from "../examples/check-schema.ts";
import { findExamples, type FoundExamples } from "../examples/find-examples.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { watchFolder, type LoadedFolder } from "../folders.ts";
import { faultOfFolder, findToolFolder, type ToolFolder } from "../input/tool-folder.ts";
import { TYPES_FILE } from "../project/project-files.ts";
import { withInterrupt } from "../terminal/interrupt.ts";

interface DevOptions {
  live?: true;
  /** Not set unless they are not wanted: a command that is filled as late as these gets no default for it. */
  types?: false;
  verbose?: true;
}

/** Between two looks at the folder; half of it is the mean time until a save is seen. */
const LOOK_EVERY_MS = 50;
/** Drafts are deleted for so long on leaving; what is left is taken over by the next session. */
const CLEANUP_MS_MAX = 5_000;

export const defineDev: Define = (command, act) => {
  command
    .argument("[folder]", "the folder of the tools", ".")
    .option("--live", "leave out what examples record: runs reach the network, services and other tools")
    .option("--no-types", `keep no ${TYPES_FILE} in the folder`)
    .option("-v, --verbose", "tell also how long each tool itself took to load")
    .addHelpText(
      "after",
      `
Each tool that changed is uploaded as a draft of an agent of your own, dev-<you>-…, where it replaces nobody's tool, and its
examples run as bulkhead test runs them. Try a draft by: bulkhead run <tool> --agent <that agent>. Ctrl-C deletes the drafts.`,
    )
    .action(act((cli, folder: string, options: DevOptions) => dev(cli, folder, options)));
};

async function dev(cli: Cli, said: string, options: DevOptions): Promise<void> {
  const connection = await cli.connection();
  const client = await openClient(connection);
  const folder = await findToolFolder(said, cli.env);
  const me = await client.me();
  const agent = draftAgent({ ...developerOf(me), folder: folder.root });
  const lease = await takeLease(leasePath([connection.url, me.tenant?.id ?? "", agent]));
  if (lease === null) throw runningFault(said);
  try {
    const drafts = new Drafts(client.tools);
    await drafts.adopt(agent);
    const teller = new Teller(cli.terminal, options.verbose ?? false);
    teller.watching(said, connection.url, agent);
    const leaving = new AbortController();
    const server = new Server((message) => teller.server(message), leaving.signal);
    const work = { client, folder, agent, drafts, teller, leaving, server };
    await withInterrupt(
      () => leaving.abort(),
      () => watch(work, options),
    );
  } finally {
    await lease.close();
  }
}

/** Two would upload, try and delete each other's drafts. */
const runningFault = (said: string): CliFault =>
  new CliFault(`Another bulkhead dev watches ${said === "." ? "this folder" : said}, and has its drafts.`, {
    exit: EXIT.refused,
    code: "cli.dev_running",
    next: "End that one first, or work in another clone of the folder.",
  });

/** Whose drafts they are. A key of an agent's or a viewer's makes none. */
function developerOf({ key: { role, agentId } }: Me): { name: string; host: string } {
  if (role !== "owner" && role !== "developer")
    throw new CliFault(`A key of the role ${role} can't upload drafts.`, {
      exit: EXIT.refused,
      code: "auth.forbidden",
      next: "Use the key of an owner or developer: --profile <name>",
    });
  return { name: agentId ?? loginName(), host: hostname() };
}

/** Empty for a user that has none, as in a container that is run as any number. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

interface Watching {
  client: Bulkhead;
  folder: ToolFolder;
  agent: string;
  drafts: Drafts;
  teller: Teller;
  leaving: AbortController;
  server: Server;
}

async function watch(watching: Watching, options: DevOptions): Promise<void> {
  const { client, folder, agent, drafts, teller, leaving, server } = watching;
  const { signal } = leaving;
  const schemas = openExampleSchemas();
  let failure: { error: unknown } | null = null;
  const session = new DevSession({
    client,
    checkSchema: schemas.checkSchema,
    root: folder.root,
    isLive: options.live ?? false,
    agent,
    drafts,
    server,
    teller,
    types: options.types === false ? null : typesFile(watching),
    signal,
    fail: (error) => {
      failure ??= { error };
      leaving.abort();
    },
  });
  try {
    await eachLook(watching, (loaded, found) => session.changed(loaded, found));
  } finally {
    leaving.abort();
    await session.settled();
    await schemas.close();
    await leave(watching);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

function typesFile({ client: { tools }, folder, agent, teller }: Watching): TypesFile {
  const file = join(folder.root, TYPES_FILE);
  return new TypesFile({ tools, file, agentId: agent }, (problem) => teller.types(TYPES_FILE, problem));
}

async function eachLook(
  { folder: { root, within, cacheFolder }, agent, drafts, server, leaving: { signal } }: Watching,
  changed: (loaded: LoadedFolder, found: FoundExamples) => void,
): Promise<void> {
  let found: FoundExamples | null = null;
  const also = async ({ tools }: LoadedFolder): Promise<readonly string[]> => {
    found = await findExamples(root, tools);
    return found.watched;
  };
  const adopted = new Set([agent]);
  try {
    for await (const loaded of watchFolder(root, {
      within,
      cacheFolder,
      everyMs: LOOK_EVERY_MS,
      signal,
      isWarm: true,
      also,
    })) {
      for (const { record } of loaded.tools) {
        const owner = agentOfDraft(agent, record.agentId);
        if (adopted.has(owner)) continue;
        adopted.add(owner);
        await server.untilAnswered(signal, () => drafts.adopt(owner));
      }
      if (found !== null) changed(loaded, found);
    }
  } catch (error) {
    if (!signal.aborted) throw faultOfFolder(error);
  }
}

/** Nothing of a session stays, where the server can be asked. */
async function leave({ agent, drafts, teller, server }: Watching): Promise<void> {
  const all = drafts.count;
  const left = server.isAway ? all : await drafts.removeAll(AbortSignal.timeout(CLEANUP_MS_MAX));
  teller.left(agent, all - left, left);
}
