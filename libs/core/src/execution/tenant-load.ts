import type { TenantLimits } from "../limit/limits.ts";

/** What the dispatcher holds of a tenant at a moment. */
export interface QueueFacts {
  tenantId: string;
  at: Date;
  /** Executions that wait for their turn; and those that wait for their time, or for their tool's own limits. */
  backlog: number;
  delayed: number;
  parked: number;
  /** Executions that hold a slot, handed out or running. */
  inflight: number;
  /** Whether the tenant is among those that compete for slots now. */
  competes: boolean;
  /** The weights of all tenants that compete, added up. */
  weights: number;
  /** Slots of the live workers. */
  slots: number;
  /** The theoretical arrival time of its rate (GCRA), in milliseconds since 1970. */
  tat: number;
  /** How many of its latest runs `meanMs` is of, and how long they took on average; milliseconds. */
  runs: number;
  meanMs: number;
}

/** How busy a tenant is, and how long its next execution would wait. */
export interface TenantLoad {
  queued: number;
  running: number;
  limit: number;
  weight: number;
  /** Of the workers' time, from 0 to 1, while those that compete for slots now go on to do so. */
  share: number;
  /** Until when its rate lets nothing start; null where it does. */
  throttledUntil: Date | null;
  /** An estimate, in milliseconds; null where nothing is known to make it of. */
  predictedWaitMs: number | null;
}

type LoadLimits = Pick<
  TenantLimits,
  "maxConcurrentExecutions" | "executionsPerSecond" | "executionBurst" | "weight"
>;

/** Fewer runs say nothing of the next ones. */
const RUNS_KNOWN_MIN = 3;

/**
 * The wait is that of an execution which comes now, behind all that wait: until slots of the tenant's become free, which are
 * its limit or its share of the workers' slots, one at the least, and each are taken for the mean time of its latest
 * runs; or until its rate lets it start, if that is later. It does not know of priorities, limits of tools, time
 * that the tenant owes to others, or other tenants that come meanwhile.
 */
export function loadOf(facts: QueueFacts, limits: LoadLimits): TenantLoad {
  const { weight, maxConcurrentExecutions: limit } = limits;
  const intervalMs = 1_000 / limits.executionsPerSecond;
  const others = Math.max(0, facts.weights - (facts.competes ? weight : 0));
  const share = weight / (weight + others);
  const readyAt = facts.tat - (limits.executionBurst - 1) * intervalMs;
  const now = facts.at.getTime();
  return {
    queued: facts.backlog + facts.delayed + facts.parked,
    running: facts.inflight,
    limit,
    weight,
    share: Number(share.toPrecision(3)),
    throttledUntil: readyAt > now ? new Date(Math.ceil(readyAt)) : null,
    predictedWaitMs: predictWait(
      facts,
      limit,
      share,
      Math.max(0, readyAt - now + facts.backlog * intervalMs),
    ),
  };
}

function predictWait(
  { backlog, inflight, slots, runs, meanMs }: QueueFacts,
  limit: number,
  share: number,
  rateMs: number,
): number | null {
  if (slots === 0) return null;
  const own = Math.max(1, Math.min(limit, slots * share));
  const ahead = backlog + inflight + 1 - own;
  if (ahead <= 0) return Math.ceil(rateMs);
  if (runs < RUNS_KNOWN_MIN) return null;
  return Math.ceil(Math.max(rateMs, (ahead * meanMs) / own));
}

/** The dispatcher as it is at the moment. Every method rejects with `service.unavailable` when it can't be reached. */
export interface ExecutionLoads {
  facts(tenantId: string): Promise<QueueFacts>;
  /** Those with most running and waiting, the busiest first; of very many tenants a sample is looked at. */
  busiest(countMax: number): Promise<QueueFacts[]>;
}
