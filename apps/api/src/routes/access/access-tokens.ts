import { compact } from "@bulkhead/core";
import { CreateAccessToken, CreatedAccessToken } from "@bulkhead/contracts";
import { createAccessToken, type AccessTokenDeps } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

/** Makes tokens that may do a little of what a key may, for the browsers of a customer's own customers. */
export function accessTokenRoute(app: ApiScope, deps: AccessTokenDeps): void {
  app.post(
    "/access-tokens",
    {
      config: { action: "accessTokens.create" },
      schema: {
        tags: ["access"],
        summary: "Make a token that may do a part of what the key may, for a short time",
        description:
          "For a browser: it runs the tools that its scope names, and reads and follows the executions that it made or that the scope names; every other route is 403 `access_token.out_of_scope`, and any other tool or execution is as one that does not exist. It may never do more than its key may at that moment, and ends with the key, which may get another secret meanwhile. It is signed and not stored, so one by itself can't be taken back.",
        body: CreateAccessToken,
        response: answers({ 201: CreatedAccessToken }),
      },
    },
    async (request, reply) => {
      const { scope, expiresInSeconds } = request.body;
      const asked = { scope: compact(scope), expiresInSeconds };
      const { token, expiresAt } = await createAccessToken(deps, request.principal, asked);
      // No route reads a token, so no Location says where.
      void reply.status(201).header("cache-control", "no-store");
      return ok(request, { token, expiresAt: expiresAt.toISOString() });
    },
  );
}
