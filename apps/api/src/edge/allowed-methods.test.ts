import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { expect, test } from "vitest";
import { useMetrics } from "./http-metrics.ts";
import { missEmptyParams, useProblems } from "./problems.ts";

function open() {
  const app = fastify();
  useMetrics(app, NO_METER);
  useProblems(app);
  app.get("/things/stats", () => ({}));
  void app.register(
    async (scope) => {
      missEmptyParams(scope);
      scope.get("/things/:id", () => ({}));
      scope.delete("/things/:id", () => ({}));
      scope.post("/things/:id/x.y", () => ({}));
    },
    { prefix: "/api" },
  );
  return app;
}

async function answerTo(method: string, url: string) {
  const app = open();
  const answer = await app.inject({ method: method as "GET", url });
  await app.close();
  return answer;
}

test.each([
  ["POST", "/things/stats", "GET, HEAD"],
  ["OPTIONS", "/things/stats", "GET, HEAD"],
  ["PATCH", "/api/things/a", "DELETE, GET, HEAD"],
  ["PUT", "/api/things/a%2Fb?c=/d", "DELETE, GET, HEAD"],
  ["POST", "/api/th%69ngs/%C3%BC", "DELETE, GET, HEAD"],
  ["GET", "/api/things/a/x.y", "POST"],
  ["TRACE", "/api/things/a/x.y", "POST"],
])("%s %s is told what the path takes", async (method, url, allow) => {
  const answer = await answerTo(method, url);
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  const path = url.split("?")[0] ?? "";
  expect(answer.json()).toMatchObject({
    success: false,
    code: "route.method_not_allowed",
    instance: path,
    detail: `${path} takes ${allow} and not ${method}; GET /docs lists the routes.`,
  });
});

test("a HEAD that a path does not take has no body", async () => {
  const answer = await answerTo("HEAD", "/api/things/a/x.y");
  expect([answer.statusCode, answer.headers.allow, answer.body]).toEqual([405, "POST", ""]);
});

test.each([
  ["GET", "/nowhere"],
  ["OPTIONS", "/nowhere"],
  ["HEAD", "/nowhere"],
  ["POST", "/api/things"],
  ["GET", "/api/things/"],
  ["PATCH", "/api/things/"],
  ["POST", "/api/things//x.y"],
  ["GET", "/api/things/a/xzy"],
  ["GET", "/things/stats/more"],
])("%s %s stays what no route has", async (method, url) => {
  const answer = await answerTo(method, url);
  expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
  if (method !== "HEAD") expect(answer.json().code).toBe("route.not_found");
});
