import {
  CONFIG_SERVICES_MAX,
  isConfigured,
  type AuditAction,
  type TenantPrincipal,
  type ToolServices,
} from "@bulkhead/core";
import type { ConfigDeps } from "./config-deps.ts";
import { describeServices } from "./describe-services.ts";

type ToolServiceDeps = Pick<ConfigDeps, "configServices" | "audit" | "clock">;

/** The tools' port to the config centre, on the store of services. */
export const toolServices = (deps: ToolServiceDeps): ToolServices => ({
  async register(by, needs) {
    if (needs.services.length === 0) return;
    const isOfModel = needs.createdBy === "llm" || by.role === "agent";
    const services = describeServices(needs, isOfModel, deps.clock());
    const made = await deps.configServices.register(services, CONFIG_SERVICES_MAX);
    await tell(deps, by, "config_service.registered", made, { toolId: needs.id });
  },
  async release(by, names) {
    if (names.length === 0) return;
    const gone = await deps.configServices.release(by.tenantId, names);
    await tell(deps, by, "config_service.released", gone);
    await passOn(deps, by, names);
  },
  async unconfigured(tenantId, tools) {
    const names = [...new Set(tools.flatMap(({ services }) => services))];
    if (names.length === 0) return tools.map(() => []);
    const found = await deps.configServices.outlines(tenantId, names);
    const ready = new Set(
      found.filter((service) => isConfigured(service, service.entries)).map(({ name }) => name),
    );
    return tools.map(({ services }) => services.filter((name) => !ready.has(name)));
  },
  async kinds(tenantId, names) {
    if (names.length === 0) return [];
    return (await deps.configServices.outlines(tenantId, names)).map(({ kind }) => kind);
  },
  async revealed(tenantId, names) {
    if (names.length === 0) return [];
    const found = await deps.configServices.outlines(tenantId, names);
    return names.filter((name) =>
      found.some((service) => service.name === name && service.delivery === "reveal"),
    );
  },
});

/** Describes services that are still needed by a tool that remains: no text of a deleted tool stays. */
async function passOn(deps: ToolServiceDeps, by: TenantPrincipal, names: readonly string[]): Promise<void> {
  for (const { registeredBy, needs } of await deps.configServices.heirs(by.tenantId, names)) {
    const services = describeServices(needs, needs.createdBy === "llm", deps.clock());
    for (const service of services) {
      const isMade = await deps.configServices.inherit(service, registeredBy);
      if (isMade) await tell(deps, by, "config_service.registered", [service.name], { toolId: needs.id });
    }
  }
}

const tell = (
  { audit }: Pick<ToolServiceDeps, "audit">,
  by: TenantPrincipal,
  action: AuditAction,
  names: readonly string[],
  details: Record<string, string> = {},
): Promise<void> => audit.record(by, by.tenantId, ...names.map((name) => ({ action, id: name, details })));
