import type { KeyObject } from "node:crypto";
import { deriveKey } from "./derive-key.ts";

// The keys that the first version derived from its master key itself. The database lists them, by these uses, since the
// day on which data keys came; each is wrapped once and then a data key like any other.

/** The key of a tenant's `v1` texts. */
export const FIRST_SEAL_USE = "seal.v1";

/** A derived secret that was in use then. */
export const firstDerivedUse = (purpose: string, generation: number): string =>
  `derived.v1/${purpose}/${generation}`;

const FIRST_DERIVED = /^derived\.v1\/([^/]+)\/(\d+)$/;

/** Null for a use that the first version did not have. */
export function inheritKey(master: KeyObject, tenantId: string, use: string): Buffer | null {
  if (use === FIRST_SEAL_USE) return deriveKey(master, ["seal", tenantId]);
  const [, purpose, generation] = FIRST_DERIVED.exec(use) ?? [];
  if (purpose === undefined || generation === undefined) return null;
  return deriveKey(master, ["derived", purpose, tenantId, generation]);
}
