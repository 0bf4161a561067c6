import { contentHash, definitionOf, type KnownMcpTool, type Tool, type ToolChange } from "@bulkhead/core";
import type { ToolDefinition } from "@bulkhead/core";
import { followingOf, type setupOf } from "./offered-tool.ts";

/**
 * Versions that one tool gets in a row without a person's word: a server that changes its tool with every look would fill
 * the store. Then no further one is kept until somebody decides.
 */
export const UNAPPROVED_VERSIONS_MAX = 50;

/**
 * Looks in one hour by which a server's tools come, change or come back without a person's word. A server whose list is another
 * one each second would fill the audit log: after so many its tools are taken away alone.
 */
export const ROUNDS_MAX = 30;
export const ROUNDS_MS = 3_600_000;

export const GONE = "Its server offers it no more.";
const WHAT = "Its server has changed it (name, description or parameters)";
export const changedReason = (version: number): string => `${WHAT}: version ${version} waits for a person.`;
export const rejectedReason = (version: number): string => `${WHAT}, and version ${version} was rejected.`;
export const RESTLESS = `Its server has changed its list ${ROUNDS_MAX} times within an hour: it comes back when a person approves it, or by a look after that hour.`;
const TOO_OFTEN = `${WHAT} ${UNAPPROVED_VERSIONS_MAX} times since a person last decided; no further version is kept.`;
const untakenReason = (fault: string): string => `${WHAT}, and what it offers now can't be taken: ${fault}`;

/** What a server offers under a known tool's name; `definition` is asked for only where there is something new. */
export interface Offered {
  pin: string;
  /** The version that it makes, or why it makes none. */
  definition: () => Promise<ToolDefinition | { fault: string }>;
}

/** Whether the platform, and no person, has taken the tool away. */
export const isDisabledBySync = ({ status, statusReason }: Pick<Tool, "status" | "statusReason">): boolean =>
  status === "disabled" && statusReason !== null;

/**
 * What becomes of a tool that is there: null where nothing does, `drop` where nobody ever approved it and it is gone. A tool
 * that a person has rejected or disabled stays so.
 */
export async function planKnown(
  { tool, newest }: KnownMcpTool,
  offered: Offered | null,
  setup: ReturnType<typeof setupOf>,
): Promise<ToolChange | "drop" | null> {
  const isBlocked = tool.status === "rejected" || (tool.status === "disabled" && tool.statusReason === null);
  if (tool.status === "pending_approval") return planWaiting({ tool, newest }, offered);
  if (offered === null) return isBlocked ? withdrawn(tool) : disabled(tool, GONE, withdrawn(tool));
  if (tool.pinned?.pin === offered.pin) return isBlocked ? null : planUnchanged(tool, setup);
  if (isBlocked) return null;
  const isKnown = newest.pin === offered.pin && newest.version > tool.version;
  if (isKnown && newest.state === "pending") return disabled(tool, changedReason(newest.version));
  if (isKnown && newest.state === "rejected") return disabled(tool, rejectedReason(newest.version));
  if (newest.version - tool.version >= UNAPPROVED_VERSIONS_MAX)
    return disabled(tool, TOO_OFTEN, withdrawn(tool));
  const definition = await offered.definition();
  if ("fault" in definition) return disabled(tool, untakenReason(definition.fault), withdrawn(tool));
  return { definition, review: BY_PLATFORM, ...disabled(tool, changedReason(newest.version + 1)) };
}

/**
 * The same of a server that has changed its list too often: nothing comes, and nothing comes back. What it offers no more, or
 * otherwise, is taken away with one reason, whatever it offers afterwards.
 */
export function planRestless(
  { tool }: KnownMcpTool,
  pin: string | null,
  setup: ReturnType<typeof setupOf>,
): ToolChange | null {
  if (isDisabledBySync(tool)) return disabled(tool, RESTLESS);
  if (tool.status !== "active") return null;
  return tool.pinned?.pin === pin ? planUnchanged(tool, setup) : disabled(tool, RESTLESS);
}

/** Whether a change is the server's doing, and more than that its tool is taken away. */
export const isRound = (change: ToolChange | "drop" | null): boolean =>
  change === "drop" || (change !== null && (change.review !== undefined || change.move?.to === "active"));

const BY_PLATFORM = { grown: [], proposedBy: null };

/** Nobody has approved anything of it: what people see is its newest version. */
async function planWaiting(
  { tool, newest }: KnownMcpTool,
  offered: Offered | null,
): Promise<ToolChange | "drop" | null> {
  if (offered === null) return tool.approval === "blocked" ? null : "drop";
  if (newest.pin === offered.pin || newest.version > UNAPPROVED_VERSIONS_MAX) return null;
  const definition = await offered.definition();
  if ("fault" in definition) return "drop";
  return { definition, review: BY_PLATFORM, ...(definition.pinned && followingOf(definition.pinned)) };
}

/** The tool as it was approved, with the setup of today, which is a person's word by itself. */
function planUnchanged(tool: Tool, setup: ReturnType<typeof setupOf>): ToolChange | null {
  const definition = { ...definitionOf(tool), ...setup };
  const isSame = contentHash(definition) === contentHash(tool);
  const change: ToolChange = {
    ...(isSame ? withdrawn(tool) : { definition }),
    ...(isDisabledBySync(tool) ? { move: { to: "active", reason: null } } : {}),
  };
  return Object.keys(change).length > 0 ? change : null;
}

const withdrawn = ({ pendingVersion }: Tool): { withdraw: true } | null =>
  pendingVersion === null ? null : { withdraw: true };

/** Null where it is so already and nothing else changes. */
function disabled(tool: Tool, reason: string, more: ToolChange | null = null): ToolChange | null {
  const isSo = tool.status === "disabled" && tool.statusReason === reason;
  if (isSo) return more;
  return { ...more, move: { to: "disabled", reason } };
}
