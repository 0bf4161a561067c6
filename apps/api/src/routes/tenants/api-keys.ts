import {
  createApiKey,
  deleteApiKey,
  listApiKeys,
  rotateApiKey,
  showApiKey,
  type ApiKeyDeps,
} from "@bulkhead/tenants";
import {
  ApiKeyList,
  CreateApiKey,
  CreatedApiKey,
  Deleted,
  idOrName,
  RotateApiKey,
} from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { answers, TenantParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["api-keys"];
const KeyParams = TenantParams.extend({ keyId: idOrName.describe("The key's id.") });

/** The administrator manages all keys, an owner those of the own tenant. */
export function apiKeyRoutes(app: ApiScope, deps: ApiKeyDeps): void {
  app.post(
    "/tenants/:id/api-keys",
    {
      config: { action: "keys.manage" },
      schema: {
        tags,
        summary: "Create a key; it is shown this once",
        params: TenantParams,
        body: CreateApiKey,
        response: answers({ 201: CreatedApiKey }),
      },
    },
    async (request, reply) => {
      const { name, role, agentId = null, expiresAt } = request.body;
      const { id } = request.params;
      const asked = { name, role, agentId, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) };
      const { apiKey, key } = await createApiKey(deps, request.principal, id, asked);
      // No route reads one key by itself.
      void reply.status(201).header("location", `/api/v1/tenants/${id}/api-keys`);
      return ok(request, { ...showApiKey(apiKey), key });
    },
  );

  app.get(
    "/tenants/:id/api-keys",
    {
      config: { action: "keys.manage" },
      schema: {
        tags,
        summary: "List a tenant's keys",
        params: TenantParams,
        response: answers({ 200: ApiKeyList }),
      },
    },
    async (request) => {
      const apiKeys = await listApiKeys(deps, request.principal, request.params.id);
      return ok(request, { apiKeys: apiKeys.map(showApiKey), nextCursor: null });
    },
  );

  app.post(
    "/tenants/:id/api-keys/:keyId/rotate",
    {
      config: { action: "keys.manage" },
      schema: {
        tags,
        summary: "Give a key a new secret, shown this once; the one before works for a while",
        description:
          "Id, role and all that was made with the key stay. A second rotation ends what the first one put aside; deleting the key ends both secrets. What is open under the former secret goes on until that ends.",
        params: KeyParams,
        body: RotateApiKey,
        response: answers({ 200: CreatedApiKey }),
      },
    },
    async (request) => {
      const { id, keyId } = request.params;
      const { overlapSeconds } = request.body;
      const { apiKey, key } = await rotateApiKey(deps, request.principal, id, keyId, overlapSeconds);
      return ok(request, { ...showApiKey(apiKey), key });
    },
  );

  app.delete(
    "/tenants/:id/api-keys/:keyId",
    {
      config: { action: "keys.manage" },
      schema: {
        tags,
        summary: "Revoke a key at once",
        params: KeyParams,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await deleteApiKey(deps, request.principal, request.params.id, request.params.keyId);
      return ok(request, { deleted: true as const });
    },
  );
}
