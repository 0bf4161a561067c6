// `npm run bench:dispatch`: what a step of the dispatcher costs through its port on a real Redis, with more and more
// tenants and executions, and plain BullMQ's steps beside it. `-- --tenants 10,1000,100000 --queued 1000000 --ops 400
// --rounds 2 --json` are what it takes; smaller numbers make it quick.
import { openRedis } from "@bulkhead/standalone/stores";
import { Redis } from "ioredis";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measurePlainQueue } from "./baselines/plain-queue.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { measureDispatch } from "./dispatch/measure-dispatch.ts";
import { mergedOps, type Op } from "./dispatch/ops.ts";
import {
  OP_NAMES,
  printGrowth,
  printOps,
  mergedState,
  printQueuedGrowth,
  printWhole,
  stateName,
  type DispatchState,
} from "./dispatch/print-dispatch.ts";

const { values } = parseArgs({
  options: {
    tenants: { type: "string", default: "10,1000,100000" },
    queued: { type: "string", default: "1000000" },
    ops: { type: "string", default: "400" },
    rounds: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const within = (text: string, min: number, max: number): number => Math.min(max, Math.max(min, Number(text)));
const tenantCounts = values.tenants.split(",").map((text) => within(text, 2, 1_000_000));
const queuedMax = within(values.queued, 20_000, 10_000_000);
const ops = within(values.ops, 10, 5_000);
const rounds = within(values.rounds, 1, 20);
/** What waits of each tenant at the least, so that a turn leaves it in the ring. */
const PER_TENANT_MIN = 3;
const QUEUED_BY_TENANTS = 20_000;
const QUEUED_TENANTS = 1_000;
const QUEUED_FEW_PER_TENANT = 10;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const note = (text: string): void => void process.stderr.write(`${text}…\n`);

async function stateOf(dispatcher: Dispatcher, queued: number): Promise<DispatchState> {
  const tenants = dispatcher.tenants.length;
  note(`${tenants} tenants, ${queued} queued`);
  return { tenants, queued, ops: await measureDispatch(dispatcher, ops) };
}

async function byTenants(redisUrl: string, tenants: number): Promise<DispatchState> {
  const dispatcher = await Dispatcher.open(redisUrl, tenants);
  try {
    const perTenant = Math.max(PER_TENANT_MIN, Math.ceil(QUEUED_BY_TENANTS / tenants));
    await dispatcher.fill(perTenant);
    return await stateOf(dispatcher, perTenant * tenants);
  } finally {
    await dispatcher.close();
  }
}

interface Queued {
  few: DispatchState;
  many: DispatchState;
  bytesEach: number;
  admitsPerSecond: number;
}

async function byQueued(redisUrl: string): Promise<Queued> {
  const dispatcher = await Dispatcher.open(redisUrl, QUEUED_TENANTS);
  try {
    await dispatcher.fill(QUEUED_FEW_PER_TENANT);
    const more = Math.ceil(queuedMax / QUEUED_TENANTS) - QUEUED_FEW_PER_TENANT;
    const few = await stateOf(dispatcher, QUEUED_FEW_PER_TENANT * QUEUED_TENANTS);
    const bytes = await dispatcher.usedMemoryBytes();
    const at = performance.now();
    note(`filling up to ${queuedMax}`);
    await dispatcher.fill(more);
    const added = more * QUEUED_TENANTS;
    const admitsPerSecond = added / ((performance.now() - at) / 1_000);
    const bytesEach = ((await dispatcher.usedMemoryBytes()) - bytes) / added;
    const many = await stateOf(dispatcher, queuedMax);
    return { few, many, bytesEach, admitsPerSecond };
  } finally {
    await dispatcher.close();
  }
}

const redisServer = await openRedis({
  throwaway: true,
  env: process.env,
});
const redis = new Redis(redisServer.url);
try {
  const states: DispatchState[][] = tenantCounts.map(() => []);
  const plain: Record<"add" | "fetch" | "complete", Op>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    note(`round ${round} of ${rounds}: plain BullMQ`);
    await redis.flushall();
    const waiting = QUEUED_BY_TENANTS;
    plain.push(await measurePlainQueue({ redis, redisUrl: redisServer.url }, { waiting, count: ops }));
    for (const [place, tenants] of tenantCounts.entries())
      states[place]?.push(await byTenants(redisServer.url, tenants));
  }
  const queued = await byQueued(redisServer.url);
  const all = states.map(mergedState);
  report(all, queued, plain);
} finally {
  redis.disconnect();
  await redisServer.close();
}

function report(
  states: DispatchState[],
  queued: Queued,
  plain: Record<"add" | "fetch" | "complete", Op>[],
): void {
  const load = loadavg().map((value) => value.toFixed(1));
  say(`\n${rounds} round(s) of ${ops} operations, one after another; load average ${load.join(" ")}`);
  const rows = [...states, queued.few, queued.many].flatMap((state) =>
    OP_NAMES.map((name) => ({ name: `${name}: ${stateName(state)}`, op: state.ops[name] })),
  );
  printOps("The dispatcher's steps, for each execution", rows);
  say("  admit: one execution into a backlog; dispatch: free slots, several at once, handed to BullMQ too;");
  say("  release: a slot freed, what was used charged, and the next execution handed to BullMQ.");
  const plainRows = (["add", "fetch", "complete"] as const).map((name) => ({
    name: `${name}: ${QUEUED_BY_TENANTS.toLocaleString("en-US")} waiting`,
    op: mergedOps(plain.map((one) => one[name])),
  }));
  printOps("Plain BullMQ's steps, which Bulkhead has besides", plainRows);
  printGrowth(states);
  printQueuedGrowth(queued.few, queued.many);
  printWhole(states[0], plainRows);
  say(
    `\nRedis memory for each queued execution: ${queued.bytesEach.toFixed(0)} bytes; filled at ${queued.admitsPerSecond.toFixed(0)} admissions a second`,
  );
  if (values.json) say(JSON.stringify({ states, queued, plain }));
}
