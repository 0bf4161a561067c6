import type { InputFault, Json, JsonObject, SchemaChecker, SchemaPlace } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { ThreadPool } from "@bulkhead/threads";
import {
  VALUE_DEPTH_MAX,
  COMPILED_MAX,
  DIVISION_STEPS,
  INLINE_NODES_MAX,
  INLINE_STEPS_MAX,
  OVERRUN_PAUSE_MS,
  OVERRUNS_MAX,
  THREAD_HEAP_MIB_MAX,
  THREAD_MS_MAX,
  THREAD_MS_PER_NODE,
  THREAD_QUEUE_MAX,
  THREAD_WAIT_MS_MAX,
  THREADS_MAX,
} from "./bounds.ts";
import { type CheckJob, JobChecker, rootOf, type ValueRoot } from "./check-job.ts";
import { buildFault } from "./fault.ts";
import { type Inspection, inspectSchema } from "./inspect-schema.ts";
import { LRUCache } from "lru-cache";
import { type JsonSize, measureJson } from "./measure-json.ts";

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
  readonly #threads: ThreadPool<CheckJob, InputFault[]>;

  constructor({ threadsMax = THREADS_MAX, threadMsMax = THREAD_MS_MAX }: SchemaCheckerOptions) {
    this.#threads = new ThreadPool({
      program: { entry: new URL("./check-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
      threadsMax,
      queueMax: THREAD_QUEUE_MAX,
      waitMsMax: THREAD_WAIT_MS_MAX,
      msMaxFor: ({ inspection }) => threadMsMax + inspection.nodes * THREAD_MS_PER_NODE,
    });
  }

  async checkSchema(schema: JsonObject, place: SchemaPlace): Promise<InputFault[]> {
    const inspection = inspectSchema(schema, place);
    if (inspection.faults.length > 0) return inspection.faults;
    const job: CheckJob = { kind: "schema", place, schema, inspection };
    return isCheap(inspection) ? this.#inline.check(job) : this.#checkInThread(job);
  }

  checkArguments(key: string, schema: JsonObject, value: JsonObject): Promise<InputFault[]> {
    return this.#checkValue("arguments", key, schema, value);
  }

  checkResult(key: string, schema: JsonObject, value: Json): Promise<InputFault[]> {
    return this.#checkValue("result", key, schema, value);
  }

  async #checkValue(root: ValueRoot, key: string, schema: JsonObject, value: Json): Promise<InputFault[]> {
    const size = measureJson(value, VALUE_DEPTH_MAX);
    if (size.tooDeep) return [buildFault(root, `is nested deeper than ${VALUE_DEPTH_MAX} levels`)];
    const inspection = this.#inspect(key, schema, root === "arguments" ? "parameters" : "outputSchema");
    if (inspection.faults.length > 0) return inspection.faults;
    const steps = countSteps(inspection, size);
    const job: CheckJob = { kind: "value", root, key, schema, inspection, value, steps };
    if (isCheap(inspection) && steps <= INLINE_STEPS_MAX) return this.#inline.check(job);
    if (this.#isPaused(key)) return [tooLong(root)];
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

  #inspect(key: string, schema: JsonObject, place: SchemaPlace): Inspection {
    let inspection = this.#inspections.get(key);
    if (!inspection) {
      inspection = inspectSchema(schema, place);
      this.#inspections.set(key, inspection);
    }
    return inspection;
  }

  async #checkInThread(job: CheckJob): Promise<InputFault[]> {
    const path = rootOf(job);
    const done = await this.#threads.run(job);
    switch (done.outcome) {
      case "answered":
        if (job.kind === "value") this.#overruns.delete(job.key);
        return done.answer;
      case "overran":
        if (job.kind === "value") this.#countOverrun(job.key);
        return [tooLong(path)];
      case "died":
        return [buildFault(path, "can't be checked: the schema takes too much memory")];
      case "unavailable":
        break;
    }
    throw new Fault("service.unavailable", {
      detail: "Too many schemas are being checked. Try again in a moment.",
      internal: "no thread for a schema check",
    });
  }
}

function isCheap({ linear, nodes }: Inspection): boolean {
  return linear && nodes <= INLINE_NODES_MAX;
}

/** A format reads a character about as fast as a keyword is checked; they count only where the schema reads them. */
function countSteps({ nodes, readsStrings, divisions }: Inspection, size: JsonSize): number {
  return nodes * (size.nodes + (readsStrings ? size.chars : 0)) + divisions * DIVISION_STEPS * size.nodes;
}

function tooLong(path: string): InputFault {
  return buildFault(path, "can't be checked: the schema takes too long; simplify it or send less");
}
