import { type LoginCodeStore, type Principal, Fault, LOGIN_CODE_SECONDS } from "@bulkhead/core";
import { createHash, randomBytes } from "node:crypto";
import { hashApiKey } from "./api-key-text.ts";
import { authenticateHash, authenticateKey, type AuthenticateDeps } from "./authenticate.ts";
import { sealSession } from "./session-text.ts";

/** A session lives for half a day, and no longer than the secret that it was begun with. */
const SESSION_MS = 12 * 60 * 60_000;

export interface SessionDeps extends AuthenticateDeps {
  loginCodes: LoginCodeStore;
}

/** What a session is begun with: a key, or a login code that was made with one. */
export type SessionStart = { key: string } | { code: string };

/** A sealed session of a key's. Throws `auth.invalid_key` or `auth.invalid_code`. */
export async function beginSession(
  deps: SessionDeps,
  start: SessionStart,
): Promise<{ session: string; goodUntil: Date; principal: Principal }> {
  const keyHash = "key" in start ? hashApiKey(start.key) : await takeCode(deps, start.code);
  const principal = await authenticateHash(deps, keyHash);
  const latest = new Date(deps.clock().getTime() + SESSION_MS);
  const goodUntil = principal.goodUntil && principal.goodUntil < latest ? principal.goodUntil : latest;
  return { session: sealSession(deps.accessKeys, { keyHash, goodUntil }), goodUntil, principal };
}

/** A code that begins one session of the key's, for a browser that shall not see the key. Throws `auth.invalid_key`. */
export async function createLoginCode(
  deps: SessionDeps,
  key: string,
): Promise<{ code: string; expiresAt: Date; principal: Principal }> {
  const principal = await authenticateKey(deps, key);
  const code = `bhl_${randomBytes(32).toString("base64url")}`;
  await deps.loginCodes.keep(hashCode(code), hashApiKey(key));
  return { code, expiresAt: new Date(deps.clock().getTime() + LOGIN_CODE_SECONDS * 1_000), principal };
}

async function takeCode({ loginCodes }: SessionDeps, code: string): Promise<string> {
  const keyHash = await loginCodes.take(hashCode(code));
  if (keyHash !== null) return keyHash;
  throw new Fault("auth.invalid_code", {
    detail:
      "No such login code: it was used, or is older than ten minutes. Make a new one, or log in with a key.",
  });
}

/** Codes are random; whoever reads the store sees none. */
const hashCode = (code: string): string => createHash("sha256").update(code).digest("hex");
