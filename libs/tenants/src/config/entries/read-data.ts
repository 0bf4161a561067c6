import {
  configValueFault,
  judgeSecret,
  kindFaults,
  SECRET_CHARS_MIN,
  type ConfigService,
  type ConfigValue,
  type StoredEntry,
  type FaultDetail,
} from "@bulkhead/core";
import { invalidInput } from "../input-fault.ts";

/** Values by field; null removes a value, and a missing field keeps its own. */
export type EntryData = Readonly<Record<string, ConfigValue | null>>;

/** A secret of the request, before it is sealed. */
export interface SaidSecret {
  field: string;
  value: string;
  wholeWordsOnly: boolean;
}

export interface ReadData {
  /** All but the secrets, with those that stay. */
  values: Record<string, ConfigValue>;
  secrets: SaidSecret[];
  /** The secrets that stay. */
  keptSecrets: StoredEntry["secrets"];
  warnings: string[];
}

/**
 * Checks data against the fields of the service. Throws `request.invalid` with the path of each fault, and never with a
 * value: unknown fields, values of another type, required fields that stay empty or are set to blank, and secrets that are
 * too short or too common to be told from other text, unless `allowWeak`.
 */
export function readData(
  { kind, configSchema: schema }: Pick<ConfigService, "kind" | "configSchema">,
  data: EntryData,
  before: Pick<StoredEntry, "values" | "secrets">,
  allowWeak: boolean,
): ReadData {
  const faults: FaultDetail[] = [];
  const fault = (field: string, message: string) => void faults.push({ path: `data.${field}`, message });
  const warnings: string[] = [];
  const values = { ...before.values };
  const keptSecrets = { ...before.secrets };
  const secrets: SaidSecret[] = [];
  for (const [field, value] of Object.entries(data)) {
    const wanted = schema.find(({ name }) => name === field);
    if (!wanted) {
      fault(field, `is not a field of the service, which has ${schema.map(({ name }) => name).join(", ")}`);
      continue;
    }
    delete values[field];
    delete keptSecrets[field];
    if (value === null) continue;
    const wrong = configValueFault(wanted, value);
    if (wrong !== null) fault(field, wrong);
    else if (wanted.type !== "secret") values[field] = value;
    else {
      const weakness = weaknessOf(String(value));
      if (weakness !== null && !allowWeak) fault(field, `${weakness}; ${WEAK_ADVICE}`);
      if (weakness !== null) warnings.push(`data.${field} ${weakness}: ${WEAK_WARNING}.`);
      secrets.push({ field, value: String(value), wholeWordsOnly: weakness !== null });
    }
  }
  for (const { name, required, default: preset } of schema) {
    const isSaid = Object.hasOwn(data, name) && data[name] !== null;
    const isFilled = isSaid || Object.hasOwn(values, name) || Object.hasOwn(keptSecrets, name);
    if (required && preset === undefined && !isFilled) fault(name, "is required");
  }
  for (const { field, message } of kindFaults(kind, values)) fault(field, message);
  if (faults.length > 0) throw invalidInput(faults);
  return { values, secrets, keptSecrets, warnings };
}

const WEAK_ADVICE =
  "it would be covered wherever it stands in a text by chance. Use a stronger one, or say allowWeak: true to have it covered only where it stands as a whole word";
const WEAK_WARNING = "it is covered only where it stands as a whole word";

/** Why a value can't be covered wherever it stands; null where it can. */
export function weaknessOf(value: string): string | null {
  const judgement = judgeSecret(value);
  if (judgement === "ok") return null;
  return judgement === "short"
    ? `is short (under ${SECRET_CHARS_MIN} characters)`
    : "is a common word or mostly one character";
}
