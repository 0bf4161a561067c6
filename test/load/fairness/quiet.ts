import { setTimeout as delay } from "node:timers/promises";
import type { Timings } from "./contender.ts";

export interface QuietOptions {
  tenants: string[];
  /** Each tenant sends one so often; they take turns. */
  everyMs: number;
  durationMs: number;
  /** How long the last ones are waited for. */
  graceMs: number;
}

/** One call of a quiet tenant's; milliseconds. */
interface QuietCall {
  /** Since the start of the measure. */
  plannedMs: number;
  /** From its planned time on; of one that had no answer, at least so long. */
  latencyMs: number;
}

/** What quiet tenants met. */
export interface Quiet {
  calls: QuietCall[];
  /** Those that had none. */
  unanswered: number;
  timings: Timings[];
}

/**
 * Sends at times that are fixed beforehand, whatever the answers do, and counts from those times: an answer that is late
 * hides nothing of the calls behind it. Rejects when a call fails.
 */
export async function sendQuietly(
  call: (tenant: string) => Promise<Timings>,
  { tenants, everyMs, durationMs, graceMs }: QuietOptions,
): Promise<Quiet> {
  const gapMs = everyMs / tenants.length;
  const count = Math.floor(durationMs / gapMs);
  const startAt = performance.now() + gapMs;
  const latencyOf = (plannedMs: number): number => performance.now() - (startAt + plannedMs);
  const open = new Set<number>();
  const answered: QuietCall[] = [];
  const timings: Timings[] = [];
  const one = async (place: number, plannedMs: number): Promise<void> => {
    open.add(plannedMs);
    timings.push(await call(tenants[place % tenants.length] ?? ""));
    open.delete(plannedMs);
    answered.push({ plannedMs, latencyMs: latencyOf(plannedMs) });
  };
  const calls: Promise<void>[] = [];
  for (let place = 0; place < count; place += 1) {
    const plannedMs = place * gapMs;
    await delay(Math.max(0, -latencyOf(plannedMs)));
    calls.push(one(place, plannedMs));
    calls.at(-1)?.catch(() => undefined);
  }
  await Promise.race([Promise.all(calls), delay(graceMs)]);
  const late = [...open].map((plannedMs) => ({ plannedMs, latencyMs: latencyOf(plannedMs) }));
  return { calls: [...answered, ...late], unanswered: late.length, timings: [...timings] };
}
