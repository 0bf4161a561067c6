import { System } from "@bulkhead/contracts";
import { type EngineFact, engineStandings, type WorkerDirectory } from "@bulkhead/core";
import { productVersion } from "@bulkhead/process/telemetry";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { presentWorker, summarizeLayers } from "./present-system.ts";

export interface SystemDeps {
  directory: Pick<WorkerDirectory, "list">;
  /** The number of the dispatcher's shards. */
  shards: number;
  /** The engines that are no worker's. */
  engines: () => EngineFact[];
  /** The versions that the stores report; each throws `service.unavailable` when its store is away. */
  storeVersions: { postgres(): Promise<string>; redis(): Promise<string> };
}

/** The platform's administrator reads versions, workers and layers. */
export function systemRoutes(app: ApiScope, { directory, shards, engines, storeVersions }: SystemDeps): void {
  const own = { bulkhead: productVersion(), node: process.versions.node };
  app.get(
    "/system",
    {
      config: { action: "system.read" },
      schema: {
        tags: ["system"],
        summary: "Versions, workers, the sandbox layers in force, and the engines that are there",
        response: answers({ 200: System }),
      },
    },
    async (request) => {
      const [postgres, redis, workers] = await Promise.all([
        storeVersions.postgres(),
        storeVersions.redis(),
        directory.list(),
      ]);
      return ok(request, {
        versions: { ...own, postgres, redis },
        shards,
        workers: workers.map(presentWorker),
        sandboxLayers: summarizeLayers(workers),
        engines: engineStandings(
          workers.map((worker) => worker.engines),
          engines(),
        ),
      });
    },
  );
}
