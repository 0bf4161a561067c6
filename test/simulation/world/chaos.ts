import { isTerminal } from "@bulkhead/core";
import { LEASE_MS } from "../../../apps/worker/src/lease-keeper.ts";
import { NO_MISHAPS, type Mishaps } from "../kernel/network.ts";
import type { Fleet } from "./fleet.ts";
import type { World } from "./world.ts";

const MISHAP_LEVELS: Mishaps[] = [
  NO_MISHAPS,
  { lost: 0.02, unanswered: 0.02, crash: 0.002, pause: 0.001, slow: 0.01 },
  { lost: 0.06, unanswered: 0.06, crash: 0.004, pause: 0.004, slow: 0.05 },
];
const OUTAGE_MS_MAX = 8_000;

/** What befalls a world as a whole, each by its weight. */
const BLOWS: { weight: number; strike: (world: World, fleet: Fleet) => void }[] = [
  { weight: 3, strike: (world, fleet) => killOne(world, fleet) },
  { weight: 4, strike: (world, fleet) => pauseOne(world, fleet) },
  { weight: 2, strike: (_, fleet) => fleet.stopOneGently() },
  { weight: 2, strike: (world) => world.emptyRedis() },
  { weight: 1, strike: (world) => breakDown(world, "redis") },
  { weight: 1, strike: (world) => breakDown(world, "postgres") },
  { weight: 4, strike: (world) => repeatOne(world) },
  { weight: 2, strike: (world) => repeatBeginnings(world) },
];

function killOne(world: World, { all }: Fleet): void {
  if (all.length > 0) world.kill(world.random.pick(all), "from outside");
}

/** Mostly for about as long as a lease: then it wakes while its successor runs. */
function pauseOne(world: World, { workers }: Fleet): void {
  const { random } = world;
  const ms = random.chance(0.7)
    ? random.between(LEASE_MS * 0.8, LEASE_MS * 1.3)
    : random.between(1_000, 30_000);
  if (workers.length > 0) world.pause(random.pick(workers), ms, "from outside");
}

function breakDown(world: World, server: "redis" | "postgres"): void {
  const ms = world.random.between(500, OUTAGE_MS_MAX);
  world.history.tell({ kind: "mishap", what: `${server} is away for ${Math.round(ms)} ms` });
  world[server].downUntil = world.now() + ms;
}

/** An attempt that a worker had before, mostly one that runs at this moment. */
function repeatOne(world: World): void {
  const tried = [...world.store.rows.values()].filter(({ attempt }) => attempt > 0);
  const unended = tried.filter(({ status }) => !isTerminal(status));
  const rows = unended.length > 0 ? unended : tried;
  if (rows.length === 0) return;
  const { born, attempt } = world.random.pick(rows);
  const { tenantId, executionId } = born;
  world.history.tell({ kind: "mishap", what: `${executionId} is handed out twice` });
  world.ready.repeat({ tenantId, executionId, attempt });
}

/** Two workers run what neither has claimed yet. */
function repeatBeginnings(world: World): void {
  const count = world.random.whole(1, 5);
  world.history.tell({ kind: "mishap", what: `the next ${count} are handed out twice` });
  world.ready.repeatNext += count;
}

/** Plans the blows of a world within `forMs`, and how calls go wrong until then; after it all is well. */
export function plague(world: World, fleet: Fleet, forMs: number): void {
  const { random, scheduler } = world;
  world.network.mishaps = { ...random.pick(MISHAP_LEVELS) };
  // Each world has blows of a few kinds only: what needs several of one kind is reached so.
  const kinds = BLOWS.filter(() => random.chance(0.5));
  const drawn = (kinds.length > 0 ? kinds : BLOWS).flatMap(({ weight, strike }) =>
    Array.from({ length: weight }, () => strike),
  );
  for (let blow = random.chance(0.3) ? random.whole(5, 14) : random.whole(0, 5); blow > 0; blow -= 1) {
    const strike = random.pick(drawn);
    scheduler.after(random.between(0, forMs), null, () => strike(world, fleet));
  }
}

/** Nothing goes wrong from now on. */
export function heal(world: World): void {
  world.network.mishaps = { ...NO_MISHAPS };
  world.redis.downUntil = 0;
  world.postgres.downUntil = 0;
}
