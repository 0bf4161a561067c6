import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { ApiKeyDeps, AuthenticateDeps, TenantDeps } from "@bulkhead/access";
import { BODY_BYTES_MAX } from "@bulkhead/contracts";
import type { ToolDeps } from "@bulkhead/registry";
import fastify, { LogController, type FastifyBaseLogger } from "fastify";
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import { randomUUID } from "node:crypto";
import { useAuthentication } from "./http/authentication.ts";
import { parseJsonBody } from "./http/json-body.ts";
import { frameworkErrors, useProblems } from "./http/problems.ts";
import type { ApiScope } from "./http/route-schema.ts";
import { validatorCompiler } from "./http/validate.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { customToolRoutes } from "./routes/custom-tools.ts";
import { executeRoutes, type ExecuteDeps } from "./routes/execute.ts";
import { executionRoutes, type ExecutionRouteDeps } from "./routes/executions.ts";
import { healthRoutes, type Readiness } from "./routes/health.ts";
import { systemRoutes, type SystemDeps } from "./routes/system.ts";
import { tenantRoutes } from "./routes/tenants.ts";

export type ApiDeps = AuthenticateDeps &
  TenantDeps &
  ApiKeyDeps &
  ToolDeps &
  ExecuteDeps &
  ExecutionRouteDeps &
  SystemDeps & { readiness: Readiness };

/** How long a request may take to arrive whole; half-sent bodies must not pile up. Milliseconds. */
const REQUEST_MS_MAX = 30_000;

/** The HTTP edge: authenticate, validate, submit, stream. It listens to nothing yet. */
export async function buildApi(deps: ApiDeps, logger: FastifyBaseLogger) {
  const app: ApiScope = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => `req_${randomUUID()}`,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: true,
    frameworkErrors,
    requestTimeout: REQUEST_MS_MAX,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  // The contract's schemas document the answers; checking our own output on every call would only cost.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as string));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
  useProblems(app);
  await useReference(app);
  healthRoutes(app, deps.readiness);
  await app.register(
    async (scope) => {
      const api: ApiScope = scope.withTypeProvider<ZodTypeProvider>();
      useAuthentication(scope, deps);
      tenantRoutes(api, deps);
      apiKeyRoutes(api, deps);
      customToolRoutes(api, deps);
      executeRoutes(api, deps);
      executionRoutes(api, deps);
      systemRoutes(api, deps);
    },
    { prefix: "/api/v1" },
  );
  return app;
}

/** `GET /docs` for people, `GET /docs/json` for machines. */
async function useReference(app: ApiScope): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bulkhead", version: "1", description: "Runs tools that nobody should have to trust." },
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: [{ key: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    logLevel: "silent",
    theme: { title: "Bulkhead API" },
  });
}
