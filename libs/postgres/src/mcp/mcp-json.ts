import {
  MCP_GRANT_SCOPES,
  type McpAccess,
  type McpGrant,
  type McpGrantScope,
  type McpServerAccess,
  type McpValue,
} from "@bulkhead/core";
import { readObject, type Json } from "../stored-json.ts";

/** By the server's name. */
export const readMcpAccess = (json: Json): McpAccess =>
  Object.fromEntries(Object.entries(readObject(json)).map(([server, said]) => [server, readServer(said)]));

function readServer(json: Json): McpServerAccess {
  const { agentIds = null, grants } = readObject(json);
  return {
    agentIds: readListOrAll(agentIds),
    grants: Array.isArray(grants) ? grants.flatMap(readGrant) : [],
  };
}

/** A grant of a scope that this build doesn't know speaks of nobody whom it knows. */
function readGrant(json: Json): McpGrant[] {
  const { scope, id, toolAllow = null, toolDeny = null, enabled } = readObject(json);
  const known = MCP_GRANT_SCOPES.find((one) => one === scope);
  if (known === undefined || typeof id !== "string") return [];
  return [toGrant({ scope: known, id, toolAllow, toolDeny, enabled: enabled === true })];
}

export interface GrantRow {
  scope: string;
  id: string;
  toolAllow: Json;
  toolDeny: Json;
  enabled: boolean;
}

export const toGrant = ({ scope, toolAllow, toolDeny, ...row }: GrantRow): McpGrant => ({
  ...row,
  scope: readScope(scope),
  toolAllow: readListOrAll(toolAllow),
  toolDeny: readList(toolDeny),
});

/** The database knows no others. */
export const readScope = (scope: string): McpGrantScope => (scope === "user" ? "user" : "agent");

export const readList = (json: Json): string[] =>
  Array.isArray(json) ? json.filter((item) => typeof item === "string") : [];

/** Only a missing list means all; anything that is no list means none. */
export const readListOrAll = (json: Json): string[] | null => (json === null ? null : readList(json));

export const readValues = (json: Json): Record<string, McpValue> =>
  Object.fromEntries(
    Object.entries(readObject(json)).flatMap(([name, value]): [string, McpValue][] => {
      if (typeof value === "string") return [[name, value]];
      const { config } = readObject(value);
      return typeof config === "string" ? [[name, { config }]] : [];
    }),
  );
