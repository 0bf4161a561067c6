import { type StoredEntry, type StoredService, type TenantPrincipal, Fault } from "@bulkhead/core";
import type { SeenAs } from "@bulkhead/tools";
import type { ConfigDeps } from "../config-deps.ts";
import { changeSeenService } from "../services/change-seen-service.ts";
import { requireMade, stateOf } from "../services/service-state.ts";
import type { WrittenEntry } from "./create-entry.ts";
import { requireBounded, requireFreeLabel } from "./entry-bounds.ts";
import { readData, type EntryData } from "./read-data.ts";
import { resealSecrets, sealSecrets } from "./seal-secrets.ts";

export interface UpdateEntryRequest {
  label?: string;
  /** Fields that are not named stay; null takes one away. */
  data?: EntryData;
  /** Another entry becomes the default only by its own change. */
  isDefault?: true;
  allowWeak: boolean;
}

/** Throws `config_entry.not_found`. */
function requireEntry({ entries }: StoredService, label: string): StoredEntry {
  const entry = entries.find((one) => one.label === label);
  if (entry) return entry;
  throw new Fault("config_entry.not_found", { detail: "The service has no entry with this label." });
}

/** Changes an entry; the next execution gets its new values. Throws like creation, and `config_entry.not_found`. */
export async function updateEntry(
  deps: ConfigDeps,
  principal: TenantPrincipal,
  name: string,
  was: string,
  request: UpdateEntryRequest,
  seen: SeenAs = null,
): Promise<WrittenEntry> {
  const written = await changeSeenService(deps, principal, { name, seen }, (found) =>
    updateFound(deps, principal, found, was, request, seen),
  );
  const { label } = written.entry;
  await deps.audit.record(principal, principal.tenantId, {
    action: "config_entry.updated",
    id: name,
    name: label,
    details: {
      ...told(request.data ?? {}),
      ...(label === was ? {} : { labelBefore: was }),
      isDefault: written.service.defaultLabel === label,
    },
  });
  return written;
}

async function updateFound(
  deps: ConfigDeps,
  principal: TenantPrincipal,
  service: StoredService,
  was: string,
  request: UpdateEntryRequest,
  seen: SeenAs,
): Promise<WrittenEntry> {
  const before = requireEntry(service, was);
  const { label = was, data, isDefault = false, allowWeak } = request;
  if (label !== was) requireFreeLabel(service, label);
  const read = data === undefined ? UNSAID(before) : readData(service, data, before, allowWeak);
  const at = deps.clock();
  const secrets = {
    ...(await resealSecrets(deps, { ...service, label: was }, { ...service, label }, read.keptSecrets)),
    ...(await sealSecrets(deps, principal, { ...service, label }, read.secrets, at)),
  };
  const entry: StoredEntry = { ...before, label, values: read.values, secrets, updatedAt: at };
  const entries = service.entries.map((one) => (one === before ? entry : one));
  requireBounded(entries);
  const wasDefault = service.defaultLabel === was;
  const defaultLabel = isDefault || wasDefault ? label : (service.defaultLabel ?? label);
  requireMade(await deps.configServices.putEntry(stateOf(service), entry, { was, defaultLabel }), seen);
  const written = { entries, defaultLabel, kept: true, revision: service.revision + 1, updatedAt: at };
  return { service: { ...service, ...written }, entry, warnings: read.warnings };
}

const UNSAID = ({ values, secrets }: StoredEntry) => ({
  values: { ...values },
  secrets: [],
  keptSecrets: secrets,
  warnings: [],
});

/** The names of fields alone. */
const told = (data: EntryData) => ({
  set: Object.keys(data).filter((field) => data[field] !== null),
  cleared: Object.keys(data).filter((field) => data[field] === null),
});

/** Deletes an entry for good; where it was the default, the oldest one left becomes it. Throws as a change does. */
export async function deleteEntry(
  deps: Pick<ConfigDeps, "configServices" | "audit" | "clock">,
  principal: TenantPrincipal,
  name: string,
  label: string,
  seen: SeenAs = null,
): Promise<void> {
  await changeSeenService(deps, principal, { name, seen }, async (service) => {
    requireEntry(service, label);
    const oldest = service.entries.find((one) => one.label !== label)?.label ?? null;
    const defaultLabel = service.defaultLabel === label ? oldest : service.defaultLabel;
    requireMade(
      await deps.configServices.dropEntry(stateOf(service), label, defaultLabel, deps.clock()),
      seen,
    );
  });
  await deps.audit.record(principal, principal.tenantId, {
    action: "config_entry.deleted",
    id: name,
    name: label,
  });
}
