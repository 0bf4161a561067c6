import { createSecretKey, type KeyObject } from "node:crypto";
import { deriveKey } from "./derive-key.ts";
import { readMasterKey, type MasterKeys } from "./local-keys.ts";

/** What one master key gives for access tokens and sessions. */
interface AccessKey {
  /** The id of its master key. */
  id: string;
  /** Signs access tokens (HMAC-SHA-256). */
  signing: KeyObject;
  /** Seals sessions (AES-256-GCM). */
  sealing: KeyObject;
}

/** The same in every API of a deployment, so that what one has made the others take. */
export interface AccessKeys {
  /** Of the present master key: it makes what is made from now on. */
  current: AccessKey;
  /** Also of former master keys, for as long as the settings name them. */
  find(id: string): AccessKey | undefined;
}

/** Derives the keys from the master keys; nothing is stored. */
export function openAccessKeys({ current, old }: MasterKeys): AccessKeys {
  const first = accessKeyOf(current);
  const held = new Map([first, ...old.map(accessKeyOf)].map((key) => [key.id, key]));
  return { current: first, find: (id) => held.get(id) };
}

function accessKeyOf(secret: MasterKeys["current"]): AccessKey {
  const { id, master } = readMasterKey(secret);
  const derive = (use: string): KeyObject => createSecretKey(deriveKey(master, ["access", use]));
  return { id, signing: derive("token"), sealing: derive("session") };
}
