import {
  newAccessTokenId,
  type AccessOperation,
  type AccessScope,
  type ApiKey,
  type AuditLog,
  type Principal,
  type Tenant,
  Fault,
} from "@bulkhead/core";
import { writeAccessToken } from "./access-token-text.ts";
import { findKey, type AuthenticateDeps } from "./authenticate.ts";
import { requireAction, requireTenant, rolesOf, type Action } from "./roles.ts";

export interface AccessTokenDeps {
  access: Pick<AuthenticateDeps, "apiKeys" | "principals" | "accessKeys" | "clock">;
  audit: AuditLog;
}

/** What a key must be allowed to do so that its tokens may. */
const ACTION_OF: Readonly<Record<AccessOperation, Action>> = {
  execute: "executions.run",
  read: "executions.read",
  stream: "executions.read",
};

/**
 * A token for the key that asks: it may do what the scope says out of what the key may at the moment of use, and ends with the
 * key, whichever secret that has. Throws `request.invalid` for a scope that the key's role or the scope itself makes empty.
 */
export async function createAccessToken(
  { access, audit }: AccessTokenDeps,
  principal: Principal,
  { scope, expiresInSeconds }: { scope: AccessScope; expiresInSeconds: number },
): Promise<{ token: string; expiresAt: Date }> {
  const { tenantId, keyId, role } = requireTenant(principal, "accessTokens.create");
  const tooMuch = scope.operations.find((operation) => !rolesOf(ACTION_OF[operation]).includes(role));
  if (tooMuch)
    throw scopeFault(
      "operations",
      `may not have ${tooMuch}, since a key with the role ${role} may not do that`,
    );
  if (!scope.operations.includes("execute") && !scope.executions)
    throw scopeFault(
      "executions",
      "must name executions, since a token without execute makes none of its own",
    );
  const key = await findKey(access, { tenantId, keyId });
  if (!key) throw new Fault("auth.invalid_key");
  const asked = new Date(access.clock().getTime() + expiresInSeconds * 1_000);
  const expiresAt = key.goodUntil && key.goodUntil < asked ? key.goodUntil : asked;
  const id = newAccessTokenId();
  const token = writeAccessToken(access.accessKeys, { ...scope, id, tenantId, keyId, goodUntil: expiresAt });
  const { operations, tools, executions } = scope;
  await audit.record(principal, tenantId, {
    action: "access_token.created",
    id,
    details: {
      operations,
      ...(tools && { tools }),
      ...(executions && { executions: executions.length }),
      expiresAt: expiresAt.toISOString(),
    },
  });
  return { token, expiresAt };
}

const scopeFault = (field: keyof AccessScope, message: string): Fault =>
  new Fault("request.invalid", {
    detail: `scope.${field} ${message}.`,
    errors: [{ path: `scope.${field}`, message }],
  });

/**
 * Throws `access_token.out_of_scope` where a token asks for what it may not do; null is what none may, by the field that asks
 * for it, if it is not the whole route.
 */
export function requireOperation(
  principal: Principal,
  operation: AccessOperation | null,
  field?: string,
): void {
  if (principal.role === "admin" || !principal.accessToken) return;
  const { operations } = principal.accessToken;
  if (operation !== null && operations.includes(operation)) return;
  throw new Fault("access_token.out_of_scope", {
    ...(field === undefined ? {} : { errors: [{ path: field, message: "takes a key" }] }),
    detail:
      operation === null
        ? `No access token may ${field === undefined ? "do this; it takes a key" : `ask for this; ${field} takes a key`}.`
        : `This takes an access token with ${operation}; this one has: ${operations.join(", ")}.`,
  });
}

/** The key that asks and its tenant; null where the administrator does. */
export async function whoAsks(
  { apiKeys }: Pick<AuthenticateDeps, "apiKeys">,
  principal: Principal,
): Promise<{ key: ApiKey; tenant: Tenant } | null> {
  requireAction(principal, "me.read");
  if (principal.role === "admin") return null;
  const found = await apiKeys.find(principal.tenantId, principal.keyId);
  if (!found) throw new Fault("auth.invalid_key");
  return found;
}
