import type { McpToolRef } from "./mcp-tool-ref.ts";

export const MCP_GRANT_SCOPES = ["agent", "user"] as const;
export type McpGrantScope = (typeof MCP_GRANT_SCOPES)[number];

/** Grants of one server, and tools that one list names. */
export const MCP_GRANTS_MAX = 1_000;
export const MCP_GRANT_TOOLS_MAX = 500;
/** All grants of one tenant, their ids and lists as JSON: every process that serves the tenant keeps them. */
export const MCP_ACCESS_BYTES_MAX = 1024 * 1024;
/** Agents that `agentIds` of one server names. */
export const MCP_AGENT_IDS_MAX = 200;
/** Requests of one tenant that wait for a person, and those for one agent or user: none takes the others' room. */
export const MCP_REQUESTS_MAX = 1_000;
export const MCP_REQUESTS_FOR_ONE_MAX = 50;

/** What one agent, or one user, gets of a server. Tools are named as their server calls them. */
export interface McpGrant {
  scope: McpGrantScope;
  id: string;
  /** Null: all of them. */
  toolAllow: string[] | null;
  toolDeny: string[];
  /** False takes the whole server away. */
  enabled: boolean;
}

/** Who gets a server's tools, as its tenant says. */
export interface McpServerAccess {
  /** Null: all agents. */
  agentIds: string[] | null;
  grants: McpGrant[];
}

/** By the server's name; a server that is open to everyone and has no grant is not in it. */
export type McpAccess = Readonly<Record<string, McpServerAccess>>;

/** For whom a call is made; a key of a person's that names nobody is not asked. */
export interface McpAsker {
  agentId?: string | undefined;
  userId?: string | undefined;
}

/**
 * Whether an asker gets a tool, and whether a grant of the agent's names that very tool, which is a person's word for its
 * calls. A user's is none: for whom an agent asks is its own word, by which it must not allow a call to itself.
 */
export interface McpVerdict {
  allowed: boolean;
  named: boolean;
}

const OPEN: McpVerdict = { allowed: true, named: false };
const CLOSED: McpVerdict = { allowed: false, named: false };

/**
 * Whether an asker gets a tool of a server. A grant that takes it away, for the agent or for the
 * user, beats every one that gives it. Where no grant speaks of either, the server's `agentIds` decide; where one does, one
 * of them must give the tool. The order of grants never matters.
 */
export function mcpAccessOf(
  access: McpAccess,
  { agentId, userId }: McpAsker,
  { server, tool }: McpToolRef,
): McpVerdict {
  const said = Object.hasOwn(access, server) ? access[server] : undefined;
  if (said === undefined) return OPEN;
  const ids = { agent: agentId, user: userId };
  const grants = said.grants.filter(({ scope, id }) => ids[scope] === id);
  if (grants.some(({ enabled, toolDeny }) => !enabled || toolDeny.includes(tool))) return CLOSED;
  if (grants.length === 0) {
    const listed = said.agentIds === null || (agentId !== undefined && said.agentIds.includes(agentId));
    return listed ? OPEN : CLOSED;
  }
  const naming = grants.filter(({ toolAllow }) => toolAllow?.includes(tool));
  return {
    allowed: naming.length > 0 || grants.some(({ toolAllow }) => toolAllow === null),
    named: naming.some(({ scope }) => scope === "agent"),
  };
}

export const MCP_REQUEST_STATUSES = ["pending", "approved", "rejected"] as const;
export type McpRequestStatus = (typeof MCP_REQUEST_STATUSES)[number];

/** `mar_` and 16 hex digits. */
export const MCP_REQUEST_ID = /^mar_[0-9a-f]{16}$/;

/** An agent's or a user's wish to get a server's tools. */
export interface McpAccessRequest extends Pick<McpGrant, "scope" | "id" | "toolAllow"> {
  requestId: string;
  tenantId: string;
  server: string;
  /** Why, in the asker's words; null: not said. */
  reason: string | null;
  status: McpRequestStatus;
  /** The key that asked. */
  requestedBy: string;
  createdAt: Date;
  /** The key that answered; null while nobody has. */
  answeredBy: string | null;
  answeredAt: Date | null;
  /** Why it was rejected; null where it was not, or no reason was given. */
  answer: string | null;
}

/** Keeps who may use tenants' servers. Every change of a grant makes another version of the tenant's access. */
export interface McpAccessStore {
  grantsOf(tenantId: string, server: string): Promise<McpGrant[]>;
  /**
   * Puts the grant of this scope and id; null where there is no such server, `full` where it has `MCP_GRANTS_MAX`,
   * or the tenant `MCP_ACCESS_BYTES_MAX`.
   */
  putGrant(tenantId: string, server: string, grant: McpGrant): Promise<McpGrant | "full" | null>;
  deleteGrant(tenantId: string, server: string, grant: Pick<McpGrant, "scope" | "id">): Promise<boolean>;
  /** Null where there is no such server, `full` where so many wait; one that waits for the same is answered instead. */
  request(
    asked: Omit<McpAccessRequest, "status" | "answeredBy" | "answeredAt" | "answer">,
  ): Promise<McpAccessRequest | "full" | null>;
  /** Newest first, at most `limit`; only those before `before` where it is given. */
  requests(
    tenantId: string,
    query: {
      status?: McpRequestStatus;
      server?: string;
      /** Only what this key has asked for. */
      requestedBy?: string;
      limit: number;
      before?: { createdAt: Date; requestId: string };
    },
  ): Promise<McpAccessRequest[]>;
  /**
   * Answers one that waits; approved, its grant is put in the same transaction: its tools are added to a grant that is
   * there. `answered`: somebody was quicker. `full`: there is no room for the grant, and it still waits. Null where it is gone.
   */
  answer(
    tenantId: string,
    requestId: string,
    by: { status: "approved" | "rejected"; keyId: string; reason: string | null; at: Date },
  ): Promise<McpAccessRequest | "answered" | "full" | null>;
}
