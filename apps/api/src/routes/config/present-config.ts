import { serviceTag } from "@bulkhead/tenants";
import {
  isConfigured,
  missingFields,
  outlineOf,
  secretHosts,
  type ConfigService,
  type EntryOutline,
  type ServiceOutline,
  type StoredEntry,
  type StoredService,
} from "@bulkhead/core";

/** A service as lists show it. */
export const presentSummary = (service: ServiceOutline) => summaryOf(service, service.entries);

/** A service with its entries; of secrets only what may be shown. */
export const presentService = (service: StoredService, tools?: string[]) => ({
  ...summaryOf(service, service.entries.map(outlineOf)),
  entries: presentEntries(service),
  tools,
});

export const presentEntries = (service: StoredService) =>
  service.entries.map((entry) => presentEntry(service, entry));

export const presentEntry = (service: StoredService, entry: StoredEntry, warnings: string[] = []) => {
  const { hosts, from } = secretHosts(service, entry.values);
  return {
    label: entry.label,
    isDefault: entry.label === service.defaultLabel,
    data: { ...entry.values, ...secretsOf(entry) },
    missing: missingFields(service, outlineOf(entry)),
    hosts: [...hosts],
    hostsFrom: from,
    createdAt: entry.createdAt.toISOString(),
    updatedAt: entry.updatedAt.toISOString(),
    warnings: warnings.length > 0 ? warnings : undefined,
  };
};

/** The value of `ETag` of a service and of its entries. */
export const etagOf = (service: StoredService): string => `"${serviceTag(service)}"`;

const secretsOf = ({ secrets }: StoredEntry) =>
  Object.fromEntries(
    Object.entries(secrets).map(([field, { setAt, setBy, lastFour, wholeWordsOnly }]) => [
      field,
      {
        isSet: true as const,
        setAt: setAt.toISOString(),
        setBy,
        lastFour: lastFour ?? undefined,
        wholeWordsOnly,
      },
    ]),
  );

const summaryOf = (service: ConfigService, entries: readonly EntryOutline[]) => ({
  name: service.name,
  displayName: service.displayName ?? undefined,
  description: service.description ?? undefined,
  category: service.category ?? undefined,
  docsUrl: service.docsUrl ?? undefined,
  multiEntry: service.multiEntry,
  configSchema: service.configSchema,
  allowedHosts: service.allowedHosts ?? undefined,
  codeHosts: service.codeHosts,
  delivery: service.delivery,
  exchangeInBody: service.exchangeInBody,
  registeredBy: service.registeredBy ?? undefined,
  kept: service.kept,
  configured: isConfigured(service, entries),
  labels: entries.map(({ label }) => label),
  createdAt: service.createdAt.toISOString(),
  updatedAt: service.updatedAt.toISOString(),
});
