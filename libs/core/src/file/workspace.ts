/** Whose files: an agent's, a user's of an agent, a user's, or with neither the tenant's own. Nothing is shared between two. */
export interface Workspace {
  tenantId: string;
  /** Any text of `AGENT_ID_CHARS_MAX` characters at most; null: no agent's. */
  agentId: string | null;
  /** Any text of `USER_ID_CHARS_MAX` characters at most; null: no user's. */
  userId: string | null;
}

/** The length of a user's id, in UTF-16 units. */
export const USER_ID_CHARS_MAX = 256;

/** A file of a workspace. */
export interface FilePlace {
  workspace: Workspace;
  path: string;
}
