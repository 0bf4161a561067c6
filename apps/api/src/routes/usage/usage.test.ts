import { APPROVAL_SETTINGS_DEFAULT, TENANT_LIMITS_DEFAULT, type Principal } from "@bulkhead/core";
import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { expect, test } from "vitest";
import { useMetrics } from "../../edge/http-metrics.ts";
import { useProblems } from "../../edge/problems.ts";
import { validatorCompiler } from "../../edge/validate.ts";
import { usageRoutes } from "./usage.ts";

const OWNER: Principal = {
  role: "owner",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};

test("whose caller leaves gives up its place, and is answered nothing", async () => {
  const app = fastify();
  const asked = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<null>();
  const sent: number[] = [];
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  useMetrics(app, NO_METER);
  useProblems(app);
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => void (request.principal = OWNER));
  app.addHook("onSend", async (_request, { statusCode }) => void sent.push(statusCode));
  usageRoutes(app.withTypeProvider(), {
    clock: () => new Date(),
    tools: { find: () => Promise.reject(new Error("no tool is asked for")) },
    usage: {
      sum(_tenantId, _question, signal) {
        signal.addEventListener("abort", () => dropped.resolve(null));
        asked.resolve();
        return dropped.promise;
      },
    },
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const caller = new AbortController();
  const answer = fetch(`${url}/usage`, { signal: caller.signal });
  await asked.promise;
  caller.abort();
  await expect(answer).rejects.toThrow("aborted");
  expect(await dropped.promise).toBeNull();
  await app.close();
  expect(sent).toEqual([]);
});
