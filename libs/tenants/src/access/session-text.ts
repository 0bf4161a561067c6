import { closeBox, openBox } from "../vault/box.ts";
import type { AccessKeys } from "../vault/access-keys.ts";

/** A session stands for one secret of a key: it ends with that. */
export interface Session {
  /** SHA-256 of the secret, in hex. */
  keyHash: string;
  goodUntil: Date;
}

const VERSION = "1";
/** A sealed session has fewer than 300. */
const CHARS_MAX = 1_024;

const bound = (keyId: string): string[] => ["session", VERSION, keyId];

/** `1.<master key's id>.<box>`, of characters that a cookie may hold. */
export function sealSession({ current }: AccessKeys, { keyHash, goodUntil }: Session): string {
  const plain = Buffer.from(JSON.stringify([keyHash, goodUntil.getTime()]));
  return `${VERSION}.${current.id}.${closeBox(current.sealing, plain, bound(current.id))}`;
}

/** Null unless it was sealed as it is under a master key that this deployment holds. Its time is for the caller to look at. */
export function openSession(keys: AccessKeys, text: string): Session | null {
  if (text.length > CHARS_MAX) return null;
  const [version, keyId = "", box = "", ...rest] = text.split(".");
  const key = keys.find(keyId);
  if (version !== VERSION || !key || rest.length > 0) return null;
  const plain = openBox(key.sealing, box, bound(keyId));
  if (plain === null) return null;
  const [keyHash, goodUntil] = JSON.parse(plain.toString()) as [string, number];
  return { keyHash, goodUntil: new Date(goodUntil) };
}
