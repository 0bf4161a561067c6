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
import { useAuthentication, useFreshPrincipal, usePermissions } from "./http/authentication.ts";
import { drainBodies } from "./http/drain-body.ts";
import { missEmptyParams } from "./http/empty-params.ts";
import { useJsonBodies } from "./http/json-body-parser.ts";
import { useMetrics } from "./http/http-metrics.ts";
import { forbidSniffing } from "./http/no-sniffing.ts";
import { answerBrokenRequest } from "./http/broken-request.ts";
import { watchAnswers } from "./http/open-answers.ts";
import { frameworkErrors, useProblems } from "./http/problems.ts";
import { useRateLimit, type RateLimitDeps } from "./http/rate-limit.ts";
import { useReadTurns } from "./http/read-turns.ts";
import { UNCHECKED_HEADS, useHeadChecks } from "./http/request-head.ts";
import { useReference } from "./http/reference.ts";
import type { ApiScope } from "./http/route-schema.ts";
import { useTracing } from "./http/trace-id.ts";
import { refuseUnaskedInput } from "./http/unasked-input.ts";
import { validatorCompiler } from "./http/validate.ts";
import { configEntryRoutes } from "./routes/config-entries.ts";
import { configServiceRoutes } from "./routes/config-services.ts";
import { scrubRuleRoutes } from "./routes/scrub-rules.ts";
import { approvalRoutes } from "./routes/approvals.ts";
import { auditRoutes } from "./routes/audit.ts";
import { batchRoutes, type BatchRouteDeps } from "./routes/batches.ts";
import { catalogueRoutes, type CatalogueRouteDeps } from "./routes/catalogue.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { customToolRoutes } from "./routes/custom-tools.ts";
import { deliveryRoutes, type DeliveryRouteDeps } from "./routes/deliveries.ts";
import { eventRoutes, type EventRouteDeps } from "./routes/events.ts";
import { executeRoutes, type ExecuteDeps } from "./routes/execute.ts";
import { executionRoutes, type ExecutionRouteDeps } from "./routes/executions.ts";
import { healthRoutes, type Readiness } from "./routes/health.ts";
import { runCodeRoute } from "./routes/meta-tools-run-code.ts";
import { confirmedMetaToolRoutes } from "./routes/meta-tools-confirmed.ts";
import { metaToolRoutes } from "./routes/meta-tools.ts";
import { scheduleMoveRoutes } from "./routes/schedule-moves.ts";
import { scheduleRoutes } from "./routes/schedules.ts";
import { standingApprovalRoutes } from "./routes/standing-approvals.ts";
import { evidenceRoutes, type EvidenceRouteDeps } from "./routes/evidence.ts";
import { systemRoutes, type SystemDeps } from "./routes/system.ts";
import { tenantSettingsRoutes } from "./routes/tenant-settings.ts";
import { tenantExportRoutes, type TenantExportRouteDeps } from "./routes/tenant-export.ts";
import { tenantRoutes, type TenantRouteDeps } from "./routes/tenants.ts";
import { toolApprovalRoutes } from "./routes/tool-approvals.ts";
import { toolMoveRoutes } from "./routes/tool-moves.ts";
import { toolPackageRoutes, type ToolPackageRouteDeps } from "./routes/tool-packages.ts";
import { usageRoutes, type UsageRouteDeps } from "./routes/usage.ts";
import { versionRoutes } from "./routes/versions.ts";

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
