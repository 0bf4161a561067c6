import { CALLBACK_URL_CHARS_MAX, type Callback, type EgressPolicy, type Vault, Fault } from "@bulkhead/core";
import { CALLBACK_SECRET } from "./purposes.ts";
import { readSigningSecret, SIGNING_SECRET_FORM } from "./signing-secret.ts";

export interface CallbackDeps {
  egressPolicy: EgressPolicy;
  vault: Pick<Vault, "seal">;
}

/**
 * Checks the callback that a caller asked for, and seals its secret for the tenant. Throws `request.invalid` that names
 * `callback.url` or `callback.secret`, and never repeats the secret.
 */
export async function readCallback(
  { egressPolicy, vault }: CallbackDeps,
  tenantId: string,
  callback: { url: string; secret?: string | undefined },
): Promise<Callback> {
  const url = readUrl(egressPolicy, callback.url);
  const { secret } = callback;
  if (secret === undefined) return { url, sealedSecret: null };
  if (readSigningSecret(secret) === null) throw invalid("callback.secret", SIGNING_SECRET_FORM);
  return { url, sealedSecret: await vault.seal(secret, { tenantId, purpose: CALLBACK_SECRET }) };
}

/** In the one notation that the broker will use. */
function readUrl(egressPolicy: EgressPolicy, text: string): string {
  const url = text.length <= CALLBACK_URL_CHARS_MAX ? URL.parse(text) : null;
  if (url === null || url.href.length > CALLBACK_URL_CHARS_MAX)
    throw invalid("callback.url", `must be a URL of ${CALLBACK_URL_CHARS_MAX} characters at most`);
  if (url.username !== "" || url.password !== "")
    throw invalid("callback.url", "must not hold a user name or a password: the signature tells who calls");
  const refusal = egressPolicy.refusalOf(url.href);
  if (refusal !== null) throw invalid("callback.url", `can't be called: ${refusal}`);
  url.hash = "";
  return url.href;
}

const invalid = (path: string, message: string): Fault =>
  new Fault("request.invalid", { detail: `${path} ${message}.`, errors: [{ path, message }] });
