import { randomUUID } from "node:crypto";

/** More starts in a row would take longer than any lease of the first one. */
const DEAD_MAX = 20;

/**
 * Names each start of a worker and tells it the names of its dead predecessors, whose attempts it reclaims at once.
 * Settings are only made when the worker before has ended: its exit was seen, so none of its work can go on.
 */
export class WorkerNames {
  #before: string[] = [];

  /** The settings of the next start. */
  next(): { BULKHEAD_WORKER_ID: string; BULKHEAD_DEAD_WORKERS: string } {
    const dead = this.#before;
    const name = `wrk_${randomUUID()}`;
    this.#before = [name, ...dead].slice(0, DEAD_MAX);
    return { BULKHEAD_WORKER_ID: name, BULKHEAD_DEAD_WORKERS: dead.join(",") };
  }
}
