import {
  SECRET_DELIVERIES,
  type ConfigService,
  type ConfigValue,
  type EntryOutline,
  type Json,
  type ServiceOutline,
  type StoredEntry,
  type StoredSecret,
  type StoredService,
} from "@bulkhead/core";
import { readObject } from "../stored-json.ts";
import { isConfigValue, readConfigSchema } from "./config-json.ts";

/** The columns of a service `s`, named as `ServiceRow` has them. */
export const SERVICE_COLUMNS = `s.tenant_id, s.name, s.display_name, s.description, s.category, s.docs_url, s.multi_entry,
  s.config_schema, s.allowed_hosts, s.code_hosts, s.delivery, s.exchange_in_body, s.default_label, s.registered_by, s.kept,
  s.revision, s.created_at, s.updated_at`;

export interface ServiceRow {
  tenant_id: string;
  name: string;
  display_name: string | null;
  description: string | null;
  category: string | null;
  docs_url: string | null;
  multi_entry: boolean;
  config_schema: Json;
  allowed_hosts: string[] | null;
  code_hosts: string[];
  delivery: string;
  exchange_in_body: boolean;
  default_label: string | null;
  registered_by: string | null;
  kept: boolean;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export interface EntryRow {
  service: string;
  label: string;
  values: Json;
  secrets: Json;
  created_at: Date;
  updated_at: Date;
}

const toService = (row: ServiceRow): ConfigService => ({
  tenantId: row.tenant_id,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  category: row.category,
  docsUrl: row.docs_url,
  multiEntry: row.multi_entry,
  configSchema: readConfigSchema(row.config_schema),
  allowedHosts: row.allowed_hosts,
  codeHosts: row.code_hosts,
  delivery: SECRET_DELIVERIES.find((known) => known === row.delivery) ?? "placeholder",
  exchangeInBody: row.exchange_in_body,
  defaultLabel: row.default_label,
  registeredBy: row.registered_by,
  kept: row.kept,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const toStored = (row: ServiceRow, entries: EntryRow[]): StoredService => ({
  ...toService(row),
  revision: row.revision,
  entries: entries.filter(({ service }) => service === row.name).map(toEntry),
});

export const toOutline = (
  row: ServiceRow,
  entries: (EntryOutline & { service: string })[],
): ServiceOutline => ({
  ...toService(row),
  entries: entries
    .filter(({ service }) => service === row.name)
    .map(({ label, filled }) => ({ label, filled })),
});

const toEntry = (row: EntryRow): StoredEntry => ({
  label: row.label,
  values: readValues(row.values),
  secrets: readSecrets(row.secrets),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
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
