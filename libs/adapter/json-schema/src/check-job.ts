import type { InputFault, JsonObject } from "@bulkhead/domain";
import { MissingRefError } from "ajv";
import { FAULTS_MAX } from "./bounds.ts";
import { checkAgainstDraft, type CompiledSchema, compileSchema } from "./compile-schema.ts";
import { buildFault } from "./fault.ts";
import type { Inspection } from "./inspect-schema.ts";
import { LRUCache } from "lru-cache";
import { compilePattern } from "./pattern.ts";

/** One check, complete in itself, so that any thread can do it. */
export type CheckJob =
  | { kind: "schema"; schema: JsonObject; inspection: Inspection }
  | {
      kind: "arguments";
      key: string;
      schema: JsonObject;
      inspection: Inspection;
      value: JsonObject;
      /** Estimated cost: values of the schema times values of the arguments. */
      steps: number;
    };

/** Does the checks that were let through, on whatever thread it lives, and keeps what it compiled. */
export class JobChecker {
  readonly #compiled: LRUCache<string, CompiledSchema>;

  /** `compiledMax` is how many schemas are kept compiled. */
  constructor(compiledMax: number) {
    this.#compiled = new LRUCache({ max: compiledMax });
  }

  /** The faults. A check that uses the stack up (a reference to itself) ends in one too. */
  check(job: CheckJob): InputFault[] {
    try {
      return job.kind === "schema" ? checkSchema(job) : this.#checkArguments(job);
    } catch (error) {
      if (error instanceof RangeError)
        return [buildFault(rootOf(job), "can't be checked: the schema refers to itself without end")];
      if (error instanceof UnusableSchema) return [error.fault];
      throw error;
    }
  }

  #checkArguments({ key, schema, inspection, value, steps }: CheckJob & { kind: "arguments" }): InputFault[] {
    let compiled = this.#compiled.get(key);
    if (!compiled) {
      compiled = compile(schema, inspection);
      this.#compiled.set(key, compiled);
    }
    return compiled.check(value, steps);
  }
}

/** The first step of the paths of a job's faults. */
export function rootOf(job: CheckJob): "parameters" | "arguments" {
  return job.kind === "schema" ? "parameters" : "arguments";
}

function checkSchema({ schema, inspection }: CheckJob & { kind: "schema" }): InputFault[] {
  const faults: InputFault[] = [];
  for (const { path, text } of inspection.patterns) {
    const pattern = compilePattern(text);
    if (pattern.outcome === "refused") faults.push(buildFault(path, pattern.message));
  }
  faults.push(...checkAgainstDraft(schema, inspection.dialect));
  if (faults.length === 0) compile(schema, inspection);
  return faults.slice(0, FAULTS_MAX);
}

class UnusableSchema extends Error {
  readonly fault: InputFault;
  constructor(fault: InputFault, cause: unknown) {
    super(fault.message, { cause });
    this.fault = fault;
  }
}

function compile(schema: JsonObject, { dialect, references }: Inspection): CompiledSchema {
  try {
    return compileSchema(schema, dialect);
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    if (!(error instanceof MissingRefError))
      // The compiler's own refusals name no place, but the keyword.
      throw new UnusableSchema(buildFault("parameters", error.message), error);
    const { missingRef } = error;
    const place = references.find(({ text }) => text === missingRef || text === `#${missingRef}`);
    const path = place?.path ?? "parameters";
    throw new UnusableSchema(buildFault(path, "points at nothing in this schema"), error);
  }
}
