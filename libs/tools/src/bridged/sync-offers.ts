import {
  Fault,
  isSameMcpServer,
  MCP_SERVER_TOOLS_MAX,
  mcpPin,
  type Clock,
  type JudgedChange,
  type McpOffer,
  type McpRegistry,
  type McpServer,
  type McpServerKey,
  type McpServerMark,
  type McpServerStore,
  type McpTools,
  type NewTool,
  type Tool,
  type ToolDefinition,
  type ToolStore,
} from "@bulkhead/core";
import { checkSchemas } from "../registry/check-definition.ts";
import { KeyedQueues } from "../registry/keyed-queues.ts";
import { repeatLostChange } from "../registry/repeat-lost-change.ts";
import type { ToolDeps } from "../registry/tool-deps.ts";
import { namesWanted, takeNames } from "./bridged-names.ts";
import { definitionOffered, nameFault, servicesNamed, setupOf, type OfferCover } from "./offered-tool.ts";
import { newTool } from "./new-tool.ts";
import { isRound, planKnown, planRestless, type Offered } from "./plan-sync.ts";
import { SyncRounds, type SyncLook } from "./sync-rounds.ts";
import { tellSync, type Synced } from "./tell-sync.ts";

export interface SyncDeps extends Pick<ToolDeps, "schemas" | "bus" | "tenantEvents" | "audit"> {
  servers: Pick<McpServerStore, "find">;
  mcpTools: McpTools;
  tools: Pick<ToolStore, "createAll" | "delete">;
  clock: Clock;
  /** Covers the secrets of these services of the tenant's, and what its scrub rules name. */
  cover(tenantId: string, services: readonly string[]): Promise<OfferCover>;
  /** Notes a tool that was left out, and why. */
  leftOut(server: McpServerKey, tool: string, why: string): void;
}

/** Two processes that sync one server at the same moment are rare: one connection is held at a time. */
const SYNC_TRIES_MAX = 5;
/** Changed tools that one transaction stores: each is a statement, and the new ones are one together. */
const CHANGED_AT_ONCE = 50;
/** Of one server, in this process. */
const WAITING_SYNCS_MAX = 8;

/**
 * Takes what servers offer into the registry. The first tools of a server are active, since a person has just registered it;
 * those that come later wait for a person, as changed ones do, which are not called meanwhile. Safe to repeat, and beside
 * another one: each writes for the state that it has read.
 */
export function openMcpRegistry(deps: SyncDeps): McpRegistry {
  // One after another: the later one has the server's last word, and finds nothing to do where that is the same.
  const queues = new KeyedQueues(WAITING_SYNCS_MAX, tooManyWait);
  const rounds = new SyncRounds();
  return {
    offered: (mark, offers) =>
      queues.inTurn(JSON.stringify([mark.tenantId, mark.name]), () => {
        const look = rounds.look(mark, deps.clock());
        return repeatLostChange(() => syncOnce(deps, look, mark, offers), { triesMax: SYNC_TRIES_MAX });
      }),
  };
}

const tooManyWait = (): Fault =>
  new Fault("tool.changed", { detail: `${WAITING_SYNCS_MAX} other syncs of the server wait already.` });

async function syncOnce(
  deps: SyncDeps,
  look: SyncLook,
  key: McpServerMark,
  offers: readonly McpOffer[],
): Promise<void> {
  const server = await findSame(deps, key);
  if (server === null) return;
  const taking = openTaking(deps, server);
  const offered = taking.read(offers);
  const known = await deps.mcpTools.ofServer(key);
  const changes: JudgedChange[] = [];
  const dropped: Tool[] = [];
  const setup = setupOf(server);
  let isARound = false;
  for (const one of known) {
    const name = one.tool.mcp?.tool ?? "";
    const offer = offered.get(name) ?? null;
    const plan = look.isRestless
      ? planRestless(one, offer?.pin ?? null, setup)
      : await planKnown(one, offer, setup);
    offered.delete(name);
    isARound ||= isRound(plan);
    if (plan === "drop") dropped.push(one.tool);
    else if (plan !== null) changes.push({ tool: one.tool, change: plan });
  }
  const created = look.isRestless ? [] : await newTools(deps, server, offered, known.length === 0);
  if (isARound || created.length > 0) look.note();
  const made = await store(deps, key, created, []);
  await tellSync(
    deps,
    key,
    made.map((after) => ({ before: null, after, change: {} })),
  );
  for (let from = 0; from < changes.length; from += CHANGED_AT_ONCE)
    await changeSome(deps, key, changes.slice(from, from + CHANGED_AT_ONCE));
  const gone: Synced[] = [];
  for (const tool of dropped)
    if (await deps.tools.delete(tool.tenantId, tool.id, tool.revision))
      gone.push({ before: tool, after: null, change: {} });
  await tellSync(deps, key, gone);
}

/** Null where it was deleted meanwhile, and its tools with it, or is set up otherwise: who connects to that one lists anew. */
async function findSame(
  { servers }: Pick<SyncDeps, "servers">,
  mark: McpServerMark,
): Promise<McpServer | null> {
  const server = await servers.find(mark);
  return server !== null && isSameMcpServer(server, mark) ? server : null;
}

/** Of a change that is lost the next look sees what it lost against; those before it are stored and told. */
async function changeSome(
  deps: SyncDeps,
  key: McpServerMark,
  changes: readonly JudgedChange[],
): Promise<void> {
  const stored = await store(deps, key, [], changes);
  await tellSync(
    deps,
    key,
    changes.map(({ tool, change }, index) => ({ before: tool, after: stored[index] ?? tool, change })),
  );
}

/** Reads offers: of a name that comes twice the first one counts, and no more are taken than a server may have. */
function openTaking(deps: SyncDeps, server: McpServer) {
  let cover: Promise<OfferCover> | undefined;
  const definition = async (offer: McpOffer): Promise<ToolDefinition | { fault: string }> => {
    cover ??= deps.cover(server.tenantId, servicesNamed(server));
    const covering = await cover;
    const name = covering.text(offer.name);
    const made = definitionOffered(server, offer, covering);
    const fault = name === offer.name ? await faultOf(deps, server, made) : "its name holds a secret.";
    if (fault === null) return made;
    deps.leftOut(server, name, fault);
    return { fault };
  };
  return {
    read(offers: readonly McpOffer[]): Map<string, Offered> {
      const read = new Map<string, Offered>();
      for (const offer of offers) {
        const fault = read.size < MCP_SERVER_TOOLS_MAX ? nameFault(offer.name) : TOO_MANY;
        if (fault !== null) deps.leftOut(server, offer.name, fault);
        else if (!read.has(offer.name))
          read.set(offer.name, { pin: mcpPin(offer), definition: () => definition(offer) });
      }
      return read;
    },
  };
}

const TOO_MANY = `a server has ${MCP_SERVER_TOOLS_MAX} tools at most`;

/** What is wrong with the schemas; null where nothing is. */
async function faultOf(
  { schemas }: Pick<SyncDeps, "schemas">,
  { tenantId }: McpServerKey,
  definition: ToolDefinition,
): Promise<string | null> {
  try {
    await checkSchemas(schemas, tenantId, definition);
    return null;
  } catch (error) {
    if (error instanceof Fault && error.status < 500) return error.detail;
    throw error;
  }
}

async function newTools(
  deps: SyncDeps,
  server: McpServer,
  offered: ReadonlyMap<string, Offered>,
  isFirst: boolean,
): Promise<NewTool[]> {
  const made: { wanted: ReturnType<typeof namesWanted>; definition: ToolDefinition }[] = [];
  for (const [tool, { definition }] of offered) {
    const version = await definition();
    if (!("fault" in version)) made.push({ wanted: namesWanted(server, tool), definition: version });
  }
  if (made.length === 0) return [];
  const all = made.flatMap(({ wanted: { names, aliases } }) => [...names, ...aliases]);
  const taken = new Set(await deps.mcpTools.taken(server.tenantId, all));
  return made.flatMap(({ wanted, definition }) => {
    const names = takeNames(wanted, taken);
    if (names !== null) return [newTool(deps, server, names, definition, isFirst)];
    deps.leftOut(
      server,
      definition.pinned?.tool ?? "",
      "the tenant has other tools of all names that it could have",
    );
    return [];
  });
}

/** In one step, as long as the server is as it was read. A name that somebody else has taken since is one more reason to look again. */
async function store(
  deps: SyncDeps,
  key: McpServerMark,
  created: readonly NewTool[],
  changes: readonly JudgedChange[],
): Promise<Tool[]> {
  if (created.length + changes.length === 0) return [];
  return deps.tools.createAll(created, changes, key).catch((cause: unknown) => {
    if (!(cause instanceof Fault) || cause.code !== "tool.name_taken") throw cause;
    throw new Fault("tool.changed", { detail: "Somebody else took a name of the server's tools.", cause });
  });
}
