import { stringifyJson } from "@bulkhead/core";
import type {
  ApiKeyDeps,
  AuthenticateDeps,
  ListAuditDeps,
  ConfigDeps,
  ScrubRuleDeps,
} from "@bulkhead/tenants";
import type { AnswerAnyDeps, StandingDeps, CallbackDeps, ScheduleDeps } from "@bulkhead/executions";
import { BODY_BYTES_MAX } from "@bulkhead/contracts";
import type { MetaToolDeps } from "@bulkhead/agents";
import type { Meter, Tracing } from "@bulkhead/process/telemetry";
import fastify, { LogController, type FastifyBaseLogger } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { randomUUID } from "node:crypto";
import { useAuthentication, useFreshPrincipal, usePermissions } from "./edge/authentication.ts";
import { drainBodies } from "./edge/drain-body.ts";
import { missEmptyParams } from "./edge/empty-params.ts";
import { useJsonBodies } from "./edge/json-body-parser.ts";
import { useMetrics } from "./edge/http-metrics.ts";
import { forbidSniffing } from "./edge/no-sniffing.ts";
import { answerBrokenRequest } from "./edge/broken-request.ts";
import { watchAnswers } from "./edge/open-answers.ts";
import { frameworkErrors, useProblems } from "./edge/problems.ts";
import { useRateLimit, type RateLimitDeps } from "./edge/rate-limit.ts";
import { useReadTurns } from "./edge/read-turns.ts";
import { UNCHECKED_HEADS, useHeadChecks } from "./edge/request-head.ts";
import { useReference } from "./edge/reference.ts";
import type { ApiScope } from "./edge/route-schema.ts";
import { useTracing } from "./edge/trace-id.ts";
import { refuseUnaskedInput } from "./edge/unasked-input.ts";
import { validatorCompiler } from "./edge/validate.ts";
import { configEntryRoutes } from "./routes/config/config-entries.ts";
import { configServiceRoutes } from "./routes/config/config-services.ts";
import { scrubRuleRoutes } from "./routes/config/scrub-rules.ts";
import { approvalRoutes } from "./routes/approvals/approvals.ts";
import { auditRoutes } from "./routes/audit/audit.ts";
import { batchRoutes, type BatchRouteDeps } from "./routes/executions/batches.ts";
import { catalogueRoutes, type CatalogueRouteDeps } from "./routes/tools/catalogue.ts";
import { apiKeyRoutes } from "./routes/tenants/api-keys.ts";
import { customToolRoutes } from "./routes/tools/custom-tools.ts";
import { deliveryRoutes, type DeliveryRouteDeps } from "./routes/deliveries/deliveries.ts";
import { eventRoutes, type EventRouteDeps } from "./routes/events/events.ts";
import { executeRoutes, type ExecuteDeps } from "./routes/executions/execute.ts";
import { executionRoutes, type ExecutionRouteDeps } from "./routes/executions/executions.ts";
import { healthRoutes, type Readiness } from "./routes/system/health.ts";
import { runCodeRoute } from "./routes/meta-tools/run-code.ts";
import { confirmedMetaToolRoutes } from "./routes/meta-tools/confirmed.ts";
import { metaToolRoutes } from "./routes/meta-tools/meta-tools.ts";
import { scheduleMoveRoutes } from "./routes/schedules/schedule-moves.ts";
import { scheduleRoutes } from "./routes/schedules/schedules.ts";
import { standingApprovalRoutes } from "./routes/approvals/standing-approvals.ts";
import { evidenceRoutes, type EvidenceRouteDeps } from "./routes/versions/evidence.ts";
import { systemRoutes, type SystemDeps } from "./routes/system/system.ts";
import { tenantSettingsRoutes } from "./routes/tenants/tenant-settings.ts";
import { tenantExportRoutes, type TenantExportRouteDeps } from "./routes/tenants/tenant-export.ts";
import { tenantRoutes, type TenantRouteDeps } from "./routes/tenants/tenants.ts";
import { toolApprovalRoutes } from "./routes/versions/reviews.ts";
import { toolMoveRoutes } from "./routes/tools/tool-moves.ts";
import { toolPackageRoutes, type ToolPackageRouteDeps } from "./routes/tools/tool-packages.ts";
import { usageRoutes, type UsageRouteDeps } from "./routes/usage/usage.ts";
import { versionRoutes } from "./routes/versions/versions.ts";

export type ApiDeps = AuthenticateDeps &
  RateLimitDeps &
  TenantRouteDeps &
  TenantExportRouteDeps &
  ApiKeyDeps &
  MetaToolDeps &
  CatalogueRouteDeps &
  ToolPackageRouteDeps &
  ExecuteDeps &
  EvidenceRouteDeps &
  ExecutionRouteDeps &
  BatchRouteDeps &
  EventRouteDeps &
  AnswerAnyDeps &
  StandingDeps &
  ListAuditDeps &
  UsageRouteDeps &
  DeliveryRouteDeps &
  ScheduleDeps &
  ConfigDeps &
  ScrubRuleDeps &
  CallbackDeps &
  SystemDeps & { readiness: Readiness; tracing: Tracing; meter: Meter };

/** How long a request may take to arrive whole; half-sent bodies must not pile up. Milliseconds. */
const REQUEST_MS_MAX = 30_000;

/** Of one part of a path: as much as Node takes of a whole head, since a route's own schema bounds it by its name. */
const PARAM_CHARS_MAX = 16 * 1024;

/** The HTTP edge: authenticate, validate, submit, stream. It listens to nothing yet. */
export async function buildApi(deps: ApiDeps, logger: FastifyBaseLogger) {
  const app: ApiScope = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => `req_${randomUUID()}`,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    forceCloseConnections: true,
    frameworkErrors,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest({ metrics: app.metrics, isAnswering }, error, socket),
    http: UNCHECKED_HEADS,
    requestTimeout: REQUEST_MS_MAX,
  }).withTypeProvider<ZodTypeProvider>();
  const isAnswering = watchAnswers(app.server);
  drainBodies(app.server);
  forbidSniffing(app.server);
  app.setValidatorCompiler(validatorCompiler);
  // The contract's schemas document the answers; checking our own output on every call would only cost.
  app.setSerializerCompiler(() => (data) => stringifyJson(data));
  useJsonBodies(app);
  useMetrics(app, deps.meter);
  // First, so that what any other hook refuses is seen too.
  useTracing(app, deps.tracing);
  useProblems(app);
  useHeadChecks(app);
  await useReference(app);
  healthRoutes(app, deps.readiness);
  await app.register(
    async (scope) => {
      const api: ApiScope = scope.withTypeProvider<ZodTypeProvider>();
      missEmptyParams(scope);
      useAuthentication(scope, deps);
      // What may not be done counts too.
      useRateLimit(scope, deps);
      usePermissions(scope);
      useReadTurns(scope);
      useFreshPrincipal(scope, deps);
      refuseUnaskedInput(scope);
      tenantRoutes(api, deps);
      tenantExportRoutes(api, deps);
      apiKeyRoutes(api, deps);
      customToolRoutes(api, deps);
      catalogueRoutes(api, deps);
      metaToolRoutes(api, deps);
      confirmedMetaToolRoutes(api, deps);
      runCodeRoute(api, deps);
      toolMoveRoutes(api, deps);
      toolPackageRoutes(api, deps);
      versionRoutes(api, deps);
      toolApprovalRoutes(api, deps);
      evidenceRoutes(api, deps);
      executeRoutes(api, deps);
      executionRoutes(api, deps);
      batchRoutes(api, deps);
      eventRoutes(api, deps);
      deliveryRoutes(api, deps);
      scheduleRoutes(api, deps);
      scheduleMoveRoutes(api, deps);
      approvalRoutes(api, deps);
      standingApprovalRoutes(api, deps);
      tenantSettingsRoutes(api, deps);
      configServiceRoutes(api, deps);
      configEntryRoutes(api, deps);
      scrubRuleRoutes(api, deps);
      auditRoutes(api, deps);
      usageRoutes(api, deps);
      systemRoutes(api, deps);
    },
    { prefix: "/api/v1" },
  );
  return app;
}
