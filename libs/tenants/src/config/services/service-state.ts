import {
  type ConfigStore,
  type ServiceState,
  type StoredService,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import type { SeenAs } from "@bulkhead/tools";

/** Names the state of a service and its entries: another after every change of either. */
export const serviceTag = ({ name, createdAt, revision }: StoredService): string =>
  `${name}.${createdAt.getTime().toString(36)}.${revision}`;

export const stateOf = ({ tenantId, name, revision }: StoredService): ServiceState => ({
  tenantId,
  name,
  revision,
});

export const noSuchService = (): Fault =>
  new Fault("config_service.not_found", {
    detail: "There is no service with this name; GET /api/v1/config-services lists yours.",
  });

/** Throws `config_service.not_found`. */
export async function getService(
  { configServices }: { configServices: Pick<ConfigStore, "find"> },
  { tenantId }: Pick<TenantPrincipal, "tenantId">,
  name: string,
): Promise<StoredService> {
  const [service] = await configServices.find(tenantId, [name]);
  if (!service) throw noSuchService();
  return service;
}

/** The service. Throws `config_service.precondition_failed` where it is not as the caller has seen it. */
export function requireAsSeen(service: StoredService, seen: SeenAs): StoredService {
  if (seen !== null && !seen.includes(serviceTag(service))) throw notAsSeen();
  return service;
}

/** Throws if a change lost against another one; `changeSeenService` repeats it for callers that named no state. */
export function requireMade(made: boolean, seen: SeenAs): void {
  if (made) return;
  if (seen !== null) throw notAsSeen();
  throw new Fault("config_service.changed", {
    detail: "Somebody else changed or deleted the service or one of its entries; read it again and repeat.",
  });
}

const notAsSeen = () =>
  new Fault("config_service.precondition_failed", {
    detail: "The service was changed since the state that If-Match names; read it again, then decide anew.",
  });
