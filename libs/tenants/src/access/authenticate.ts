import type { RevocableCache } from "@bulkhead/process";
import {
  ACCESS_TOKEN_SECONDS_MAX,
  type ApiKeyStore,
  type Clock,
  type FoundKey,
  type Principal,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { timingSafeEqual } from "node:crypto";
import type { AccessKeys } from "../vault/access-keys.ts";
import { looksLikeAccessToken, readAccessToken, type TokenClaims } from "./access-token-text.ts";
import { hashApiKey } from "./api-key-text.ts";
import type { KeyUses } from "./key-uses.ts";
import { openSession } from "./session-text.ts";

export interface AuthenticateDeps {
  apiKeys: Pick<ApiKeyStore, "find" | "findByHash">;
  /**
   * Remembers principals by the hash of their key's secret, and for access tokens by the key's id; tagged with that, the key's
   * id and the tenant's.
   */
  principals: RevocableCache<TenantPrincipal>;
  /** SHA-256 in hex of the administrator's key; null when there is none. */
  adminKeyHash: string | null;
  /** Access tokens and sessions are made with these. */
  accessKeys: AccessKeys;
  keyUses: Pick<KeyUses, "saw">;
  clock: Clock;
}

/** What a request is sent with: the first that is there counts, and nothing else is looked at. */
export interface Credentials {
  /** The header `Authorization`. */
  authorization?: string | undefined;
  /** An access token that stands elsewhere. */
  accessToken?: string | undefined;
  /** A sealed session. */
  session?: string | undefined;
}

/**
 * Allows any characters, spaces too, because operators choose the administrator's key. Node bounds it with all headers, at
 * 16 KiB.
 */
const BEARER = /^Bearer +(.+)$/i;

/** A token whose end is further off than any has, by more than clocks differ, is refused. */
const CLOCKS_DIFFER_MS_MAX = 5 * 60_000;

/**
 * The principal that the credentials stand for. Throws `auth.required` or `auth.invalid_key`, which never says why, whatever
 * it was: unknown, deleted, expired, changed, or another tenant's.
 */
export async function authenticate(deps: AuthenticateDeps, credentials: Credentials): Promise<Principal> {
  const { authorization, accessToken, session } = credentials;
  if (authorization) {
    const bearer = BEARER.exec(authorization)?.[1];
    if (bearer) return good(deps, await findBearer(deps, bearer));
    throw new Fault("auth.invalid_key", { detail: "The header must read `Authorization: Bearer <key>`." });
  }
  if (accessToken !== undefined) return good(deps, await findByToken(deps, accessToken));
  if (session !== undefined) return good(deps, await findBySession(deps, session));
  throw new Fault("auth.required", { detail: "Send the header `Authorization: Bearer <key>`." });
}

/** The principal of a key by itself; as `authenticate`. */
export const authenticateKey = (deps: AuthenticateDeps, key: string): Promise<Principal> =>
  authenticateHash(deps, hashApiKey(key));

/** The principal of a key by the hash of its secret; as `authenticate`. */
export const authenticateHash = async (deps: AuthenticateDeps, hash: string): Promise<Principal> =>
  good(deps, await findByHash(deps, hash));

function good({ clock, keyUses }: AuthenticateDeps, principal: Principal | null): Principal {
  // What is remembered may have ended since.
  if (!principal || (principal.goodUntil && principal.goodUntil <= clock()))
    throw new Fault("auth.invalid_key", { detail: "No such key; it may have expired or been revoked." });
  if (principal.role !== "admin") keyUses.saw(principal.keyId);
  return principal;
}

/** An administrator's key may look like a token. */
const findBearer = async (deps: AuthenticateDeps, bearer: string): Promise<Principal | null> => {
  const hash = hashApiKey(bearer);
  return looksLikeAccessToken(bearer) && !isAdmin(deps, hash)
    ? findByToken(deps, bearer)
    : findByHash(deps, hash);
};

const isAdmin = ({ adminKeyHash }: AuthenticateDeps, hash: string): boolean =>
  adminKeyHash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(adminKeyHash));

const findByHash = async (deps: AuthenticateDeps, hash: string): Promise<Principal | null> =>
  isAdmin(deps, hash)
    ? { role: "admin", keyId: "admin" }
    : deps.principals.get(hash, async () => remembered(hash, await deps.apiKeys.findByHash(hash)));

async function findBySession(deps: AuthenticateDeps, text: string): Promise<Principal | null> {
  const session = openSession(deps.accessKeys, text);
  if (!session) return null;
  return endingAt(await findByHash(deps, session.keyHash), session.goodUntil);
}

/** A token may do what its key may at this moment, as far as its scope goes. */
async function findByToken(deps: AuthenticateDeps, text: string): Promise<Principal | null> {
  const claims = readAccessToken(deps.accessKeys, text);
  if (!claims || !isTimely(claims, deps.clock())) return null;
  const { tenantId, keyId, goodUntil, ...accessToken } = claims;
  const principal = await findKey(deps, { tenantId, keyId });
  return principal && endingAt({ ...principal, accessToken }, goodUntil);
}

const isTimely = ({ goodUntil }: TokenClaims, now: Date): boolean => {
  const leftMs = goodUntil.getTime() - now.getTime();
  return leftMs > 0 && leftMs <= ACCESS_TOKEN_SECONDS_MAX * 1_000 + CLOCKS_DIFFER_MS_MAX;
};

/** The principal of a key, whichever secret it has; null where it is gone. */
export const findKey = (
  { principals, apiKeys }: Pick<AuthenticateDeps, "principals" | "apiKeys">,
  { tenantId, keyId }: Pick<TenantPrincipal, "tenantId" | "keyId">,
): Promise<TenantPrincipal | null> =>
  principals.get(`${tenantId}/${keyId}`, async () => remembered(keyId, await apiKeys.find(tenantId, keyId)));

const remembered = (by: string, found: FoundKey | null) =>
  found && { value: principalOf(found), tags: [by, found.key.id, found.tenant.id] };

const principalOf = ({ key, tenant, goodUntil }: FoundKey): TenantPrincipal => ({
  role: key.role,
  keyId: key.id,
  tenantId: tenant.id,
  agentId: key.agentId,
  limits: tenant.limits,
  limitsAsOf: tenant.updatedAt,
  approval: tenant.settings.approval,
  retention: tenant.settings.retention,
  applyDefaults: tenant.settings.applyDefaults,
  policyVersion: tenant.policyVersion ?? 0,
  ...(goodUntil && { goodUntil }),
});

/** The principal, which ends then at the latest. */
const endingAt = <P extends Principal>(principal: P | null, goodUntil: Date): P | null =>
  principal &&
  (principal.goodUntil && principal.goodUntil <= goodUntil ? principal : { ...principal, goodUntil });
