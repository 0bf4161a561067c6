import type { Meter } from "@bulkhead/process/telemetry";
import { Fault } from "@bulkhead/core";
import fastify from "fastify";
import { expect, test } from "vitest";
import { useMetrics } from "./http-metrics.ts";
import { frameworkErrors, useProblems } from "./problems.ts";

/** An app of a few routes, and what was counted: `method route class`, and the codes of refusals. */
function bench() {
  const requests: string[] = [];
  const refused: string[] = [];
  const timed: string[] = [];
  const counter = (name: string) => ({
    add(count: number, { method, route, status, code }: Record<string, string> = {}) {
      if (count > 0 && name === "bulkhead_http_requests_total") requests.push(`${method} ${route} ${status}`);
      if (count > 0 && name === "bulkhead_refusals_total") refused.push(String(code));
    },
  });
  const histogram = { record: (_: number, { route }: Record<string, string>) => timed.push(String(route)) };
  const gauge = { addCallback: () => undefined };
  const meter = {
    createCounter: counter,
    createHistogram: () => histogram,
    createObservableGauge: () => gauge,
  } as unknown as Meter;
  const app = fastify({ frameworkErrors });
  useMetrics(app, meter);
  useProblems(app);
  app.get("/things/:id", () => ({}));
  app.post("/things", () => {
    throw new Fault("tenant.backlog_full");
  });
  app.get("/broken", () => {
    throw new Error("no");
  });
  app.get("/streams", (_request, reply) => reply.type("text/event-stream").send("data: 1\n\n"));
  return { app, requests, refused, timed };
}

test.each([
  ["GET", "/things/ten_0123456789abcdef", "GET /things/:id 2xx", []],
  ["HEAD", "/things/a", "HEAD /things/:id 2xx", []],
  ["POST", "/things", "POST /things 4xx", ["tenant.backlog_full"]],
  ["GET", "/broken", "GET /broken 5xx", ["service.internal"]],
  ["GET", '/"}hostile{', "GET unmatched 4xx", ["route.not_found"]],
  ["DELETE", "/things/a", "DELETE unmatched 4xx", ["route.method_not_allowed"]],
  ["GET", "/%zz", "GET unmatched 4xx", ["request.invalid"]],
] as const)(
  "%s %s is counted by its route's template and the class of its answer",
  async (method, url, series, codes) => {
    const { app, requests, refused, timed } = bench();
    await app.inject({ method, url });
    expect(requests).toEqual([series]);
    expect(refused).toEqual(codes);
    expect(timed).toEqual([series.split(" ")[1]]);
  },
);

test("a stream is counted, and not timed: it lasts for as long as its reader likes", async () => {
  const { app, requests, timed } = bench();
  await app.inject("/streams");
  expect([requests, timed]).toEqual([["GET /streams 2xx"], []]);
});
