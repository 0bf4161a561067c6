import {
  CONFIG_FIELD_TYPES,
  SERVICE_KINDS,
  type ConfigField,
  type ConfigValue,
  type RequiredConfigService,
} from "@bulkhead/core";
import { readObject, readRequiredApiKeys, type Json } from "../stored-json.ts";

// As in stored-json.ts: each reader takes what it knows, leaves out what it doesn't, and fills in what is missing.

export function readRequiredServices(json: Json): RequiredConfigService[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry) => {
    const { kind: said, multiEntry, configSchema } = readObject(entry);
    const kind = SERVICE_KINDS.find((known) => known === said);
    return readRequiredApiKeys([entry]).map((told) => ({
      ...told,
      ...(kind === undefined ? {} : { kind }),
      ...(typeof multiEntry === "boolean" ? { multiEntry } : {}),
      ...(Array.isArray(configSchema) ? { configSchema: readConfigSchema(configSchema) } : {}),
    }));
  });
}

/** A field of a type that this build does not know is a secret: nobody is shown it. */
export function readConfigSchema(json: Json): ConfigField[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry) => {
    const { name, type, required, default: preset, description, options } = readObject(entry);
    if (typeof name !== "string") return [];
    const field: ConfigField = {
      name,
      type: CONFIG_FIELD_TYPES.find((known) => known === type) ?? "secret",
      required: required === true,
    };
    if (isConfigValue(preset)) field.default = preset;
    if (typeof description === "string") field.description = description;
    if (Array.isArray(options)) field.options = options.filter((option) => typeof option === "string");
    return [field];
  });
}

export const isConfigValue = (value: Json | undefined): value is ConfigValue =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";
