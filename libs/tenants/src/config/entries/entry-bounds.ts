import {
  CONFIG_ENTRIES_MAX,
  CONFIG_SERVICE_BYTES_MAX,
  type StoredEntry,
  type StoredService,
  Fault,
} from "@bulkhead/core";
import { invalidInput } from "../input-fault.ts";

/** Throws `config_entry.too_many`. */
export function requireRoom({ multiEntry, entries }: StoredService): void {
  if (!multiEntry && entries.length > 0) {
    throw new Fault("config_entry.too_many", {
      detail: "The service takes one entry: change that one, or set multiEntry of the service.",
    });
  }
  if (entries.length >= CONFIG_ENTRIES_MAX) {
    throw new Fault("config_entry.too_many", {
      detail: `A service has ${CONFIG_ENTRIES_MAX} entries at most.`,
    });
  }
}

/** Throws `config_entry.label_taken`. */
export function requireFreeLabel({ entries }: StoredService, label: string): void {
  if (entries.every((entry) => entry.label !== label)) return;
  throw new Fault("config_entry.label_taken", { detail: `The service has an entry "${label}" already.` });
}

/** Throws `request.invalid` where all that the service's entries hold is too much for every run that asks for it. */
export function requireBounded(entries: readonly StoredEntry[]): void {
  const held = entries.flatMap(({ values, secrets }) => [
    JSON.stringify(values),
    ...Object.values(secrets).map(({ sealed }) => sealed),
  ]);
  const bytes = held.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= CONFIG_SERVICE_BYTES_MAX) return;
  throw invalidInput([
    {
      path: "data",
      message: `makes all entries of the service larger than ${CONFIG_SERVICE_BYTES_MAX} bytes`,
    },
  ]);
}
