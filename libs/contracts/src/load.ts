import { z } from "zod";
import { timestamp } from "./fields.ts";

const load = {
  queued: z
    .int()
    .describe(
      "Executions that wait: for a slot, for the tenant's rate, for their tool's limits, or for their delay.",
    ),
  running: z.int().describe("Executions that hold a slot: handed to a worker, or running."),
  limit: z.int().describe("`maxConcurrentExecutions`: so many may hold a slot at once."),
  weight: z.int().describe("Its weight against other tenants."),
  share: z
    .number()
    .describe(
      "Its part of the workers' time, from 0 to 1, while the tenants that compete for slots now go on to do so: its weight over the sum of theirs, in its dispatcher shard.",
    ),
  throttledUntil: timestamp
    .nullable()
    .describe(
      "Until then its rate (`executionsPerSecond`, `executionBurst`) lets nothing start; null: it does.",
    ),
  predictedWaitMs: z
    .int()
    .nullable()
    .describe(
      "How long an execution that comes now would wait, about: (waiting for a slot + `running` + 1 - slots) x the mean time of its latest runs / slots, where slots is the lesser of `limit` and `share` x the workers' slots, at least 1; or the time after which its rate lets it start, if that is longer. Delays, priorities and limits of tools don't count. Null: there is no worker, or fewer than three runs are known.",
    ),
};

/** How busy a tenant is at this moment. */
export const TenantLoad = z.object(load).meta({ id: "TenantLoad" });

/** The same of the tenants with most running and waiting, for the administrator. */
export const SystemLoad = z
  .object({
    tenants: z
      .array(z.object({ tenantId: z.string(), slug: z.string(), ...load }))
      .describe(
        "At most 100, the busiest first. Where more than 500 tenants of a kind (waiting, at their limit, at their rate) or 500 slots in use are in a shard, a random sample of 500 is looked at.",
      ),
  })
  .meta({ id: "SystemLoad" });
