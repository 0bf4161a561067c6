import {
  configPurpose,
  type SealedFor,
  type StoredEntry,
  type StoredSecret,
  type StoredService,
  type TenantPrincipal,
  type Vault,
} from "@bulkhead/core";
import type { SaidSecret } from "./read-data.ts";

/** Four characters of a shorter secret would reveal too much. */
const SHOWN_CHARS_MIN = 16;
const SHOWN_TAIL_CHARS = 4;

type Place = Pick<StoredService, "tenantId" | "name"> & { label: string };

const placeOf = ({ tenantId, name, label }: Place, field: string): SealedFor => ({
  tenantId,
  purpose: configPurpose(name, label, field),
});

/** The secrets as they rest, each sealed for its own place. */
export async function sealSecrets(
  { vault }: { vault: Pick<Vault, "seal"> },
  by: TenantPrincipal,
  place: Place,
  secrets: readonly SaidSecret[],
  setAt: Date,
): Promise<Record<string, StoredSecret>> {
  const sealed = secrets.map(async ({ field, value, wholeWordsOnly }): Promise<[string, StoredSecret]> => {
    const text = await vault.seal(value, placeOf(place, field));
    return [field, { sealed: text, setAt, setBy: by.keyId, lastFour: lastFourOf(value), wholeWordsOnly }];
  });
  return Object.fromEntries(await Promise.all(sealed));
}

function lastFourOf(value: string): string | null {
  const shown = value.trim();
  const tail = shown.slice(-SHOWN_TAIL_CHARS);
  return shown.length >= SHOWN_CHARS_MIN && tail.isWellFormed() ? tail : null;
}

/** The same secrets for an entry of another label. */
export async function resealSecrets(
  { vault }: { vault: Pick<Vault, "reseal"> },
  from: Place,
  to: Place,
  secrets: StoredEntry["secrets"],
): Promise<StoredEntry["secrets"]> {
  if (from.label === to.label) return secrets;
  const moved = Object.entries(secrets).map(async ([field, secret]): Promise<[string, StoredSecret]> => {
    const sealed = await vault.reseal(secret.sealed, placeOf(from, field), placeOf(to, field));
    return [field, { ...secret, sealed }];
  });
  return Object.fromEntries(await Promise.all(moved));
}
