import {
  type InputFault,
  type Json,
  type JsonObject,
  type SchemaChecker,
  type SchemaFindings,
  type SchemaPlace,
  Fault,
} from "@bulkhead/core";
import { ThreadPool } from "@bulkhead/process";
import {
  VALUE_DEPTH_MAX,
  COMPILED_MAX,
  DIVISION_STEPS,
  INLINE_NODES_MAX,
  INLINE_STEPS_MAX,
  THREAD_HEAP_MIB_MAX,
  THREAD_MS_MAX,
  THREAD_MS_PER_NODE,
  THREAD_QUEUE_MAX,
  THREAD_WAIT_MS_MAX,
  THREADS_MAX,
} from "./bounds.ts";
import { type CheckJob, JobChecker, onlyFault, rootOf, type ValueRoot } from "./check-job.ts";
import { buildFault } from "./fault.ts";
import { inspectSchema } from "./inspect-schema.ts";
import type { Inspection } from "./inspect-keyword.ts";
import { LRUCache } from "lru-cache";
import { type JsonSize, measureJson } from "./measure-json.ts";

export interface SchemaCheckerOptions {
  /** Threads for schemas that aren't linear by construction. */
  threadsMax?: number;
  /** A thread's time for one check, in milliseconds. */
  threadMsMax?: number;
}

/**
 * Opens a checker of JSON Schema, drafts 2020-12, 2019-09 and 7. Cheap checks run on the caller's thread, others in threads
 * that are ended when they take too long, and that tenants share. Rejects with `service.unavailable` when too many checks
 * of the tenant wait for a thread, or of all.
 */
export function openSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  return new TwoRoadChecker(options);
}

class TwoRoadChecker implements SchemaChecker {
  readonly #inline = new JobChecker(COMPILED_MAX);
  readonly #inspections = new LRUCache<string, Inspection>({ max: COMPILED_MAX });
  readonly #threads: ThreadPool<CheckJob, SchemaFindings>;

  constructor({ threadsMax = THREADS_MAX, threadMsMax = THREAD_MS_MAX }: SchemaCheckerOptions) {
    this.#threads = new ThreadPool({
      program: { entry: new URL("./check-thread.ts", import.meta.url), heapMibMax: THREAD_HEAP_MIB_MAX },
      threadsMax,
      queueMax: THREAD_QUEUE_MAX,
      waitMsMax: THREAD_WAIT_MS_MAX,
      msMaxFor: ({ inspection }) => threadMsMax + inspection.nodes * THREAD_MS_PER_NODE,
    });
  }

  async checkSchema(tenantId: string, schema: JsonObject, place: SchemaPlace): Promise<SchemaFindings> {
    const inspection = inspectSchema(schema, place);
    if (inspection.faults.length > 0) return { faults: inspection.faults, warnings: [] };
    const job: CheckJob = { kind: "schema", place, schema, inspection };
    return isCheap(inspection) ? this.#inline.check(job) : this.#checkInThread(tenantId, job);
  }

  checkArguments(
    tenantId: string,
    key: string,
    schema: JsonObject,
    value: JsonObject,
  ): Promise<InputFault[]> {
    return this.#checkValue("arguments", tenantId, key, schema, value);
  }

  checkResult(tenantId: string, key: string, schema: JsonObject, value: Json): Promise<InputFault[]> {
    return this.#checkValue("result", tenantId, key, schema, value);
  }

  async #checkValue(
    root: ValueRoot,
    tenantId: string,
    key: string,
    schema: JsonObject,
    value: Json,
  ): Promise<InputFault[]> {
    const size = measureJson(value, VALUE_DEPTH_MAX);
    if (size.tooDeep) return [buildFault(root, `is nested deeper than ${VALUE_DEPTH_MAX} levels`)];
    const inspection = this.#inspect(key, schema, root === "arguments" ? "parameters" : "outputSchema");
    if (inspection.faults.length > 0) return inspection.faults;
    const steps = countSteps(inspection, size);
    const job: CheckJob = { kind: "value", root, key, schema, inspection, value, steps };
    if (isCheap(inspection) && steps <= INLINE_STEPS_MAX) return this.#inline.check(job).faults;
    return (await this.#checkInThread(tenantId, job)).faults;
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  #inspect(key: string, schema: JsonObject, place: SchemaPlace): Inspection {
    let inspection = this.#inspections.get(key);
    if (!inspection) {
      inspection = inspectSchema(schema, place);
      this.#inspections.set(key, inspection);
    }
    return inspection;
  }

  async #checkInThread(tenantId: string, job: CheckJob): Promise<SchemaFindings> {
    const path = rootOf(job);
    const done = await this.#threads.run(tenantId, job);
    switch (done.outcome) {
      case "answered":
        return done.answer;
      case "overran":
        return onlyFault(
          buildFault(path, "can't be checked: the schema takes too long; simplify it or send less"),
        );
      case "died":
        return onlyFault(buildFault(path, "can't be checked: the schema takes too much memory"));
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
