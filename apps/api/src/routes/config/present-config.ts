import { ConfigEntry, ConfigService, shownAs } from "@bulkhead/contracts";
import { serviceTag, standingOf } from "@bulkhead/tenants";
import { missingFields, outlineOf, secretHosts, type StoredEntry, type StoredService } from "@bulkhead/core";

/** A service with its entries; of secrets only what may be shown. */
export const presentService = (service: StoredService, tools?: string[]) =>
  shownAs(ConfigService, service, {
    ...standingOf(service, service.entries.map(outlineOf)),
    entries: presentEntries(service),
    tools,
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
