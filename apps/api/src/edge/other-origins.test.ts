import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { useMetrics } from "./http-metrics.ts";
import { letPagesCall } from "./other-origins.ts";
import { frameworkErrors, useProblems } from "./problems.ts";

const PAGE = "https://shop.example";

/** The answer of an API that lets pages of these origins call to a request of a page's. */
async function answerTo(origins: string[], origin: string, path = "/api/v1/good", method = "GET") {
  const app = fastify({ frameworkErrors });
  useMetrics(app, NO_METER);
  useProblems(app);
  letPagesCall(app, origins);
  app.get("/api/v1/good", (_request, reply) => reply.header("etag", '"1"').send("{}"));
  app.get("/api/v1/raw", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" }).end();
  });
  app.get("/docs", () => "{}");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const asked = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  };
  const headers = { origin, ...(method === "OPTIONS" ? asked : {}) };
  const response = await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`, {
    method,
    headers,
  });
  await response.body?.cancel();
  await app.close();
  const { status } = response;
  const told = ["allow-origin", "allow-methods", "allow-headers", "allow-credentials"].map((name) =>
    response.headers.get(`access-control-${name}`),
  );
  return { status, told, headers: response.headers };
}

test.each([
  ["an answer", "/api/v1/good", 200],
  ["a stream", "/api/v1/raw", 200],
  ["a problem", "/api/v1/nowhere", 404],
])("%s is read by a page of a listed origin, and by no other", async (_what, path, status) => {
  const listed = await answerTo([PAGE, "https://b.example"], PAGE, path);
  expect([listed.status, listed.told]).toEqual([status, [PAGE, null, null, null]]);
  expect(listed.headers.get("vary")).toBe("origin");
  expect(listed.headers.get("access-control-expose-headers")).toContain("Retry-After");
  for (const origin of ["https://other.example", "http://shop.example", `${PAGE}:8443`, "null"])
    expect((await answerTo([PAGE], origin, path)).told).toEqual([null, null, null, null]);
  expect((await answerTo(["*"], "null", path)).told).toEqual(["*", null, null, null]);
});

test("a browser that asks first is told what it may send, and never to send cookies", async () => {
  const may = await answerTo([PAGE], PAGE, "/api/v1/good", "OPTIONS");
  expect([may.status, may.told]).toEqual([
    204,
    [PAGE, "GET, HEAD, POST, PUT, PATCH, DELETE", "authorization,content-type", null],
  ]);
  expect((await answerTo([PAGE], "https://other.example", "/api/v1/good", "OPTIONS")).status).toBe(405);
});

test("where no origin is listed, and beside the API, nothing is said", async () => {
  expect((await answerTo([], PAGE)).told).toEqual([null, null, null, null]);
  expect((await answerTo([], PAGE, "/api/v1/good", "OPTIONS")).status).toBe(405);
  expect((await answerTo(["*"], PAGE, "/docs")).told).toEqual([null, null, null, null]);
});
