import {
  configPurpose,
  secretHosts,
  type ConfigStore,
  type ConfigValue,
  type HeldSecret,
  type OpenedEntry,
  type OpenedService,
  type ServiceConfigs,
  type StoredEntry,
  type StoredService,
  type Vault,
} from "@bulkhead/core";

export interface OpenServicesDeps {
  configServices: Pick<ConfigStore, "find">;
  vault: Pick<Vault, "open">;
}

/** Services as an execution may use them. Nothing is cached: each execution gets the present values. */
export const serviceConfigs = (deps: OpenServicesDeps): ServiceConfigs => ({
  async open(tenantId, names) {
    if (names.length === 0) return [];
    const services = await deps.configServices.find(tenantId, names);
    return Promise.all(services.map((service) => openService(deps, service)));
  },
});

async function openService(deps: OpenServicesDeps, service: StoredService): Promise<OpenedService> {
  const { name, kind, displayName, description, category, docsUrl, multiEntry } = service;
  const entries = await Promise.all(service.entries.map((entry) => openEntry(deps, service, entry)));
  return { name, kind, displayName, description, category, docsUrl, multiEntry, entries };
}

async function openEntry(
  { vault }: OpenServicesDeps,
  service: StoredService,
  { label, values, secrets }: StoredEntry,
): Promise<OpenedEntry> {
  const held = {
    service: service.name,
    entry: label,
    hosts: secretHosts(service, values).hosts,
    revealed: service.delivery === "reveal",
    inBody: service.exchangeInBody,
  };
  const opened = Object.entries(secrets).map(
    async ([field, { sealed, wholeWordsOnly }]): Promise<HeldSecret> => {
      const place = { tenantId: service.tenantId, purpose: configPurpose(service.name, label, field) };
      return { ...held, field, value: await vault.open(sealed, place), wholeWordsOnly };
    },
  );
  return {
    label,
    isDefault: label === service.defaultLabel,
    values: withDefaults(service, values),
    secrets: await Promise.all(opened),
  };
}

function withDefaults({ configSchema }: StoredService, values: StoredEntry["values"]) {
  const resolved: Record<string, ConfigValue> = {};
  for (const { name, default: preset } of configSchema) {
    const value = Object.hasOwn(values, name) ? values[name] : preset;
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}
