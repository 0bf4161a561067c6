import {
  KIND_FIELDS,
  SECRET_DELIVERIES,
  SERVICE_KINDS,
  type ConfigService,
  type ConfigValue,
  type EntryOutline,
  type ServiceOutline,
  type StoredEntry,
  type StoredSecret,
  type StoredService,
} from "@bulkhead/core";
import { columns } from "../columns.ts";
import type { ConfigEntry, ConfigService as ClientService } from "../generated/client.ts";
import { readObject, type Json } from "../stored-json.ts";
import { isConfigValue, readConfigSchema } from "./config-json.ts";

const FIELDS = {
  tenantId: true,
  name: true,
  kind: true,
  displayName: true,
  description: true,
  category: true,
  docsUrl: true,
  multiEntry: true,
  configSchema: true,
  allowedHosts: true,
  codeHosts: true,
  delivery: true,
  exchangeInBody: true,
  defaultLabel: true,
  registeredBy: true,
  kept: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies { [Field in keyof ConfigService]: true };

/** Of a service `s`, as `ServiceRow` has them. Only SQL reads them, since the client reads "any host" as "no host". */
export const SERVICE_COLUMNS = columns("s", FIELDS);

export type ServiceRow = Omit<Pick<ClientService, keyof typeof FIELDS>, "allowedHosts"> &
  Pick<ConfigService, "allowedHosts">;

/** As `json_build_object` writes times. */
export type EntryRow = Pick<ConfigEntry, "label" | "values" | "secrets"> &
  Record<"createdAt" | "updatedAt", string>;

const toService = (row: ServiceRow): ConfigService => ({
  ...row,
  ...readKind(row),
  delivery: SECRET_DELIVERIES.find((known) => known === row.delivery) ?? "placeholder",
});

/** The fields of a kind are what this build makes of it. One that it doesn't know is an API, as its row describes it. */
function readKind({ kind: said, configSchema }: ServiceRow): Pick<ConfigService, "kind" | "configSchema"> {
  const kind = SERVICE_KINDS.find((known) => known === said) ?? "api";
  return { kind, configSchema: kind === "api" ? readConfigSchema(configSchema) : [...KIND_FIELDS[kind]] };
}

export const toStored = ({
  entries,
  revision,
  ...row
}: ServiceRow & { entries: EntryRow[]; revision: number }): StoredService => ({
  ...toService(row),
  revision,
  entries: entries.map(toEntry),
});

export const toOutline = ({ entries, ...row }: ServiceRow & { entries: EntryOutline[] }): ServiceOutline => ({
  ...toService(row),
  entries,
});

const toEntry = (row: EntryRow): StoredEntry => ({
  label: row.label,
  values: readValues(row.values),
  secrets: readSecrets(row.secrets),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
});

const readValues = (json: Json): Record<string, ConfigValue> =>
  Object.fromEntries(
    Object.entries(readObject(json)).filter((pair): pair is [string, ConfigValue] => isConfigValue(pair[1])),
  );

const readSecrets = (json: Json): Record<string, StoredSecret> =>
  Object.fromEntries(
    Object.entries(readObject(json)).flatMap(([field, secret]) => readSecret(field, secret)),
  );

function readSecret(field: string, json: Json): [string, StoredSecret][] {
  const { sealed, setAt, setBy, lastFour, wholeWordsOnly } = readObject(json);
  if (typeof sealed !== "string" || typeof setAt !== "string" || typeof setBy !== "string") return [];
  return [
    [
      field,
      {
        sealed,
        setAt: new Date(setAt),
        setBy,
        lastFour: typeof lastFour === "string" ? lastFour : null,
        wholeWordsOnly: wholeWordsOnly === true,
      },
    ],
  ];
}
