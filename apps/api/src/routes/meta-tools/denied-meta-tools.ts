import { Fault } from "@bulkhead/core";
import { isSeen, type SaidOfAsker } from "@bulkhead/policy";
import type { FastifyRequest } from "fastify";
import type { ApiScope } from "../../edge/route-schema.ts";

/** The path of every meta-tool's call, as the API's routes have it. */
const CALL = /\/meta-tools\/([a-z0-9_]+)$/;

/** Answers calls of meta-tools that are outside the policy of who asks as those of routes that aren't there. */
export function useMetaToolPolicy(app: ApiScope): void {
  app.addHook("preHandler", async (request) => {
    const name = request.method === "POST" ? CALL.exec(request.routeOptions.url ?? "")?.[1] : undefined;
    if (name === undefined || request.principal.role === "admin") return;
    if (isSeen(request.principal, contextOf(request), { name })) return;
    const [path] = request.url.split("?");
    throw new Fault("route.not_found", { detail: `There is no POST ${path}; GET /docs lists the routes.` });
  });
}

/** The body has kept its contract by now. */
const contextOf = ({ body }: FastifyRequest): SaidOfAsker =>
  (body as { context?: SaidOfAsker } | undefined)?.context ?? {};
