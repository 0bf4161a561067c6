import type { ConfigField } from "../secret/config-service.ts";

/** A service that a tool needs, as it was declared before services had fields of their own. */
export interface RequiredApiKey {
  name: string;
  displayName?: string;
  description?: string;
  category?: string;
  docsUrl?: string;
}

/** A service that a tool needs. What is left out is as the service has it, or as `DEFAULT_CONFIG_SCHEMA` says. */
export interface RequiredConfigService extends RequiredApiKey {
  multiEntry?: boolean;
  configSchema?: ConfigField[];
}

/** What a tool tells of the services it needs; together they name each once or more. */
export interface Requirements {
  requiredApiKeys: RequiredApiKey[];
  requiredConfigServices: RequiredConfigService[];
}

type Named<T> = { [K in keyof T]: readonly { name: string }[] };

/** Of each of the two lists. */
export const REQUIRED_SERVICES_MAX = 32;

/** The names of all services that are needed, sorted and each once. */
export const servicesOf = ({ requiredApiKeys, requiredConfigServices }: Named<Requirements>): string[] =>
  [...new Set([...requiredApiKeys, ...requiredConfigServices].map(({ name }) => name))].toSorted();

/** The requirements cut down or filled up to just these services; what is not told of one yet is only its name. */
export function requirementsOf(services: readonly string[], told: Requirements): Requirements {
  const known = servicesOf(told);
  const isNeeded = ({ name }: RequiredApiKey) => services.includes(name);
  const added = services.filter((name) => !known.includes(name)).map((name) => ({ name }));
  return {
    requiredApiKeys: told.requiredApiKeys.filter(isNeeded),
    requiredConfigServices: [...told.requiredConfigServices.filter(isNeeded), ...added],
  };
}
