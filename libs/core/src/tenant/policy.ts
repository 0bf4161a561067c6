import type { McpAccess } from "../mcp/mcp-access.ts";

/**
 * An entry of a list: a tool's name or alias, one with `?` before it (the tool need not be there yet), the beginning of some
 * with `*` behind it, or `group:` and a group's name.
 */
export type PolicyEntry = string;

/** A list; the order of its entries means nothing. */
export type PolicyList = PolicyEntry[] | undefined;

type ByName<T> = Readonly<Record<string, T>> | undefined;

/** What a document says of those whose model a provider runs. */
export interface ProviderPolicy {
  profile?: string | undefined;
  allow?: PolicyList;
}

/** What a document says of one agent. */
export interface AgentPolicy {
  allow?: PolicyList;
  deny?: PolicyList;
  alsoAllow?: PolicyList;
  byProvider?: ByName<Pick<ProviderPolicy, "allow">>;
}

/** What a document says of agents that another agent has begun. */
export interface SubagentPolicy {
  /** Taken from every subagent. */
  deny?: PolicyList;
  /** Taken from those that begin none of their own (`SUBAGENT_LEAF_DEPTH`). */
  leafDeny?: PolicyList;
}

/** Which tools a tenant's agents get. A list that isn't there takes nothing away; the empty document leaves everything. */
export interface PolicyDocument extends ProviderPolicy {
  deny?: PolicyList;
  /** Brings back what the lists before it took away. */
  alsoAllow?: PolicyList;
  byProvider?: ByName<ProviderPolicy>;
  /** By an agent's id. */
  agents?: ByName<AgentPolicy>;
  /** By the group of the caller, as in a chat. */
  groupAllow?: ByName<PolicyEntry[]>;
  /** Groups of tools of the tenant's own. */
  groups?: ByName<PolicyEntry[]>;
  subagents?: SubagentPolicy | undefined;
  /** Taken from everyone; nothing brings it back. */
  forbid?: PolicyList;
}

/** Which tools a tenant's agents get: by its document, and by its grants of others' MCP servers. */
export interface Policy {
  /** Of the document: each change makes another one, the first is 1. */
  version: number;
  document: PolicyDocument;
  /** Rises with every change of `mcp`. */
  mcpVersion: number;
  mcp: McpAccess;
}

/** Who asks for tools. What is not said is not looked up: an asker without a provider meets no provider's list. */
export interface Asker {
  agentId?: string;
  /** The person on whose behalf it is asked; only grants of MCP servers name users. */
  userId?: string;
  /** A person asks by a key of their own and names nothing but a user: the document's lists aren't heard, only grants. */
  byPerson?: true;
  provider?: string;
  group?: string;
  /** 0 or unset: no subagent. */
  subagentDepth?: number;
}

/** A subagent at this depth begins none of its own. */
export const SUBAGENT_LEAF_DEPTH = 1;
export const SUBAGENT_DEPTH_MAX = 16;

/** Bounds a document: bytes as JSON, entries of one list, names of one record. */
export const POLICY_BYTES_MAX = 256 * 1024;
export const POLICY_ENTRIES_MAX = 5_000;
export const POLICY_NAMES_MAX = 1_000;
/** Bounds an entry, and the name of a provider or group; UTF-16 units. */
export const POLICY_ENTRY_CHARS_MAX = 160;
export const POLICY_NAME_CHARS_MAX = 128;

/** The documents of tenants, of which a tenant has one at most, and their grants. */
export interface PolicyStore {
  /** Version 0 and the empty document where none was ever put; null: there is no such tenant. */
  find(tenantId: string): Promise<Policy | null>;
  /**
   * Makes the document the tenant's next version, if the present one is among `seen` (null: whichever it is). Answers both;
   * null where it is another, or the tenant is gone or being deleted.
   */
  put(
    tenantId: string,
    document: PolicyDocument,
    seen: readonly number[] | null,
  ): Promise<{ before: PolicyDocument; version: number } | null>;
}
