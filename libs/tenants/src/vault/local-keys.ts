import { strict as assert } from "node:assert";
import { createSecretKey, type KeyObject } from "node:crypto";
import type { DataKeyPlace, InheritedKey, KeyService } from "@bulkhead/core";
import type { Secret } from "@bulkhead/process/settings";
import { closeBox, openBox } from "./box.ts";
import { deriveKey } from "./derive-key.ts";
import { inheritKey } from "./first-version.ts";
import { unreadable } from "./unreadable.ts";

/** As in the settings: 32 random bytes in base64 each. */
export interface MasterKeys {
  current: Secret;
  /** The former keys, which still unwrap. */
  old: readonly Secret[];
}

/** Master keys in this process. */
export interface LocalKeys extends KeyService {
  /** The key that the first version derived from the key's origin, or from the oldest key if the origin is unknown. */
  inherit(key: InheritedKey): Buffer;
}

interface MasterKey {
  /** 8 hex digits; says nothing of the key itself. */
  id: string;
  master: KeyObject;
  wrapping: KeyObject;
}

const MASTER_KEY_BYTES = 32;

/** Of 32 bytes in base64, as the settings have checked. */
export function readMasterKey(secret: Secret): MasterKey {
  const bytes = Buffer.from(secret.reveal(), "base64");
  assert(bytes.length === MASTER_KEY_BYTES, "a master key has 32 bytes");
  const master = createSecretKey(bytes);
  return {
    id: deriveKey(master, ["key id"]).toString("hex").slice(0, 8),
    master,
    wrapping: createSecretKey(deriveKey(master, ["wrap"])),
  };
}

const bound = (masterKeyId: string, { tenantId, dataKeyId, use }: DataKeyPlace): string[] => [
  "data key",
  masterKeyId,
  tenantId,
  dataKeyId,
  use,
];

/** The key service that needs no other: it wraps with keys that come from the settings. */
export function openLocalKeys({ current, old }: MasterKeys): LocalKeys {
  const first = readMasterKey(current);
  const held = new Map([first, ...old.map(readMasterKey)].map((key) => [key.id, key]));
  const keyIds = [...held.keys()];
  const find = (id: string | undefined): MasterKey => {
    const key = held.get(id ?? "");
    if (!key) throw unreadable(`its key is wrapped by master key ${id}, which this process does not hold`);
    return key;
  };
  return {
    currentKeyId: first.id,
    keyIds,
    wrap: async (dataKey, place) => closeBox(first.wrapping, dataKey, bound(first.id, place)),
    unwrap: async (wrapped, masterKeyId, place) => {
      const dataKey = openBox(find(masterKeyId).wrapping, wrapped, bound(masterKeyId, place));
      if (dataKey === null) throw unreadable(`data key ${place.dataKeyId} was changed, or is another's`);
      return dataKey;
    },
    inherit: ({ tenantId, use, masterKeyId }) => {
      const key = inheritKey(find(masterKeyId ?? keyIds.at(-1)).master, tenantId, use);
      assert(key, `the first version had keys for ${use}`);
      return key;
    },
  };
}
