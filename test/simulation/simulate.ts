import { isTerminal } from "@bulkhead/core";
import { judgeWorld, type Broken, type Ended } from "./invariants/index.ts";
import { takeOverTime } from "./kernel/virtual-time.ts";
import { heal, plague } from "./world/chaos.ts";
import { Clients } from "./world/clients.ts";
import { Fleet } from "./world/fleet.ts";
import { HONEST, type Models } from "./world/models.ts";
import { World } from "./world/world.ts";

/**
 * For how long things go wrong, how long a world takes at the least and may take at the most to come to rest
 * after that, and a probe; virtual milliseconds.
 */
const PLAGUE_MS = 12_000;
const REST_MS_MIN = 15_000;
const REST_MS_MAX = 240_000;
const PROBE_MS_MAX = 90_000;
/** From the last end of the probe to an empty dispatcher: a release's way. */
const QUIET_MS_MAX = 1_000;

/** How one seed went. */
export interface Run {
  seed: number;
  broken: Broken[];
  steps: number;
  deaths: number;
  executions: number;
  world: World;
}

/** Runs one seed from its first step to rest, and judges what happened. Equal seeds give equal runs. */
export async function simulate(seed: number, models: Models = HONEST): Promise<Run> {
  const world = new World(seed, models);
  const restore = takeOverTime(world.scheduler, world.random);
  try {
    const ended = await live(world);
    const broken = judgeWorld(ended);
    const deaths = world.history.facts.filter(({ kind }) => kind === "died");
    const { steps } = world.scheduler;
    return { seed, broken, steps, deaths: deaths.length, executions: world.store.rows.size, world };
  } finally {
    restore();
  }
}

async function live(world: World): Promise<Ended> {
  const { scheduler, random } = world;
  const fleet = new Fleet(world);
  const clients = new Clients(world, () => fleet.apis);
  clients.plan(PLAGUE_MS, random.whole(3, 16));
  plague(world, fleet, PLAGUE_MS);
  await scheduler.run(scheduler.now + PLAGUE_MS, () => false);
  heal(world);
  // Callers that were refused try again for a while.
  await scheduler.run(scheduler.now + REST_MS_MIN, () => false);
  const atRest = await waitFor(
    world,
    REST_MS_MAX,
    () => clients.pending === 0 && fleet.isWhole && isQuiet(world),
  );
  const calmFrom = world.now();
  clients.probe();
  await scheduler.run(scheduler.now + QUIET_MS_MAX, () => false);
  const probed = await waitFor(world, PROBE_MS_MAX, () => allEnded(world));
  await scheduler.run(scheduler.now + QUIET_MS_MAX, () => false);
  const { facts } = world.history;
  return { facts, rows: world.store.rows, atRest, calmFrom, probed, left: leftovers(world) };
}

/** Looks once a while, since looking at everything after each step would cost more than the steps. */
async function waitFor(world: World, msMax: number, done: () => boolean): Promise<boolean> {
  const { scheduler } = world;
  const end = scheduler.now + msMax;
  while (scheduler.now < end) {
    const look = scheduler.now + 500;
    scheduler.after(500, null, () => undefined);
    await scheduler.run(look, () => false);
    scheduler.now = Math.max(scheduler.now, look);
    if (done()) return true;
  }
  return false;
}

const allEnded = ({ store }: World): boolean =>
  [...store.rows.values()].every(({ status }) => isTerminal(status));

const isQuiet = (world: World): boolean => allEnded(world) && leftovers(world).length === 0;

/** What the queue still holds. */
function leftovers(world: World): string[] {
  const left: string[] = world.ready.size > 0 ? [`${world.ready.size} in the ready list`] : [];
  for (const { id, slots, backlog, delayed, parkedCount, reserved } of world.dispatcher.tenants.values()) {
    const lasting = [...reserved.values()].filter((lapses) => lapses > world.now());
    const counts = { slots: slots.size, backlog: backlog.size, delayed: delayed.size, parked: parkedCount };
    for (const [what, count] of Object.entries({ ...counts, reserved: lasting.length }))
      if (count > 0) left.push(`${id}: ${count} ${what}`);
  }
  return left;
}
