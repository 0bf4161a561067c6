import { z } from "zod";
import { timestamp } from "./fields.ts";

const count = z.int().min(0);

const SandboxLayer = z.object({
  layer: z.string(),
  inForce: z.boolean(),
  detail: z.string().describe("How it is in force, or why it is not."),
});

const engine = {
  engine: z.string(),
  available: z.boolean(),
  detail: z.string().describe("Its version or place, or why it is not there."),
};

const Worker = z
  .object({
    id: z.string(),
    host: z.string(),
    pid: count,
    startedAt: timestamp,
    version: z.string().describe("Bulkhead's version."),
    nodeVersion: z.string(),
    v8Version: z.string(),
    isolatedVmVersion: z.string(),
    nodeSnapshot: z
      .boolean()
      .describe("Whether node starts from its own snapshot in sandbox processes, which halves a start."),
    slots: count.describe("Executions that it takes at once."),
    running: count.describe("Executions that it holds now."),
    sandboxProcesses: z.object({ starting: count, blank: count, idle: count, running: count }),
    sandboxWaiting: count.describe("Runs that wait for a sandbox process."),
    sandboxLayers: z.array(SandboxLayer),
    engines: z.array(z.object(engine)).describe("What it has of what tools may need, and what it has not."),
  })
  .meta({ id: "Worker" });

/** The deployment's versions and workers, for its administrator. */
export const System = z
  .object({
    versions: z.object({
      bulkhead: z.string(),
      node: z.string(),
      postgres: z.string(),
      redis: z.string(),
    }),
    shards: z.int().min(1).describe("The dispatcher's shards."),
    workers: z
      .array(Worker)
      .describe("Workers that reported within the last seconds, in the order in which they started."),
    sandboxLayers: z
      .array(
        z.object({
          layer: z.string(),
          inForce: z.boolean().describe("Whether it is in force in every worker."),
          workers: count.describe("How many workers have it in force."),
        }),
      )
      .describe("The layers over all workers; empty when there is no worker."),
    engines: z
      .array(
        z
          .object({
            ...engine,
            title: z.string(),
            workers: count
              .nullable()
              .describe("How many workers have it; null: it is the API's or the database's."),
          })
          .meta({ id: "Engine" }),
      )
      .describe("What tools may need and not every deployment has; there where one worker has it."),
  })
  .meta({ id: "System" });

export type System = z.infer<typeof System>;
