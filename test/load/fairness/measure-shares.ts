import { setTimeout as delay } from "node:timers/promises";
import { SLOTS, type Contender, type LoadTenant, type Span } from "./contender.ts";
import { workerMs } from "./shares.ts";

/** Executions of each tenant for each second of the measure: about what one machine runs of the lightest. */
const PER_SECOND = 400;
const BATCH_SIZE = 50;
/** Calls that each tenant makes beforehand, for compiled code. */
const WARM_UP_CALLS = 20;
/** And then these at once, all tenants together, for as many processes as it will have: starting them is no work of a tool. */
const WARM_UP_BURST = 100;
const WARM_UP_MS_MAX = 60_000;
/** After the last of a backlog is handed in, and for what runs at the end of the measure to end. */
const SETTLE_MS = 1_000;
/** The least share of the wanted time in which all must have had a backlog. */
const BACKLOGGED_MIN = 0.4;

/** A tenant that has a backlog all the time. */
export type Backlogged = LoadTenant & { weight: number };

/** What the tenants got while all of them had a backlog. */
export interface Shares {
  /** How long that was. */
  seconds: number;
  /** Of each tenant, in their order. */
  got: { workerMs: number; ended: number }[];
}

/** On a contender that has seen nothing yet. Rejects where a tenant ran out of work too soon. */
export async function measureShares(
  contender: Contender,
  tenants: Backlogged[],
  durationMs: number,
): Promise<Shares> {
  const count = Math.ceil((PER_SECOND * (durationMs + 2 * SETTLE_MS)) / 1_000 / BATCH_SIZE) * BATCH_SIZE;
  await contender.prepare(tenants);
  for (const { name, tools } of tenants)
    for (let call = 0; call < WARM_UP_CALLS; call += 1) await contender.call(name, tools[0]?.name ?? "");
  await burst(contender, tenants);
  // In turns, so that a queue without tenants gets them well mixed.
  for (let from = 0; from < count; from += BATCH_SIZE) {
    for (const { name, tools } of tenants)
      await contender.submit(name, Array<string>(BATCH_SIZE).fill(tools[0]?.name ?? ""));
  }
  await delay(SETTLE_MS);
  const from = Date.now();
  await delay(durationMs);
  const until = Date.now();
  await delay(SETTLE_MS);
  const spans = await Promise.all(tenants.map(({ name }) => contender.spans(name)));
  const to = Math.min(until, ...spans.map((own) => dryAt(own, WARM_UP_CALLS + WARM_UP_BURST + count)));
  if (to - from < durationMs * BACKLOGGED_MIN)
    throw new Error("a tenant ran out of work too soon for a measure of its share");
  const got = spans.map((own) => ({
    workerMs: workerMs(own, from, to),
    ended: own.filter(({ endMs }) => endMs >= from && endMs < to).length,
  }));
  return { seconds: (to - from) / 1_000, got };
}

async function burst(contender: Contender, tenants: Backlogged[]): Promise<void> {
  for (const { name, tools } of tenants)
    await contender.submit(name, Array<string>(WARM_UP_BURST).fill(tools[0]?.name ?? ""));
  const givenUpAt = Date.now() + WARM_UP_MS_MAX;
  for (const { name } of tenants) {
    while ((await contender.spans(name)).length < WARM_UP_CALLS + WARM_UP_BURST) {
      if (Date.now() > givenUpAt) throw new Error(`the warm-up of ${name} did not end`);
      await delay(SETTLE_MS);
    }
  }
}

/** Until when a tenant surely had more waiting than was handed out ahead; milliseconds since 1970. */
function dryAt(spans: Span[], count: number): number {
  const starts = spans.map(({ startMs }) => startMs).toSorted((a, b) => a - b);
  return starts[count - 2 * SLOTS] ?? Number.POSITIVE_INFINITY;
}
