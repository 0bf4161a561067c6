import { createHash } from "node:crypto";
import type { LoadedTool } from "../folders.ts";

/** Characters of an agent's id, as the API takes it, and of a person's name in it. */
const AGENT_ID_CHARS_MAX = 200;
const NAME_CHARS_MAX = 40;
const HASH_CHARS = 8;

interface Developer {
  /** The key's agent; without one, who is logged in to the machine. */
  name: string;
  host: string;
  /** The real path of the folder. */
  folder: string;
}

/**
 * The agent that drafts belong to: no other agent sees its tools, and it sees them before the tenant's. The same for the same
 * folder of the same machine, so that what a crash left is taken over.
 */
export function draftAgent({ name, host, folder }: Developer): string {
  const shown = name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, NAME_CHARS_MAX) || "me";
  return `dev-${shown}-${hashOf([name, host, folder])}`;
}

/** The draft of a tool: one that is an agent's is kept apart from the tenant's tool of its name. */
export function draftOf(agent: string, tool: LoadedTool): LoadedTool {
  return { ...tool, record: { ...tool.record, agentId: agentOfDraft(agent, tool.record.agentId) } };
}

export function agentOfDraft(agent: string, owner: string | undefined): string {
  if (owner === undefined) return agent;
  const id = `${agent}/${owner}`;
  return id.length <= AGENT_ID_CHARS_MAX ? id : `${agent}/${hashOf([owner])}`;
}

const hashOf = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, HASH_CHARS);
