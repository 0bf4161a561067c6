import { type ClaimedDelivery, type Vault, Fault } from "@bulkhead/core";
import { createHmac } from "node:crypto";
import { CALLBACK_SECRET, WEBHOOK } from "./purposes.ts";
import { readSigningSecret } from "./signing-secret.ts";

/** The headers that a receiver verifies. */
export interface Message {
  id: string;
  /** Unix seconds. */
  timestamp: number;
  body: string;
}

/** `webhook-signature` of Standard Webhooks: one signature for each key, the first one's first. */
export const signatureOf = ({ id, timestamp, body }: Message, keys: readonly Uint8Array[]): string =>
  keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");

/** The keys that sign a delivery: the caller's own, or the tenant's of today. Throws `vault.unreadable`. */
export async function keysOf(
  vault: Pick<Vault, "open" | "derive">,
  { tenantId, sealedSecret, generations }: ClaimedDelivery,
): Promise<Uint8Array[]> {
  if (sealedSecret === null)
    return await Promise.all(
      generations.map((generation) => vault.derive({ tenantId, purpose: WEBHOOK }, generation)),
    );
  const key = readSigningSecret(await vault.open(sealedSecret, { tenantId, purpose: CALLBACK_SECRET }));
  if (key === null) throw new Fault("vault.unreadable", { internal: "a sealed secret is none" });
  return [key];
}
