import { authenticate, requireAction, type Action, type AuthenticateDeps } from "@bulkhead/access";
import type { Principal } from "@bulkhead/domain";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route does; a key that may not do it is refused before its body is read. */
    action?: Action;
  }
  interface FastifyRequest {
    /** Set on every route under /api. */
    principal: Principal;
  }
}

/** Every request of this scope must carry a valid key. */
export function useAuthentication(app: FastifyInstance, deps: AuthenticateDeps): void {
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => {
    const principal = await authenticate(deps, request.headers.authorization);
    // A copy: principals are remembered between requests.
    request.principal = { ...principal, requestId: request.id };
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
