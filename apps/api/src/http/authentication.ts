import { authenticate, type AuthenticateDeps } from "@bulkhead/access";
import type { Principal } from "@bulkhead/domain";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every route under /api. */
    principal: Principal;
  }
}

/** Every request of this scope must carry a valid key. */
export function useAuthentication(app: FastifyInstance, deps: AuthenticateDeps): void {
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => {
    request.principal = await authenticate(deps, request.headers.authorization);
  });
}
