import type { ConfigStore, StoredService, TenantPrincipal } from "@bulkhead/core";
import { changeInTurn, type SeenAs } from "@bulkhead/tools";
import { getService, noSuchService, requireAsSeen } from "./service-state.ts";

/**
 * Changes the service that has this name when the change arrives. A service has no id, and its name never changes: another
 * `createdAt` under it is another service, made after this one was deleted, with fields and hosts of its own, and no try
 * touches that. `change` gets the service in a state that the caller has seen, and ends in `requireMade`. Throws
 * `config_service.not_found`, `….precondition_failed` and `….changed`.
 */
export const changeSeenService = <T>(
  deps: { configServices: Pick<ConfigStore, "find"> },
  principal: TenantPrincipal,
  { name, seen }: { name: string; seen: SeenAs },
  change: (current: StoredService) => Promise<T>,
): Promise<T> => {
  const look = () => getService(deps, principal, name);
  return changeInTurn(
    {
      find: async () => requireAsSeen(await look(), seen),
      findAgain: async ({ createdAt }) => {
        const service = await look();
        if (service.createdAt.getTime() !== createdAt.getTime()) throw noSuchService();
        return requireAsSeen(service, seen);
      },
      keyOf: ({ tenantId }) => JSON.stringify([tenantId, name]),
      kind: "configService",
      isStateNamed: seen !== null,
    },
    change,
  );
};
