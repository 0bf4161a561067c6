import { Problem } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import { z } from "zod";
import { headersOf } from "../../edge/answer-headers.ts";
import type { ApiScope } from "../../edge/route-schema.ts";

/** Probes that must all be good before requests can be served; a probe rejects or answers false when it is not. */
export type Readiness = Record<string, () => Promise<boolean>>;

const PROBE_MS_MAX = 2_000;
const tags = ["health"];

export function healthRoutes(app: ApiScope, readiness: Readiness): void {
  app.get(
    "/healthz",
    { schema: { tags, security: [], summary: "Alive", response: { 200: z.object({ status: z.string() }) } } },
    () => ({ status: "alive" }),
  );

  app.get(
    "/readyz",
    {
      schema: {
        tags,
        security: [],
        summary: "Ready to serve: Postgres, Redis and migrations are good",
        response: {
          200: z.object({ status: z.string(), checks: z.array(z.string()) }),
          503: {
            description: "Not ready.",
            headers: headersOf(["Retry-After"]),
            content: { "application/problem+json": { schema: Problem } },
          },
        },
      },
    },
    async () => {
      const probes = Object.entries(readiness);
      const good = await Promise.all(probes.map(([, probe]) => holds(probe)));
      const bad = probes.flatMap(([name], index) => (good[index] ? [] : [name]));
      if (bad.length > 0) throw new Fault("service.unavailable", { detail: `Not ready: ${bad.join(", ")}.` });
      return { status: "ready", checks: Object.keys(readiness) };
    },
  );
}

async function holds(probe: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    // Behind one more look at what has come: it may be this process that was stopped.
    timer = setTimeout(() => setImmediate(resolve, false), PROBE_MS_MAX);
  });
  try {
    return await Promise.race([probe(), late]);
  } catch {
    // The answer names what is not ready; why is for its own log.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
