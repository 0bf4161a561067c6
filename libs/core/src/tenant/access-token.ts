/** What a holder of an access token may do: run tools, read executions, follow their events. */
export const ACCESS_OPERATIONS = ["execute", "read", "stream"] as const;
export type AccessOperation = (typeof ACCESS_OPERATIONS)[number];

/** Names (aliases, too) or ids of tools, and ids of executions, that one token may name. */
export const SCOPE_TOOLS_MAX = 50;
export const SCOPE_EXECUTIONS_MAX = 50;
/** A token lives for a day at the most. */
export const ACCESS_TOKEN_SECONDS_MAX = 86_400;

export interface AccessScope {
  operations: readonly AccessOperation[];
  /** Names or ids of the tools that may be run; unset: all that the key may run. */
  tools?: readonly string[];
  /** Executions that may be read and followed, beside those that the token itself has made. */
  executions?: readonly string[];
}

/** The token by which a principal asks. */
export interface AccessToken extends AccessScope {
  /** `tok_` and 16 hex digits. */
  id: string;
}

/** Whether whoever asks may run the tool; who has no token may. */
export const mayRun = (
  token: AccessToken | undefined,
  { id, name, alias }: { id?: string; name: string; alias?: string | null },
): boolean => token?.tools?.some((ref) => [id, name, alias].includes(ref)) ?? true;

/** Whether whoever asks may see the execution, as far as a token says; `accessTokenId` is that of the token that made it. */
export const mayFollow = (
  token: AccessToken | undefined,
  execution: { executionId: string; accessTokenId?: string | null },
): boolean =>
  token === undefined ||
  token.id === execution.accessTokenId ||
  (token.executions?.includes(execution.executionId) ?? false);
