import type { InputFault, JsonObject, SchemaChecker } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import {
  ARGUMENTS_DEPTH_MAX,
  COMPILED_MAX,
  INLINE_NODES_MAX,
  INLINE_STEPS_MAX,
  OVERRUN_PAUSE_MS,
  OVERRUNS_MAX,
  THREAD_MS_MAX,
  THREADS_MAX,
} from "./bounds.ts";
import { type CheckJob, JobChecker, rootOf } from "./check-job.ts";
import { buildFault } from "./fault.ts";
import { type Inspection, inspectSchema } from "./inspect-schema.ts";
import { LRUCache } from "lru-cache";
import { type JsonSize, measureJson } from "./measure-json.ts";
import { ThreadPool } from "./thread-pool.ts";

export interface SchemaCheckerOptions {
  /** Threads for schemas that aren't linear by construction. */
  threadsMax?: number;
  /** A thread's time for one check, in milliseconds. */
  threadMsMax?: number;
}

/**
 * Opens a checker of JSON Schema, drafts 2020-12 and 7. Cheap checks run on the caller's thread, others in threads
 * that are ended when they take too long. Rejects with `service.unavailable` when too many checks wait for a thread.
 */
export function openSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  return new TwoRoadChecker(options);
}

/** How often a schema overran in a row, and when last, on the monotonic clock. */
interface Overruns {
  count: number;
  lastAt: number;
}

class TwoRoadChecker implements SchemaChecker {
  readonly #inline = new JobChecker(COMPILED_MAX);
  readonly #inspections = new LRUCache<string, Inspection>({ max: COMPILED_MAX });
  readonly #overruns = new LRUCache<string, Overruns>({ max: COMPILED_MAX });
  readonly #threads: ThreadPool;

  constructor({ threadsMax = THREADS_MAX, threadMsMax = THREAD_MS_MAX }: SchemaCheckerOptions) {
    this.#threads = new ThreadPool({ threadsMax, jobMsMax: threadMsMax });
  }

  async checkSchema(schema: JsonObject): Promise<InputFault[]> {
    const inspection = inspectSchema(schema);
    if (inspection.faults.length > 0) return inspection.faults;
    const job: CheckJob = { kind: "schema", schema, inspection };
    return isCheap(inspection) ? this.#inline.check(job) : this.#checkInThread(job);
  }

  async checkArguments(key: string, schema: JsonObject, value: JsonObject): Promise<InputFault[]> {
    const size = measureJson(value, ARGUMENTS_DEPTH_MAX);
    if (size.tooDeep) return [buildFault("arguments", `is nested deeper than ${ARGUMENTS_DEPTH_MAX} levels`)];
    const inspection = this.#inspect(key, schema);
    if (inspection.faults.length > 0) return inspection.faults;
    const steps = countSteps(inspection, size);
    const job: CheckJob = { kind: "arguments", key, schema, inspection, value, steps };
    if (isCheap(inspection) && steps <= INLINE_STEPS_MAX) return this.#inline.check(job);
    if (this.#isPaused(key)) return [tooLong("arguments")];
    return this.#checkInThread(job);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  #isPaused(key: string): boolean {
    const seen = this.#overruns.get(key);
    return (
      seen !== undefined && seen.count >= OVERRUNS_MAX && performance.now() - seen.lastAt < OVERRUN_PAUSE_MS
    );
  }

  #countOverrun(key: string): void {
    const count = (this.#overruns.get(key)?.count ?? 0) + 1;
    this.#overruns.set(key, { count, lastAt: performance.now() });
  }

  #inspect(key: string, schema: JsonObject): Inspection {
    let inspection = this.#inspections.get(key);
    if (!inspection) {
      inspection = inspectSchema(schema);
      this.#inspections.set(key, inspection);
    }
    return inspection;
  }

  async #checkInThread(job: CheckJob): Promise<InputFault[]> {
    const path = rootOf(job);
    const done = await this.#threads.run(job);
    switch (done.outcome) {
      case "checked":
        if (job.kind === "arguments") this.#overruns.delete(job.key);
        return done.faults;
      case "overran":
        if (job.kind === "arguments") this.#countOverrun(job.key);
        return [tooLong(path)];
      case "died":
        return [buildFault(path, "can't be checked: the schema takes too much memory")];
      case "unavailable":
        break;
    }
    throw new Fault("service.unavailable", {
      detail: "Too many schemas are being checked. Try again in a moment.",
      internal: "no thread for a schema check",
      retryAfterSeconds: 1,
    });
  }
}

function isCheap({ linear, nodes }: Inspection): boolean {
  return linear && nodes <= INLINE_NODES_MAX;
}

/** A format reads a character about as fast as a keyword is checked; they count only where the schema reads them. */
function countSteps({ nodes, readsStrings }: Inspection, size: JsonSize): number {
  return nodes * (size.nodes + (readsStrings ? size.chars : 0));
}

function tooLong(path: string): InputFault {
  return buildFault(path, "can't be checked: the schema takes too long; simplify it or send less");
}
