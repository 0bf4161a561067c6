import { BODY_BYTES_MAX, PACKAGE_TOOLS_MAX } from "@bulkhead/contracts";
import {
  scopeOf,
  type PageMark,
  type TenantPrincipal,
  type Tool,
  type ToolCatalogue,
  type ToolStatus,
  type ToolStore,
  Fault,
} from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { requireNotBridged } from "../registry/bridged-rules.ts";
import { recordHashOf } from "../registry/record-hash.ts";
import { seenScope } from "../registry/read-tools.ts";
import { sourceOf } from "./mark-source.ts";
import type { ToolFolder } from "./tool-folder.ts";
import { folderOf } from "./write-folder.ts";

export interface ExportDeps {
  tools: Pick<ToolStore, "find">;
  catalogue: Pick<ToolCatalogue, "page" | "names">;
}

export interface ExportQuery {
  /** Undefined: all tools. */
  names?: readonly string[];
  status?: ToolStatus;
  /** Only this agent's own. */
  agentId?: string;
  /** Only what comes behind it, in the order of names. */
  after?: PageMark;
}

/** How many tools are read at a time: their code and schemas may be large. */
const READ_AT_ONCE = 10;
/** Bytes of JSON around the tools. */
const AROUND_BYTES = 64;

/**
 * The next tools in the order of their names, as many as one import takes; a tool that is larger than that comes alone.
 * `next` is null behind the last one. Throws `tool.not_found` for names that are none.
 */
export async function exportTools(
  deps: ExportDeps,
  principal: TenantPrincipal,
  query: ExportQuery,
): Promise<{ folders: Record<string, ToolFolder>; next: PageMark | null }> {
  const folders: Record<string, ToolFolder> = {};
  let bytes = AROUND_BYTES;
  let count = 0;
  let last: PageMark | null = null;
  for await (const tool of inOrder(deps, principal, query)) {
    const folder = folderOf(tool);
    const name = folderNameOf(tool);
    bytes += Buffer.byteLength(JSON.stringify(folder)) + name.length + 4;
    if (count === PACKAGE_TOOLS_MAX || (count > 0 && bytes > BODY_BYTES_MAX)) return { folders, next: last };
    folders[name] = folder;
    count += 1;
    last = { value: tool.name, id: tool.id };
  }
  return { folders, next: null };
}

/** Tools whose code is held at a time. */
const HASHED_AT_ONCE = 200;

/** A tool without what makes it large. */
export type HashedTool = Pick<
  Tool,
  "id" | "name" | "agentId" | "contentHash" | "version" | "status" | "pendingVersion" | "updatedAt"
> & { recordHash: string; source: string | null };

/** A page of the tools that an export holds, in the order of their names; `next` is null behind the last one. */
export async function listHashes(
  deps: ExportDeps,
  principal: TenantPrincipal,
  { limit, after }: { limit: number; after?: PageMark },
): Promise<{ tools: HashedTool[]; next: PageMark | null }> {
  const tools: HashedTool[] = [];
  for await (const tool of all(deps, principal, after === undefined ? {} : { after }, HASHED_AT_ONCE)) {
    const last = tools.at(-1);
    if (tools.length === limit && last) return { tools, next: { value: last.name, id: last.id } };
    const { id, name, agentId, contentHash, version, status, pendingVersion, updatedAt } = tool;
    const hashes = { recordHash: recordHashOf(tool), contentHash };
    tools.push({
      id,
      name,
      agentId,
      ...hashes,
      version,
      status,
      pendingVersion,
      updatedAt,
      source: sourceOf(tool),
    });
  }
  return { tools, next: null };
}

/** A tool of an agent's may have a name that others have too. */
const folderNameOf = ({ id, agentId, name }: Tool): string => (agentId === null ? name : `${name}@${id}`);

const inOrder = (deps: ExportDeps, principal: TenantPrincipal, query: ExportQuery): AsyncIterable<Tool> =>
  query.names ? named(deps, principal, query.names, query) : all(deps, principal, query);

async function* all(
  { catalogue }: Pick<ExportDeps, "catalogue">,
  principal: TenantPrincipal,
  { status, agentId, after }: ExportQuery,
  atOnce = READ_AT_ONCE,
): AsyncIterable<Tool> {
  const scope = await seenScope({ catalogue }, principal, scopeOf(principal));
  const asked = { scope, sort: "name", order: "asc", limit: atOnce, offset: 0 } as const;
  let mark = after ?? null;
  do {
    const page = await catalogue.page(principal.tenantId, {
      ...asked,
      ...(agentId === undefined ? {} : { agentId }),
      ...(status === undefined ? {} : { status }),
      ...(mark === null ? {} : { after: mark }),
    });
    // A server's tools come from their server wherever it is registered.
    yield* page.tools.filter(({ mcp }) => mcp === null);
    mark = page.next;
  } while (mark !== null);
}

async function* named(
  { tools }: Pick<ExportDeps, "tools">,
  principal: TenantPrincipal,
  names: readonly string[],
  { status, agentId, after }: ExportQuery,
): AsyncIterable<Tool> {
  const scope = scopeOf(principal, agentId);
  for (const name of [...new Set(names)].toSorted()) {
    if (after !== undefined && name <= String(after.value)) continue;
    const tool = await tools.find(principal.tenantId, name, scope);
    if (tool?.name !== name || !matches(tool, status, agentId) || !isSeen(principal, {}, tool)) {
      const message = `there is no tool ${JSON.stringify(name)}${status === undefined ? "" : ` that is ${status}`}`;
      throw new Fault("tool.not_found", { detail: `${message}.`, errors: [{ path: "names", message }] });
    }
    requireNotBridged(tool, "no package holds it. Register its server where it is to be.");
    yield tool;
  }
}

const matches = (tool: Tool, status: ToolStatus | undefined, agentId: string | undefined): boolean =>
  (status === undefined || tool.status === status) && (agentId === undefined || tool.agentId === agentId);
