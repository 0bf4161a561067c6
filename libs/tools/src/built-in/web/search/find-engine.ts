import {
  isSearchProvider,
  newPlaceholder,
  portOf,
  SEARCH_FIELDS,
  SEARCH_PROVIDERS,
  SEARCH_SERVICE,
  type ConfigValue,
  type HeldSecret,
  type OpenedService,
  type PlacedSecret,
  type SearchDefault,
  type ServiceConfigs,
} from "@bulkhead/core";
import type { SearchEngine, SearchPlace } from "./engine.ts";
import { SEARCH_ENGINES } from "./engines.ts";

export interface SearchDeps {
  configs: Pick<ServiceConfigs, "open">;
  /** The operator's; null: tenants have their own or none. */
  byDefault: SearchDefault | null;
}

/** An engine that can be asked. */
export interface FoundEngine {
  engine: SearchEngine;
  place: SearchPlace;
  /** The key, for the way out. */
  secrets: PlacedSecret[];
  /** Whose it is: who can mend what is wrong with it. */
  owner: "tenant" | "operator";
}

export const NO_ENGINE =
  `No search engine is set up: enter a service "${SEARCH_SERVICE}" under Secrets in the console, or by POST /api/v1/config-services, with the fields ` +
  `${SEARCH_FIELDS.provider} (${SEARCH_PROVIDERS.join(", ")}), ${SEARCH_FIELDS.baseUrl}, ${SEARCH_FIELDS.key}.`;

/** The tenant's engine, else the operator's; a text says what is missing. Throws `vault.unreadable`. */
export async function findEngine(
  { configs, byDefault }: SearchDeps,
  tenantId: string,
): Promise<FoundEngine | string> {
  const [service] = await configs.open(tenantId, [SEARCH_SERVICE]);
  const entry = service?.entries.find(({ isDefault }) => isDefault);
  if (entry !== undefined) return ofTenant(entry);
  return byDefault === null ? NO_ENGINE : ofOperator(byDefault);
}

function ofTenant({ values, secrets }: OpenedService["entries"][number]): FoundEngine | string {
  const provider = values[SEARCH_FIELDS.provider];
  if (!isSearchProvider(provider))
    return faulty(`${SEARCH_FIELDS.provider} must be one of ${SEARCH_PROVIDERS.join(", ")}`);
  const key = secrets.find(({ field }) => field === SEARCH_FIELDS.key) ?? null;
  if (key?.revealed)
    return faulty(`${SEARCH_FIELDS.key} must not be given to code: set delivery to "placeholder"`);
  return placed("tenant", provider, {
    baseUrl: textOf(values[SEARCH_FIELDS.baseUrl]),
    engineId: textOf(values[SEARCH_FIELDS.engineId]),
    key,
  });
}

const textOf = (value: ConfigValue | undefined): string | null =>
  value === undefined || value === "" ? null : String(value);

function ofOperator({ provider, baseUrl, engineId, key }: SearchDefault): FoundEngine | string {
  const at = URL.parse(baseUrl ?? SEARCH_ENGINES[provider].baseUrl ?? "");
  const held = { service: SEARCH_SERVICE, entry: "operator", field: SEARCH_FIELDS.key };
  const hosts = at === null ? [] : [`${at.hostname}:${portOf(at)}`];
  const how = { hosts, revealed: false, inBody: false, wholeWordsOnly: false };
  return placed("operator", provider, {
    baseUrl,
    engineId,
    key: key === null ? null : { ...held, ...how, value: key },
  });
}

function placed(
  owner: FoundEngine["owner"],
  provider: SearchEngine["name"],
  {
    baseUrl: said,
    engineId,
    key,
  }: Pick<SearchPlace, "engineId"> & { baseUrl: string | null; key: HeldSecret | null },
): FoundEngine | string {
  const engine = SEARCH_ENGINES[provider];
  const baseUrl = (said ?? engine.baseUrl)?.replace(/\/+$/, "");
  if (baseUrl === undefined) return faulty(`${provider} needs ${SEARCH_FIELDS.baseUrl}`);
  const missing = engine.needs.find((need) => (need === "key" ? key : engineId) === null);
  if (missing !== undefined) return faulty(`${provider} needs ${SEARCH_FIELDS[missing]}`);
  const placeholder = newPlaceholder();
  return {
    engine,
    owner,
    place: { baseUrl, engineId, key: key === null ? null : placeholder },
    secrets: key === null ? [] : [{ placeholder, secret: key }],
  };
}

const faulty = (why: string): string => `The service "${SEARCH_SERVICE}" can't be used: ${why}.`;
