import {
  authenticate,
  hashApiKey,
  requireAction,
  type Action,
  type AuthenticateDeps,
} from "@bulkhead/tenants";
import type { Principal, SignalBus } from "@bulkhead/core";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route does this; a key that may not is refused before its body is read. */
    action?: Action;
  }
  interface FastifyRequest {
    /** Set on every route under /api. */
    principal: Principal;
    /** The `revision` of the remembered principals before this one was asked for. */
    principalRevision: number;
  }
}

/** Every request of this scope must carry a valid key. */
export function useAuthentication(app: FastifyInstance, deps: AuthenticateDeps): void {
  app.decorateRequest("principal");
  app.decorateRequest("principalRevision", 0);
  app.addHook("onRequest", (request) => identify(request, deps));
}

async function identify(request: FastifyRequest, deps: AuthenticateDeps): Promise<void> {
  request.principalRevision = deps.principals.revision;
  const principal = await authenticate(deps, request.headers.authorization);
  // A copy: principals are remembered between requests.
  request.principal = { ...principal, requestId: request.id };
}

/**
 * Looks the principal up again if any change was heard while the limits were asked and the body came: another API may have
 * deleted a key or changed a tenant's settings, and its word arrives beside the next request. Put it behind `useRateLimit`.
 */
export function useFreshPrincipal(app: FastifyInstance, deps: AuthenticateDeps): void {
  app.addHook("preValidation", async (request) => {
    if (request.principalRevision === deps.principals.revision) return;
    await identify(request, deps);
    const { action } = request.routeOptions.config;
    if (action) requireAction(request.principal, action);
  });
}

/** Calls `then` once the key of the request is gone; returns what ends the watch. */
export function watchKey(
  signals: Pick<SignalBus, "subscribe">,
  { headers }: FastifyRequest,
  then: () => void,
): () => void {
  // The header has passed authentication: its last word is the key, and signals name keys by their hash.
  const keyHash = hashApiKey(headers.authorization?.split(" ").at(-1) ?? "");
  return signals.subscribe((signal) => {
    if (signal.type === "forget" && signal.kind === "key" && signal.id === keyHash) then();
  });
}

/** Every request's key must be of a role that may do what the route does. Needs `useAuthentication`. */
export function usePermissions(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { action } = request.routeOptions.config;
    if (action) requireAction(request.principal, action);
    done();
  });
}
