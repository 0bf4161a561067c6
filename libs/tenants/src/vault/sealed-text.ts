import type { SealedFor } from "@bulkhead/core";
import type { KeyObject } from "node:crypto";
import { closeBox, openBox } from "./box.ts";
import { unreadable } from "./unreadable.ts";

/** `v1` names a master key, whose tenants' keys were derived; `v2` names the tenant's data key. */
type SealVersion = "v1" | "v2";

/** `<version>.<key id>.<box>`. */
export interface SealedText {
  version: SealVersion;
  keyId: string;
  box: string;
}

const isVersion = (text: string | undefined): text is SealVersion => text === "v1" || text === "v2";

/** Throws `vault.unreadable` for a text that no version of the vault has sealed. */
export function readSealed(sealed: string): SealedText {
  const [version, keyId, box, ...rest] = sealed.split(".");
  if (!isVersion(version) || keyId === undefined || box === undefined || rest.length > 0)
    throw unreadable("it is no sealed text");
  return { version, keyId, box };
}

const bound = (version: SealVersion, keyId: string, { tenantId, purpose }: SealedFor): string[] => [
  version,
  keyId,
  tenantId,
  purpose,
];

export const sealText = (key: KeyObject, keyId: string, plain: string, place: SealedFor): string =>
  `v2.${keyId}.${closeBox(key, Buffer.from(plain), bound("v2", keyId, place))}`;

/** Throws `vault.unreadable` unless key, place and every character are those of the sealing. */
export function openText(key: KeyObject, { version, keyId, box }: SealedText, place: SealedFor): string {
  const plain = openBox(key, box, bound(version, keyId, place));
  if (plain === null) throw unreadable("it was changed, or sealed under another key or for another place");
  return plain.toString("utf8");
}
