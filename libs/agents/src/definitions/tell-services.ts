import { isConfigured, type ConfigStore, type ProvidedTool, type ServiceOutline } from "@bulkhead/core";
import { mayCallWith, type BuiltInPolicies } from "./built-ins.ts";

/** Characters of a tool's description that name services; some models take 1,024 of a description in all. */
export const SERVICES_CHARS_MAX = 450;
/** Characters of what people call one. */
const DISPLAY_NAME_CHARS_MAX = 60;

export interface ServiceNames {
  configServices: Pick<ConfigStore, "outlinesOf">;
}

/** The tools, those that a service's name is an argument of with the tenant's services; nothing is read where there are none. */
export async function tellServices<T extends ProvidedTool>(
  { configServices }: ServiceNames,
  tenantId: string,
  policies: BuiltInPolicies,
  tools: readonly T[],
): Promise<readonly T[]> {
  const kinds = new Set(tools.flatMap(({ serviceKinds = [] }) => serviceKinds));
  if (kinds.size === 0) return tools;
  const services = await configServices.outlinesOf(tenantId, [...kinds]);
  return tools.map((tool) => withServices(tool, services, policies));
}

/** The tool with the names of those of these services that who asks may give it, in their order, as far as there is room. */
export function withServices<T extends ProvidedTool>(
  tool: T,
  services: readonly ServiceOutline[],
  policies: BuiltInPolicies,
): T {
  const { serviceArgument, serviceKinds, description } = tool;
  if (serviceArgument === undefined || serviceKinds === undefined) return tool;
  const words = services
    .filter(({ kind }) => serviceKinds.includes(kind))
    .filter((service) => isConfigured(service, service.entries))
    .filter(({ name }) => mayCallWith(policies, tool, { [serviceArgument]: name }))
    .map(wordsOf);
  let room = SERVICES_CHARS_MAX;
  const told = words.filter((word) => (room -= word.length + 2) >= 0);
  const left = words.length - told.length;
  const list = told.length === 0 ? "none yet" : told.join(", ") + (left > 0 ? `, and ${left} more` : "");
  return { ...tool, description: `${description} For ${serviceArgument} this tenant has ${list}.` };
}

function wordsOf({ name, kind, displayName }: ServiceOutline): string {
  const called = displayName === null ? "" : `: ${clipped(displayName.replaceAll(/\s+/g, " "))}`;
  return `${name} (${kind}${called})`;
}

const clipped = (text: string): string =>
  text.length > DISPLAY_NAME_CHARS_MAX ? `${text.slice(0, DISPLAY_NAME_CHARS_MAX).toWellFormed()}…` : text;
