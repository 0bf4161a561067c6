import { FAULTS, type FaultCode } from "@bulkhead/core";
import { countBy, counterOf, histogramOf, type Meter } from "@bulkhead/process/telemetry";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callCounter, type CallOutcome } from "./call-metrics.ts";
import { mcpMetrics, type McpMetrics } from "./mcp-metrics.ts";
import { streamMetrics, type StreamMetrics } from "./stream-metrics.ts";

/** The counts of the HTTP edge; every request's scope has them as `server.metrics`. */
interface ApiMetrics {
  streams: StreamMetrics;
  mcp: McpMetrics;
  /** A request was answered with this problem. */
  refused(code: FaultCode): void;
  /** A caller waited for a result, and this is what came of it. */
  syncCall(outcome: CallOutcome): void;
  /** A developer's command line told how long it took to load a tool. */
  toolLoaded(ms: number): void;
  /** Counts a request once its answer has ended, or its caller has left; for those that no hook sees. */
  watch(request: FastifyRequest, reply: FastifyReply): void;
}

declare module "fastify" {
  interface FastifyInstance {
    metrics: ApiMetrics;
  }
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const OTHER = "other";
const UNMATCHED = "unmatched";
const GONE = "gone";

/** Counts and times every request of the app. The first hook of all, so that the time is whole. */
export function useMetrics(app: FastifyInstance, meter: Meter): void {
  const watch = requestWatch(meter);
  const loads = histogramOf(meter, "bulkhead_tool_load_seconds");
  app.decorate("metrics", {
    streams: streamMetrics(meter),
    mcp: mcpMetrics(meter),
    refused: countBy(meter, "bulkhead_refusals_total", Object.keys(FAULTS)),
    syncCall: callCounter(meter),
    toolLoaded: (ms) => loads.record(ms / 1_000),
    watch,
  });
  app.addHook("onRequest", (request, reply, done) => {
    watch(request, reply);
    done();
  });
}

/** The labels of one method of one route: for its time, and by the class of the answer for its count. */
interface RouteLabels {
  timed: { method: string; route: string };
  counted: Map<string, { method: string; route: string; status: string }>;
}

function requestWatch(meter: Meter): ApiMetrics["watch"] {
  const requests = counterOf(meter, "bulkhead_http_requests_total");
  const durations = histogramOf(meter, "bulkhead_http_request_duration_seconds");
  const labelsOf = routeLabels();
  return (request, reply) => {
    const since = performance.now();
    reply.raw.once("close", () => {
      const { timed, counted } = labelsOf(request);
      const status = reply.raw.headersSent ? classOf(reply.raw.statusCode) : GONE;
      let labels = counted.get(status);
      if (labels === undefined) counted.set(status, (labels = { ...timed, status }));
      requests.add(1, labels);
      // A stream lasts for as long as its reader likes.
      if (!isStream(reply)) durations.record((performance.now() - since) / 1_000, timed);
    });
  };
}

/** Made once for each route and method that is asked for: templates, never a path as it was sent. */
function routeLabels(): (request: FastifyRequest) => RouteLabels {
  const known = new Map<string, Map<string, RouteLabels>>();
  return (request) => {
    const route = request.routeOptions.url ?? UNMATCHED;
    const method = METHODS.includes(request.method) ? request.method : OTHER;
    let ofRoute = known.get(route);
    if (ofRoute === undefined) known.set(route, (ofRoute = new Map()));
    let labels = ofRoute.get(method);
    if (labels === undefined)
      ofRoute.set(method, (labels = { timed: { method, route }, counted: new Map() }));
    return labels;
  };
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`;

const isStream = ({ raw }: FastifyReply): boolean =>
  String(raw.getHeader("content-type") ?? "").startsWith("text/event-stream");
