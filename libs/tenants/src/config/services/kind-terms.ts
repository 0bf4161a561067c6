import {
  DEFAULT_CONFIG_SCHEMA,
  Fault,
  KIND_FIELDS,
  type ConfigField,
  type ServiceKind,
  type ServiceTerms,
  type StoredService,
} from "@bulkhead/core";
import { invalidInput } from "../input-fault.ts";

/** The terms of a service that the platform speaks with itself: no code holds its secrets, and its entry says where it is. */
export const PLATFORM_TERMS = {
  multiEntry: false,
  allowedHosts: null,
  delivery: "placeholder",
  exchangeInBody: false,
} as const satisfies Partial<ServiceTerms>;

/** Throws `request.invalid` where terms are named that only an API has. */
export function requireOwnTerms(kind: ServiceKind, terms: Partial<ServiceTerms>): void {
  if (kind === "api") return;
  const faults = [
    ...(terms.configSchema === undefined ? [] : ["configSchema"]),
    ...Object.entries(PLATFORM_TERMS).flatMap(([name, own]) => {
      const said = terms[name as keyof typeof PLATFORM_TERMS];
      return said === undefined || said === own ? [] : [name];
    }),
  ];
  if (faults.length === 0) return;
  const message = `can't be chosen for a service of the kind ${kind}, which the platform speaks with itself`;
  throw invalidInput(faults.map((path) => ({ path, message })));
}

/** The fields of a new service of the kind. */
export const fieldsOf = (
  kind: ServiceKind,
  asked: ConfigField[] | undefined,
): { configSchema: ConfigField[] } => ({
  configSchema: kind === "api" ? (asked ?? [...DEFAULT_CONFIG_SCHEMA]) : [...KIND_FIELDS[kind]],
});

/** Throws `config_service.in_use` where entries hold the values of the former kind. */
export function requireEmpty({ kind, entries }: StoredService): void {
  if (entries.length === 0) return;
  throw new Fault("config_service.in_use", {
    detail: `The service has ${entries.length === 1 ? "an entry" : "entries"} of the kind ${kind}; delete what it holds first.`,
    errors: [{ path: "kind", message: "can't change while there are entries" }],
  });
}
