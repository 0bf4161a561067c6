import {
  isChannelKind,
  servicesOf,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
} from "@bulkhead/core";
import type { ToolDeps } from "./tool-deps.ts";

/** The tool on both sides of a change, null where there is none. */
interface Change {
  before: Tool | null;
  after: Tool | null;
  /** The definition of the waiting version, if the change made one. */
  definition?: ToolDefinition | undefined;
}

/** Registers the services that the tool needs now, and releases those that it alone needed before. */
export async function keepServices(
  { toolServices }: Pick<ToolDeps, "toolServices">,
  principal: TenantPrincipal,
  { before, after, definition }: Change,
): Promise<void> {
  const needed = after ? neededServices(after) : [];
  if (after) {
    const { code, compiled } = definition ?? after;
    await toolServices.register(principal, { ...after, code: compiled ?? code, services: needed });
  }
  const dropped = before ? neededServices(before).filter((name) => !needed.includes(name)) : [];
  await toolServices.release(principal, dropped);
}

/** The services of the version that runs, and of a waiting one: the tool describes the needs of its newest version. */
export const neededServices = (tool: Tool): string[] =>
  tool.status === "rejected" ? [] : [...new Set([...tool.services, ...servicesOf(tool)])].toSorted();

/** Warns the maker of each tool of the services that it needs and that can't be used yet. */
export async function serviceWarnings(
  { toolServices }: Pick<ToolDeps, "toolServices">,
  tenantId: string,
  tools: readonly Tool[],
): Promise<string[][]> {
  const needs = tools.map((tool) => ({ services: neededServices(tool) }));
  const unconfigured = await toolServices.unconfigured(tenantId, needs);
  const unreached = await Promise.all(tools.map((tool) => unreachedWarnings(toolServices, tool)));
  return tools.map((_tool, at) => [...(unconfigured[at] ?? []).map(warningOf), ...(unreached[at] ?? [])]);
}

/** Warns of permissions that reach by services alone where no service of the tool's is one to reach by. */
async function unreachedWarnings(
  { kinds }: Pick<ToolDeps["toolServices"], "kinds">,
  tool: Tool,
): Promise<string[]> {
  const sends = tool.permissions.includes("email");
  // The permission gives other data too, which need no service.
  const queries = tool.permissions.includes("database") && /\butils\s*\.\s*db\b/.test(tool.code);
  if (!sends && !queries) return [];
  const found = await kinds(tool.tenantId, neededServices(tool));
  return [
    ...(sends && !found.some(isChannelKind) ? [NO_CHANNEL] : []),
    ...(queries && !found.includes("postgres") ? [NO_DATABASE] : []),
  ];
}

const NO_CHANNEL =
  'The tool has the permission "email", but none of its services is a channel, so it can send nothing: name one in requiredConfigServices with its kind (smtp, or another for the tool message).';
const NO_DATABASE =
  "The code uses utils.db, but none of the tool's services is a database: name one in requiredConfigServices with the kind postgres.";

const warningOf = (name: string): string =>
  `The service "${name}" is not configured yet; a person fills it in with POST /api/v1/config-services/${name}/entries.`;
