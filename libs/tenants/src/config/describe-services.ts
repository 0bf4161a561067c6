import {
  BASE_URL_FIELD,
  KIND_FIELDS,
  namesSecret,
  readAllowedHosts,
  type ConfigField,
  type NewConfigService,
  type ServiceNeeds,
} from "@bulkhead/core";
import { literalHosts } from "@bulkhead/tools/code";
import { PLAIN_SERVICE } from "./services/create-service.ts";
import { PLATFORM_TERMS } from "./services/kind-terms.ts";

/**
 * The services as a tool tells of them; where both of its lists name one, the later kind of telling holds. A model's word
 * neither says where a secret may go nor has one shown.
 */
export function describeServices(
  needs: ServiceNeeds,
  isOfModel: boolean,
  createdAt: Date,
): NewConfigService[] {
  const codeHosts = isOfModel ? [] : literalHosts(needs.code).flatMap(inOneNotation);
  return needs.services.map((name) => {
    const isIt = (told: { name: string }) => told.name === name;
    const told = { ...needs.requiredApiKeys.find(isIt), ...needs.requiredConfigServices.find(isIt) };
    const service = { ...PLAIN_SERVICE, ...told };
    const { kind } = service;
    const configSchema = kind === "api" ? service.configSchema : [...KIND_FIELDS[kind]];
    return {
      ...service,
      ...(kind === "api" ? {} : PLATFORM_TERMS),
      configSchema: kind === "api" && isOfModel ? configSchema.map(withoutReach) : configSchema,
      name,
      tenantId: needs.tenantId,
      codeHosts,
      registeredBy: needs.id,
      kept: false,
      createdAt,
    };
  });
}

/** The field with its input hidden if it is likely a secret, and without a default host that a secret could be sent to. */
function withoutReach(field: ConfigField): ConfigField {
  const { default: _default, options: _options, ...bare } = field;
  if (field.name === BASE_URL_FIELD || field.type === "url") return { ...bare, type: "url" };
  const isText = field.type === "text" || field.type === "select";
  return isText && namesSecret(field.name) ? { ...bare, type: "secret" } : field;
}

/** The host as a pattern; none if no pattern can express it. */
function inOneNotation(host: string): string[] {
  const read = readAllowedHosts([host]);
  return read.ok ? read.hosts : [];
}
