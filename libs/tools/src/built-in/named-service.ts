import type {
  CapabilityAnswer,
  CapabilityCaller,
  ConfigValue,
  OpenedService,
  ServiceKind,
} from "@bulkhead/core";

type Refused = Extract<CapabilityAnswer, { ok: false }>;

/** A service of the platform's own kinds, with what its entry says. */
export interface NamedService {
  ok: true;
  name: string;
  kind: ServiceKind;
  values: Readonly<Record<string, ConfigValue>>;
  secrets: Readonly<Record<string, string>>;
}

/** The service of this name among those that the run was given; another tenant's or one that the tool doesn't name is not. */
export function namedService(
  { services }: Pick<CapabilityCaller, "services">,
  name: string,
  isKind: (kind: ServiceKind) => boolean,
  what: string,
): NamedService | Refused {
  const service = services.find((one) => one.name === name && isKind(one.kind));
  if (!service)
    return refused(
      "not_found",
      `There is no ${what} "${name}" here: a person makes it under Secrets in the console, or by POST /api/v1/config-services; a tool's own code reaches those that its tool names in requiredConfigServices.`,
    );
  const entry = entryOf(service);
  if (!entry)
    return refused(
      "not_found",
      `The ${what} "${name}" is not configured yet; a person fills it in with POST /api/v1/config-services/${name}/entries.`,
    );
  const secrets = Object.fromEntries(entry.secrets.map(({ field, value }) => [field, value]));
  return { ok: true, name, kind: service.kind, values: entry.values, secrets };
}

const entryOf = ({ entries }: OpenedService): OpenedService["entries"][number] | undefined =>
  entries.find(({ isDefault }) => isDefault) ?? entries[0];

export const refused = (code: Refused["code"], message: string): Refused => ({ ok: false, code, message });

/** A value of an entry as a text; empty where there is none. */
export const textOf = ({ values }: Pick<NamedService, "values">, field: string): string =>
  String(values[field] ?? "");
