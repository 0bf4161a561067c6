import { BODY_BYTES_MAX } from "@bulkhead/contracts";
import { stringifyJson } from "@bulkhead/core";
import type { SessionDeps } from "@bulkhead/tenants";
import type { Meter, Tracing } from "@bulkhead/process/telemetry";
import fastify, { LogController, type FastifyBaseLogger } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import {
  type AccessDeps,
  useAuthentication,
  useFreshPrincipal,
  usePermissions,
} from "./edge/authentication.ts";
import { answerBrokenRequest } from "./edge/broken-request.ts";
import { serveConsole } from "./edge/console.ts";
import { drainBodies } from "./edge/drain-body.ts";
import { useMetrics } from "./edge/http-metrics.ts";
import { useJsonBodies } from "./edge/json-body-parser.ts";
import { forbidSniffing } from "./edge/no-sniffing.ts";
import { watchAnswers } from "./edge/open-answers.ts";
import { letPagesCall } from "./edge/other-origins.ts";
import { frameworkErrors, missEmptyParams, useProblems } from "./edge/problems.ts";
import { useRateLimit, type RateLimitDeps } from "./edge/rate-limit.ts";
import { useReadTurns } from "./edge/read-turns.ts";
import { useReference } from "./edge/reference.ts";
import { UNCHECKED_HEADS, useHeadChecks } from "./edge/request-head.ts";
import type { ApiScope } from "./edge/route-schema.ts";
import { useTracing } from "./edge/trace-id.ts";
import { refuseUnaskedInput } from "./edge/unasked-input.ts";
import { validatorCompiler } from "./edge/validate.ts";
import { acceptDevices, DEVICE_UPGRADES } from "./devices/connect.ts";
import type { DeviceEdge } from "./open-devices.ts";
import { pairRoutes } from "./routes/devices/pair.ts";
import { sessionRoutes } from "./routes/access/sessions.ts";
import { healthRoutes, type Readiness } from "./routes/system/health.ts";

export interface EdgeDeps {
  logger: FastifyBaseLogger;
  tracing: Tracing;
  meter: Meter;
  readiness: Readiness;
  access: AccessDeps & SessionDeps;
  rateLimit: RateLimitDeps;
  /** The origins whose pages may call the API. */
  corsOrigins: readonly string[];
  devices: DeviceEdge;
  /** Puts the routes on that need a key: those of REST, and the endpoint of MCP beside them. */
  routes: (api: ApiScope, mcp: ApiScope) => void;
}

/** A request has so many milliseconds to arrive whole; half-sent bodies must not pile up. */
const REQUEST_MS_MAX = 30_000;

/** One part of a path may be as long as Node lets a whole head be, since a route's own schema bounds it by its name. */
const PARAM_CHARS_MAX = 16 * 1024;

/** A server that closes looks this often whether all connections have gone. */
const LOOK_EVERY_MS = 50;

/** The HTTP edge: authenticate, validate, submit, stream. It listens to nothing yet. */
export async function buildApi(deps: EdgeDeps) {
  const app: ApiScope = fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => `req_${randomUUID()}`,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    forceCloseConnections: true,
    frameworkErrors,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest({ metrics: app.metrics, isAnswering }, error, socket),
    http: { ...UNCHECKED_HEADS, ...DEVICE_UPGRADES },
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
  acceptDevices(app, deps.devices.sockets);
  // First, so that what any other hook refuses is seen too.
  useTracing(app, deps.tracing);
  useProblems(app);
  letPagesCall(app, deps.corsOrigins);
  useHeadChecks(app);
  await useReference(app);
  healthRoutes(app, deps.readiness);
  await serveConsole(app);
  const guard = (scope: ApiScope): void => {
    useAuthentication(scope, deps.access);
    // A request that may not be made counts too.
    useRateLimit(scope, deps.rateLimit);
    usePermissions(scope);
  };
  let mcp: ApiScope = app;
  await app.register(async (scope) => {
    guard(scope);
    useFreshPrincipal(scope, deps.access);
    mcp = scope.withTypeProvider<ZodTypeProvider>();
  });
  await app.register(
    async (scope) => {
      refuseUnaskedInput(scope);
      sessionRoutes(scope.withTypeProvider<ZodTypeProvider>(), deps);
      pairRoutes(scope.withTypeProvider<ZodTypeProvider>(), deps.devices.pairing);
    },
    { prefix: "/api/v1" },
  );
  await app.register(
    async (scope) => {
      missEmptyParams(scope);
      guard(scope);
      useReadTurns(scope);
      useFreshPrincipal(scope, deps.access);
      refuseUnaskedInput(scope);
      deps.routes(scope.withTypeProvider<ZodTypeProvider>(), mcp);
    },
    { prefix: "/api/v1" },
  );
  return app;
}

/** Takes nothing new; what waits for a result may get it, within the grace. */
export async function closeGently(server: Server, graceMs: number): Promise<void> {
  server.close();
  server.closeIdleConnections();
  const deadline = Date.now() + graceMs;
  const open = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  while (Date.now() < deadline && (await open()) > 0) await setTimeout(LOOK_EVERY_MS);
}
