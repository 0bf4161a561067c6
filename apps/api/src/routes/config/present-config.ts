import { ConfigEntry, ConfigService, ConfigServicePage } from "@bulkhead/contracts";
import { serviceTag, type ListedService } from "@bulkhead/tenants";
import {
  isConfigured,
  missingFields,
  outlineOf,
  secretHosts,
  type ConfigService as ConfigServiceTerms,
  type EntryOutline,
  type StoredEntry,
  type StoredService,
} from "@bulkhead/core";
import { shownAs } from "../../edge/shown-as.ts";

/** A service as lists show it. */
export const presentSummary = ({ service, tools }: ListedService) =>
  shownAs(ConfigServicePage.shape.services.element, service, {
    ...standingOf(service, service.entries),
    tools: tools.names,
    toolCount: tools.count,
  });

/** A service with its entries; of secrets only what may be shown. */
export const presentService = (service: StoredService, tools?: string[]) =>
  shownAs(ConfigService, service, {
    ...standingOf(service, service.entries.map(outlineOf)),
    entries: presentEntries(service),
    tools,
  });

/** What is filled in where there is no entry. */
const NOTHING = { filled: [] };

const standingOf = (service: ConfigServiceTerms, entries: readonly EntryOutline[]) => ({
  configured: isConfigured(service, entries),
  missing: missingFields(service, entries.find(({ label }) => label === service.defaultLabel) ?? NOTHING),
  labels: entries.map(({ label }) => label),
});

export const presentEntries = (service: StoredService) =>
  service.entries.map((entry) => presentEntry(service, entry));

export function presentEntry(service: StoredService, entry: StoredEntry, warnings: string[] = []) {
  const { hosts, from } = secretHosts(service, entry.values);
  return shownAs(ConfigEntry, entry, {
    isDefault: entry.label === service.defaultLabel,
    data: { ...entry.values, ...secretsOf(entry) },
    missing: missingFields(service, outlineOf(entry)),
    hosts: [...hosts],
    hostsFrom: from,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}

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
