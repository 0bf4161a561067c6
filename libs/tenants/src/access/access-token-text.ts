import type { AccessToken } from "@bulkhead/core";
import { createHmac, timingSafeEqual, type KeyObject } from "node:crypto";
import type { AccessKeys } from "../vault/access-keys.ts";

/** What an access token says: whose it is, by which key it was made, what it may do, and until when. */
export interface TokenClaims extends AccessToken {
  tenantId: string;
  keyId: string;
  goodUntil: Date;
}

/** The version is part of what is signed: no token is read by the rules of another. */
const PREFIX = "bht_1";
/** The longest scope takes less; a text beyond it is not looked into. */
const CHARS_MAX = 8_192;

/** The claims as they travel; one letter each, since a token stands in headers and addresses. */
interface Payload {
  i: string;
  t: string;
  k: string;
  /** In ms since 1970. */
  e: number;
  o: AccessToken["operations"];
  n?: AccessToken["tools"];
  x?: AccessToken["executions"];
}

const macOf = (key: KeyObject, signed: string): string =>
  createHmac("sha256", key).update(signed).digest("base64url");

/** `bht_1.<master key's id>.<claims>.<HMAC-SHA-256 of all before it>`. */
export function writeAccessToken({ current }: AccessKeys, claims: TokenClaims): string {
  const { id, tenantId, keyId, goodUntil, operations, tools, executions } = claims;
  const payload: Payload = {
    i: id,
    t: tenantId,
    k: keyId,
    e: goodUntil.getTime(),
    o: operations,
    ...(tools && { n: tools }),
    ...(executions && { x: executions }),
  };
  const said = Buffer.from(JSON.stringify(payload)).toString("base64url");
  const signed = `${PREFIX}.${current.id}.${said}`;
  return `${signed}.${macOf(current.signing, signed)}`;
}

export const looksLikeAccessToken = (text: string): boolean => text.startsWith("bht_");

/** Null unless it was signed as it is by a master key that this deployment holds. Its time is for the caller to look at. */
export function readAccessToken(keys: AccessKeys, text: string): TokenClaims | null {
  if (text.length > CHARS_MAX) return null;
  const [prefix, keyId = "", said = "", mac = "", ...rest] = text.split(".");
  const key = keys.find(keyId);
  if (prefix !== PREFIX || !key || rest.length > 0) return null;
  // The texts are compared, so that no other spelling of the same bytes passes.
  const [given, right] = [Buffer.from(mac), Buffer.from(macOf(key.signing, `${prefix}.${keyId}.${said}`))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const payload = JSON.parse(Buffer.from(said, "base64url").toString()) as Payload;
  return {
    id: payload.i,
    tenantId: payload.t,
    keyId: payload.k,
    goodUntil: new Date(payload.e),
    operations: payload.o,
    ...(payload.n && { tools: payload.n }),
    ...(payload.x && { executions: payload.x }),
  };
}
