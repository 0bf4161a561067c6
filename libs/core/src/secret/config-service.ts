import type { ServiceKind } from "./service-kind.ts";

export const CONFIG_FIELD_TYPES = ["text", "secret", "url", "number", "boolean", "select"] as const;
export type ConfigFieldType = (typeof CONFIG_FIELD_TYPES)[number];

export type ConfigValue = string | number | boolean;

/** One field that each entry of a service fills in. */
export interface ConfigField {
  name: string;
  type: ConfigFieldType;
  required: boolean;
  /** Never of a secret. */
  default?: ConfigValue;
  description?: string;
  /** All choices of a `select`. */
  options?: string[];
}

/** The fields of a service for which nobody names any. */
export const DEFAULT_CONFIG_SCHEMA: readonly ConfigField[] = [
  { name: "api_key", type: "secret", required: true, description: "The key that the service gave you." },
  { name: "base_url", type: "url", required: false, description: "Where the service is asked." },
];

/** The field that tells where a service is, where the service itself doesn't say it. */
export const BASE_URL_FIELD = "base_url";

/** The label of an entry for which nobody names one. */
export const DEFAULT_ENTRY_LABEL = "default";

export const CONFIG_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const FIELD_NAME = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/;
/**
 * Allows no slashes, no invisible characters, and neither `.` nor `..`: the label stands in paths, which clients
 * normalise.
 */
export const ENTRY_LABEL = /^(?!\.{1,2}$)[^\p{C}\p{Z}/\\](?:[^\p{C}/\\]*[^\p{C}\p{Z}/\\])?$/u;
/** The length of a service's name and of a field's. */
export const CONFIG_NAME_CHARS_MAX = 64;
export const ENTRY_LABEL_CHARS_MAX = 64;
/** Services of a tenant, fields and entries of a service, choices of a field. */
export const CONFIG_SERVICES_MAX = 500;
export const CONFIG_FIELDS_MAX = 32;
export const CONFIG_ENTRIES_MAX = 50;
export const FIELD_OPTIONS_MAX = 100;
/** Bytes of one value, and of all values of all entries of one service, in UTF-8. */
export const CONFIG_VALUE_BYTES_MAX = 16 * 1024;
export const CONFIG_SERVICE_BYTES_MAX = 256 * 1024;

/**
 * How a tool gets a secret field: as a placeholder that is only exchanged on the way out, or as the value itself, which
 * some signatures need.
 */
export const SECRET_DELIVERIES = ["placeholder", "reveal"] as const;
type SecretDelivery = (typeof SECRET_DELIVERIES)[number];

/** An outside service that tools use, with its fields and rules. */
export interface ConfigService {
  tenantId: string;
  name: string;
  kind: ServiceKind;
  displayName: string | null;
  description: string | null;
  category: string | null;
  docsUrl: string | null;
  /** Whether there may be more than one entry. */
  multiEntry: boolean;
  configSchema: ConfigField[];
  /**
   * The hosts that its secrets may be sent to, in the words of a tool's `allowedHosts`; empty: none; null: as
   * `secretHosts` says.
   */
  allowedHosts: string[] | null;
  /** The hosts that stood in the code of the tool that registered it, likewise. */
  codeHosts: string[];
  delivery: SecretDelivery;
  /** Whether a placeholder is exchanged in request bodies too. */
  exchangeInBody: boolean;
  /** The entry that is meant where none is named; null where there is none. */
  defaultLabel: string | null;
  /** The tool that registered it; null where a person made it. */
  registeredBy: string | null;
  /** Whether a person made, changed or filled it: then it stays when no tool needs it any more. */
  kept: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The visible facts about a stored secret. */
export interface SecretFacts {
  setAt: Date;
  /** The key that set it. */
  setBy: string;
  /** Null where showing them would tell too much of it. */
  lastFour: string | null;
  /** A short or common value: covered only where it stands as a whole word. */
  wholeWordsOnly: boolean;
}

/** One set of values of a service, under a label that its author chose. */
export interface ConfigEntry {
  label: string;
  /** All but the secrets. */
  values: Readonly<Record<string, ConfigValue>>;
  secrets: Readonly<Record<string, SecretFacts>>;
  createdAt: Date;
  updatedAt: Date;
}

/** The names of the fields that an entry fills in. */
export interface EntryOutline {
  label: string;
  filled: readonly string[];
}

export const outlineOf = ({ label, values, secrets }: ConfigEntry): EntryOutline => ({
  label,
  filled: [...Object.keys(values), ...Object.keys(secrets)],
});

/** The required fields that an entry lacks. */
export const missingFields = (
  { configSchema }: Pick<ConfigService, "configSchema">,
  { filled }: Pick<EntryOutline, "filled">,
): string[] =>
  configSchema
    .filter(
      ({ name, required, default: preset }) => required && preset === undefined && !filled.includes(name),
    )
    .map(({ name }) => name);

/** Whether the entry that is meant where none is named has all that is required. */
export function isConfigured(
  service: Pick<ConfigService, "configSchema" | "defaultLabel">,
  entries: readonly EntryOutline[],
): boolean {
  const meant = entries.find(({ label }) => label === service.defaultLabel);
  return meant !== undefined && missingFields(service, meant).length === 0;
}
