import type { Principal } from "@bulkhead/core";
import { hashApiKey } from "./api-key-text.ts";
import { authenticateKey, type AuthenticateDeps } from "./authenticate.ts";
import { sealSession } from "./session-text.ts";

/** A session lives for half a day, and no longer than the secret that it was begun with. */
const SESSION_MS = 12 * 60 * 60_000;

/** A sealed session of the key's. Throws `auth.invalid_key`. */
export async function beginSession(
  deps: AuthenticateDeps,
  key: string,
): Promise<{ session: string; goodUntil: Date; principal: Principal }> {
  const principal = await authenticateKey(deps, key);
  const latest = new Date(deps.clock().getTime() + SESSION_MS);
  const goodUntil = principal.goodUntil && principal.goodUntil < latest ? principal.goodUntil : latest;
  const session = sealSession(deps.accessKeys, { keyHash: hashApiKey(key), goodUntil });
  return { session, goodUntil, principal };
}
