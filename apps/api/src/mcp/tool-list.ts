import {
  builtInPoliciesOf,
  CONFIRMATION_META,
  type ToolDefinitions,
  type WrittenDefinitions,
} from "@bulkhead/agents";
import type { SignalBus, TenantPrincipal } from "@bulkhead/core";
import { sightOf } from "@bulkhead/policy";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { hash } from "node:crypto";
import { OWN_TOOLS, viewFor, type ListedTool, type View } from "./views.ts";

/** One page has at most so many tools, and ends behind the one that makes it larger than this many characters. */
const PAGE_TOOLS_MAX = 250;
const PAGE_CHARS_MAX = 512 * 1024;
/** Words of changes may get lost; then a change is seen after this. Milliseconds. */
const LOOK_EVERY_MS = 15_000;

export interface ToolListDeps {
  definitions: Pick<ToolDefinitions, "get">;
}

interface Sized {
  tool: ListedTool;
  chars: number;
}

/** A list of tools is parsed once for as long as nothing in it changes: until then the same definitions are answered. */
const PARSED = new WeakMap<WrittenDefinitions, { sorted: Sized[]; mark: string }>();

function parsed(written: WrittenDefinitions) {
  const known = PARSED.get(written);
  if (known) return known;
  const tools = (JSON.parse(written.json.toString()) as ListedTool[]).map(promised);
  // By name, so that a page goes on where the one before ended whatever was created meanwhile.
  const sorted = tools
    .map((tool) => ({ tool, chars: JSON.stringify(tool).length }))
    .toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  const fresh = { sorted, mark: hash("sha256", written.json, "base64url") };
  PARSED.set(written, fresh);
  return fresh;
}

/** Clients take an answer without data for an error where a schema promises some, and a call that waits has none. */
function promised(tool: ListedTool): ListedTool {
  if (tool._meta?.[CONFIRMATION_META] !== true) return tool;
  const { outputSchema: _promise, ...rest } = tool;
  return rest;
}

async function read({ definitions }: ToolListDeps, principal: TenantPrincipal, asked: View | undefined) {
  const { tenantId, agentId } = principal;
  const sight = sightOf(principal);
  const policies = builtInPoliciesOf(principal, {});
  const written = await definitions.get(tenantId, agentId, "mcp", false, policies, sight);
  const view = viewFor(asked, written.count);
  const own = OWN_TOOLS[view].filter((tool) => sight?.sees(tool) ?? true);
  return { view, own, ...parsed(written) };
}

/** A page of the tools that a view shows, from behind `cursor`. Throws the protocol's error for a cursor that is none. */
export async function listTools(
  deps: ToolListDeps,
  principal: TenantPrincipal,
  asked: View | undefined,
  cursor: string | undefined,
): Promise<{ tools: ListedTool[]; nextCursor?: string }> {
  const { view, own: ownTools, sorted } = await read(deps, principal, asked);
  const after = cursor === undefined ? null : readCursor(cursor);
  const own = after === null ? ownTools : [];
  if (view !== "all") return { tools: [...own] };
  const tools: ListedTool[] = [...own];
  let chars = 0;
  let from = after === null ? 0 : sorted.findIndex(({ tool }) => tool.name > after);
  if (from < 0) from = sorted.length;
  for (const { tool, chars: size } of sorted.slice(from)) {
    if (tools.length >= PAGE_TOOLS_MAX || chars > PAGE_CHARS_MAX)
      return { tools, nextCursor: writeCursor(tools.at(-1)?.name ?? "") };
    // The endpoint's own tool of this name answers the calls.
    if (OWN_TOOLS.all.some(({ name }) => name === tool.name)) continue;
    tools.push(tool);
    chars += size;
  }
  return { tools };
}

const writeCursor = (name: string): string => Buffer.from(name).toString("base64url");

function readCursor(cursor: string): string {
  const name = Buffer.from(cursor, "base64url").toString();
  if (name !== "" && writeCursor(name) === cursor) return name;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The cursor is none that tools/list gave.");
}

/** The values of an enum that a tool's parameter takes, which begin with `prefix`. */
export async function completeParameter(
  deps: ToolListDeps,
  principal: TenantPrincipal,
  tool: string,
  parameter: string,
  prefix: string,
): Promise<string[]> {
  const { sorted } = await read(deps, principal, "all");
  const properties = sorted.find((listed) => listed.tool.name === tool)?.tool.inputSchema["properties"];
  const schema = (properties as Record<string, { enum?: unknown }> | undefined)?.[parameter];
  const values = Array.isArray(schema?.enum) ? schema.enum : [];
  return values.filter((value): value is string => typeof value === "string" && value.startsWith(prefix));
}

export interface ListWatch {
  since: string;
  signal: AbortSignal;
  alive?: () => Promise<boolean>;
  now: () => Promise<TenantPrincipal>;
}

/** A mark of the list that a view shows: it differs where the list does. */
export async function markTools(
  deps: ToolListDeps,
  principal: TenantPrincipal,
  asked: View | undefined,
): Promise<string> {
  const { view, own, mark } = await read(deps, principal, asked);
  const left = own.length === OWN_TOOLS[view].length ? "" : `-${own.map(({ name }) => name).join()}`;
  return (view === "all" ? mark : view) + left;
}

/**
 * Yields the mark of the list each time it is another one than `since`, until the signal fires or `alive` says no. `now` tells
 * the principal anew, with the tenant's policy of the moment.
 */
export async function* changedTools(
  deps: ToolListDeps & { signals: Pick<SignalBus, "subscribe"> },
  principal: TenantPrincipal,
  asked: View | undefined,
  { since, signal, alive, now }: ListWatch,
): AsyncGenerator<string, void, undefined> {
  let woken = Promise.withResolvers<"told" | "looks">();
  const unsubscribe = deps.signals.subscribe((told) => {
    const isOurs = told.type === "forget" && told.id === principal.tenantId;
    if (isOurs && told.kind !== "tool" && told.kind !== "key") woken.resolve("told");
  });
  const timer = setInterval(() => woken.resolve("looks"), LOOK_EVERY_MS);
  const end = (): void => woken.resolve("told");
  signal.addEventListener("abort", end, { once: true });
  try {
    let last = since;
    while (!signal.aborted) {
      // Of a key that is gone the stream is ended by who watches it.
      const mark = await markTools(deps, await now().catch(() => principal), asked);
      if (mark !== last) yield mark;
      last = mark;
      if (signal.aborted) return;
      const why = await woken.promise;
      woken = Promise.withResolvers();
      if (why === "looks" && alive && !(await alive())) return;
    }
  } finally {
    clearInterval(timer);
    unsubscribe();
    signal.removeEventListener("abort", end);
  }
}
