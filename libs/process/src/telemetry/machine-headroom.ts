import { cpus } from "node:os";
import { performance } from "node:perf_hooks";
import { throttledMs } from "./throttled-ms.ts";

/** Share of the time in which a container that is held back by its quota has nothing left. */
const THROTTLED_SHARE = 0.1;
/** Below this share of all processors' time, it is not this worker that keeps them busy. */
const OWN_SHARE_MIN = 0.25;
/** The headroom that is told then: fewer slots would slow this worker down and give the others little. */
const NOT_OURS = 0.1;

interface Sample {
  at: number;
  idleMs: number;
  allMs: number;
  ownMs: number | null;
  throttledMs: number | null;
  loop: ReturnType<typeof performance.eventLoopUtilization>;
}

/**
 * The headroom of this worker, as a share from 0 to 1 of the time since the last call: the processors' idle time or
 * what this thread's event loop has idled, whichever is less; nothing where the container was held back by its quota
 * (`heldBackMs` so far, null without one). `ownCpuMs` is the processor time of the worker and its sandboxes so far, in
 * milliseconds; null where nobody knows.
 */
export function machineHeadroom(
  ownCpuMs: () => number | null,
  heldBackMs: () => number | null = throttledMs,
): () => number {
  let last = sample(ownCpuMs, heldBackMs);
  return () => {
    const before = last;
    last = sample(ownCpuMs, heldBackMs);
    return headroomBetween(before, last);
  };
}

/** Below this headroom a process has no processor time to spare. */
const SATURATED_BELOW = 0.15;
/** How often `watchHeadroom` looks; milliseconds. */
const LOOK_EVERY_MS = 250;

/** The last headroom, for readers that must not begin a new measurement, as each call of `machineHeadroom` does. */
export class Headroom {
  #latest = 0;

  get value(): number {
    return this.#latest;
  }

  /** Whether there was next to nothing left. */
  get isSaturated(): boolean {
    return this.#latest < SATURATED_BELOW;
  }

  /** `machineHeadroom`, whose answers it remembers. */
  followMachine(ownCpuMs: () => number | null): () => number {
    return this.follow(machineHeadroom(ownCpuMs));
  }

  /** Remembers what `headroom` answers whoever asks. */
  follow(headroom: () => number): () => number {
    return () => (this.#latest = headroom());
  }
}

/** Looks again and again at what is left to this process, until it is closed. */
export function watchHeadroom(): { headroom: Headroom; close(): void } {
  const headroom = new Headroom();
  const looking = setInterval(
    headroom.followMachine(() => null),
    LOOK_EVERY_MS,
  ).unref();
  return { headroom, close: () => clearInterval(looking) };
}

function headroomBetween(before: Sample, now: Sample): number {
  const elapsedMs = now.at - before.at;
  const heldBackMs = (now.throttledMs ?? 0) - (before.throttledMs ?? 0);
  if (heldBackMs > THROTTLED_SHARE * elapsedMs) return 0;
  const loopIdle = 1 - performance.eventLoopUtilization(now.loop, before.loop).utilization;
  const allMs = now.allMs - before.allMs;
  // Two calls within one tick of the system's clock tell nothing.
  if (allMs <= 0) return Math.max(0, loopIdle);
  const idle = (now.idleMs - before.idleMs) / allMs;
  const isOurs =
    now.ownMs === null || before.ownMs === null || now.ownMs - before.ownMs >= OWN_SHARE_MIN * allMs;
  return Math.max(0, Math.min(isOurs ? idle : Math.max(idle, NOT_OURS), loopIdle));
}

function sample(ownCpuMs: () => number | null, heldBackMs: () => number | null): Sample {
  let idleMs = 0;
  let allMs = 0;
  for (const { times } of cpus()) {
    idleMs += times.idle;
    allMs += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  const loop = performance.eventLoopUtilization();
  return { at: performance.now(), idleMs, allMs, ownMs: ownCpuMs(), throttledMs: heldBackMs(), loop };
}
