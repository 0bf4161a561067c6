import type { ConfigField } from "../secret/config-service.ts";
import type { ServiceKind } from "../secret/service-kind.ts";

/** A service that a tool needs, as it was declared before services had fields of their own. */
export interface RequiredApiKey {
  name: string;
  displayName?: string;
  description?: string;
  category?: string;
  docsUrl?: string;
}

/** A service that a tool needs. A field that is left out is as the service has it, or as `DEFAULT_CONFIG_SCHEMA` says. */
export interface RequiredConfigService extends RequiredApiKey {
  /** Left out: an API. The fields of another kind are the platform's. */
  kind?: ServiceKind;
  multiEntry?: boolean;
  configSchema?: ConfigField[];
}

/** A tool's description of the services it needs; the two lists together name each service once or more. */
export interface Requirements {
  requiredApiKeys: RequiredApiKey[];
  requiredConfigServices: RequiredConfigService[];
}

type Named<T> = { [K in keyof T]: readonly { name: string }[] };

/** The length of each of the two lists. */
export const REQUIRED_SERVICES_MAX = 32;

/** The names of all services that are needed, sorted and each once. */
export const servicesOf = ({ requiredApiKeys, requiredConfigServices }: Named<Requirements>): string[] =>
  [...new Set([...requiredApiKeys, ...requiredConfigServices].map(({ name }) => name))].toSorted();

/** The requirements reduced or extended to exactly these services; a service without a description gets only its name. */
export function requirementsOf(services: readonly string[], told: Requirements): Requirements {
  const known = servicesOf(told);
  const isNeeded = ({ name }: RequiredApiKey) => services.includes(name);
  const added = services.filter((name) => !known.includes(name)).map((name) => ({ name }));
  return {
    requiredApiKeys: told.requiredApiKeys.filter(isNeeded),
    requiredConfigServices: [...told.requiredConfigServices.filter(isNeeded), ...added],
  };
}
