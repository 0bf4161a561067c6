import {
  DEFAULT_ENTRY_LABEL,
  type StoredEntry,
  type StoredService,
  type TenantPrincipal,
} from "@bulkhead/core";
import type { SeenAs } from "@bulkhead/tools";
import type { ConfigDeps } from "../config-deps.ts";
import { changeSeenService } from "../services/change-seen-service.ts";
import { requireMade, stateOf } from "../services/service-state.ts";
import { requireBounded, requireFreeLabel, requireRoom } from "./entry-bounds.ts";
import { readData, type EntryData } from "./read-data.ts";
import { sealSecrets } from "./seal-secrets.ts";

export interface CreateEntryRequest {
  /** Undefined: `DEFAULT_ENTRY_LABEL`. */
  label?: string;
  data: EntryData;
  /** The first entry is the default in any case. */
  isDefault: boolean;
  /** Takes secrets that are short or common, to be covered as whole words alone. */
  allowWeak: boolean;
}

/** An entry after a change, in its service. */
export interface WrittenEntry {
  service: StoredService;
  entry: StoredEntry;
  warnings: string[];
}

/**
 * Fills a service in. Throws `request.invalid` as `readData` does, `config_entry.label_taken`, `config_entry.too_many`,
 * `config_service.not_found`, `….changed` and `….precondition_failed`.
 */
export async function createEntry(
  deps: ConfigDeps,
  principal: TenantPrincipal,
  name: string,
  request: CreateEntryRequest,
  seen: SeenAs = null,
): Promise<WrittenEntry> {
  const written = await changeSeenService(deps, principal, { name, seen }, (found) =>
    createIn(deps, principal, found, request, seen),
  );
  const { label } = written.entry;
  await deps.audit.record(principal, principal.tenantId, {
    action: "config_entry.created",
    id: name,
    name: label,
    details: { set: Object.keys(request.data), isDefault: written.service.defaultLabel === label },
  });
  return written;
}

async function createIn(
  deps: ConfigDeps,
  principal: TenantPrincipal,
  service: StoredService,
  { label = DEFAULT_ENTRY_LABEL, data, isDefault, allowWeak }: CreateEntryRequest,
  seen: SeenAs,
): Promise<WrittenEntry> {
  requireFreeLabel(service, label);
  requireRoom(service);
  const { values, secrets, warnings } = readData(service, data, NOTHING, allowWeak);
  const at = deps.clock();
  const sealed = await sealSecrets(deps, principal, { ...service, label }, secrets, at);
  const entry: StoredEntry = { label, values, secrets: sealed, createdAt: at, updatedAt: at };
  const entries = [...service.entries, entry];
  requireBounded(entries);
  const defaultLabel = isDefault ? label : (service.defaultLabel ?? label);
  requireMade(await deps.configServices.putEntry(stateOf(service), entry, { was: null, defaultLabel }), seen);
  const written = { entries, defaultLabel, kept: true, revision: service.revision + 1, updatedAt: at };
  return { service: { ...service, ...written }, entry, warnings };
}

const NOTHING = { values: {}, secrets: {} };
