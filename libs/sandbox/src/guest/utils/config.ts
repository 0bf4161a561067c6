import { lazily } from "../lazily.ts";
import { runFacts } from "../run-facts.ts";
import { takeText } from "./arguments.ts";
import { warnOfMissing, whyMissing } from "./missing-service.ts";
import { ownValue } from "./own.ts";

/** One set of values of a service, under the label that its author chose. */
interface ConfigEntry {
  label: string;
  isDefault: boolean;
  data: Record<string, unknown>;
}

/** A run's facts about one service, among them its display name, base URL and so on. */
interface ServiceConfig extends Record<string, unknown> {
  entries: ConfigEntry[];
}

const services = lazily(() => {
  const { services: told = {} } = JSON.parse(runFacts.configJson) as {
    services?: Record<string, ServiceConfig>;
  };
  return told;
});

const toldOf = (name: string) => ownValue(services(), name) as ServiceConfig | undefined;

/** The run's log says so where there is nothing to be had of the service. */
function serviceOf(fn: string, serviceName: unknown): ServiceConfig | undefined {
  const name = takeText(fn, "serviceName", serviceName);
  const told = toldOf(name);
  warnOfMissing(name, told);
  return told;
}

/** Why the run has no values of a service, and what to do; null if it has some. */
export const whyNoValues = (service: string): string | null => whyMissing(service, toldOf(service));

/** The entry of that label; without one the default entry, which is the first if none is marked. */
function entryOf(fn: string, serviceName: unknown, entryLabel: unknown): ConfigEntry | undefined {
  const entries = serviceOf(fn, serviceName)?.entries ?? [];
  if (entryLabel === undefined || entryLabel === null)
    return entries.find((entry) => entry.isDefault) ?? entries[0];
  const label = takeText(fn, "entryLabel", entryLabel);
  return entries.find((entry) => entry.label === label);
}

/** A change that a tool makes to its copy is not seen by the next look-up. */
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The field `api_key` of the default entry; undefined where there is none. */
export function getApiKey(serviceName: string): string | undefined {
  const key = ownValue(entryOf("getApiKey", serviceName, undefined)?.data, "api_key");
  return typeof key === "string" ? key : undefined;
}

/** Everything known of a service, its entries included; null for one that the run doesn't know. */
export function getServiceConfig(serviceName: string): object | null {
  const service = serviceOf("getServiceConfig", serviceName);
  return service === undefined ? null : copyOf(service);
}

/** The values of one entry, by its label or the default one; null where there is none. */
export function getConfigEntry(serviceName: string, entryLabel?: string): object | null {
  const entry = entryOf("getConfigEntry", serviceName, entryLabel);
  return entry === undefined ? null : copyOf(entry.data);
}

/** Every entry of a service as `{label, isDefault, data}`; none for a service that the run doesn't know. */
export const getConfigEntries = (serviceName: string): ConfigEntry[] =>
  copyOf(serviceOf("getConfigEntries", serviceName)?.entries ?? []);

/** One value of an entry, by its label or of the default one; undefined if there is none. */
export function getFieldValue(serviceName: string, fieldName: string, entryLabel?: string): unknown {
  const field = takeText("getFieldValue", "fieldName", fieldName);
  const value = ownValue(entryOf("getFieldValue", serviceName, entryLabel)?.data, field);
  return value === undefined ? undefined : copyOf(value);
}
