import type { TenantPrincipal } from "@bulkhead/core";
import type { Action } from "@bulkhead/tenants";
import type { GatewayAsked, GatewayOperation } from "@bulkhead/tools/built-in";

/** What an operation does, over use cases that routes of REST have too, and the action whose roles may do it. */
export interface Does<Deps, Asked> {
  action: Action;
  run(deps: Deps, principal: TenantPrincipal, asked: Asked, signal: AbortSignal): Promise<object>;
}

/** All of them: one that is described and not done, or done and not described, has no type. */
export type Operations<Deps> = { [Name in GatewayOperation]: Does<Deps, GatewayAsked<Name>> };
