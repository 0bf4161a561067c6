import { authenticate, requireAction, type Action, type AuthenticateDeps } from "@bulkhead/tenants";
import type { Principal } from "@bulkhead/core";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route does; a key that may not do it is refused before its body is read. */
    action?: Action;
  }
  interface FastifyRequest {
    /** Set on every route under /api. */
    principal: Principal;
    /** What the remembered principals' `revision` was before this one was asked for. */
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
 * What was heard while the limits were asked and the body came counts: another API may have answered that a key is deleted or a
 * tenant's settings are others, and its word and the next request arrive side by side. Put it behind `useRateLimit`.
 */
export function useFreshPrincipal(app: FastifyInstance, deps: AuthenticateDeps): void {
  app.addHook("preValidation", async (request) => {
    if (request.principalRevision === deps.principals.revision) return;
    await identify(request, deps);
    const { action } = request.routeOptions.config;
    if (action) requireAction(request.principal, action);
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
