import { requireTenant } from "@bulkhead/tenants";
import {
  listDeliveries,
  redeliver,
  rotateWebhookSecret,
  showWebhookSecret,
  type DeliveryDeps,
  type WebhookSecretDeps,
} from "@bulkhead/executions";
import { Delivery, DeliveryList, WebhookSecret, wholeNumber } from "@bulkhead/contracts";
import { DELIVERIES_MAX, type AuditLog } from "@bulkhead/core";
import { ok } from "../../edge/envelope.ts";
import { answers, ExecutionParams, type ApiScope } from "../../edge/route-schema.ts";
import { presentDelivery, presentWebhookSecret } from "./present-delivery.ts";

export type DeliveryRouteDeps = DeliveryDeps & WebhookSecretDeps & { audit: AuditLog };

const DeliveryParams = ExecutionParams.extend({
  n: wholeNumber(1, DELIVERIES_MAX).describe("Which of its deliveries, counted from 1."),
});

const tags = ["webhooks"];

/** Deliveries of executions' ends to callbacks, and the secret that signs them. */
export function deliveryRoutes(app: ApiScope, deps: DeliveryRouteDeps): void {
  executionDeliveryRoutes(app, deps);
  webhookSecretRoutes(app, deps);
}

function executionDeliveryRoutes(app: ApiScope, deps: DeliveryRouteDeps): void {
  app.get(
    "/executions/:id/deliveries",
    {
      config: { action: "executions.read" },
      schema: {
        tags,
        summary: "List the deliveries of an execution's end to its callback, oldest first",
        params: ExecutionParams,
        response: answers({ 200: DeliveryList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.read");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      const deliveries = await listDeliveries(deps, principal, key);
      return ok(request, { deliveries: deliveries.map(presentDelivery), nextCursor: null });
    },
  );

  app.post(
    "/executions/:id/deliveries/:n/redeliver",
    {
      config: { action: "executions.run" },
      schema: {
        tags,
        summary:
          "Deliver the end of an execution again, as a new delivery to the same place under the same webhook-id",
        params: DeliveryParams,
        response: answers({ 202: Delivery }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { id: executionId, n } = request.params;
      const made = await redeliver(deps, principal, { tenantId: principal.tenantId, executionId, n });
      void reply.status(202).header("location", `/api/v1/executions/${executionId}/deliveries`);
      return ok(request, presentDelivery(made));
    },
  );
}

function webhookSecretRoutes(app: ApiScope, deps: DeliveryRouteDeps): void {
  app.get(
    "/webhook-secret",
    {
      config: { action: "webhooks.manage" },
      schema: {
        tags,
        summary: "Show the secret that signs the tenant's webhooks",
        response: answers({ 200: WebhookSecret }),
      },
    },
    async (request, reply) => {
      const { tenantId } = requireTenant(request.principal, "webhooks.manage");
      void reply.header("cache-control", "no-store");
      return ok(request, presentWebhookSecret(await showWebhookSecret(deps, tenantId)));
    },
  );

  app.post(
    "/webhook-secret/rotate",
    {
      config: { action: "webhooks.manage" },
      schema: {
        tags,
        summary: "Make a new secret; the one before signs too for a day",
        response: answers({ 200: WebhookSecret }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "webhooks.manage");
      void reply.header("cache-control", "no-store");
      return ok(request, presentWebhookSecret(await rotateWebhookSecret(deps, principal)));
    },
  );
}
