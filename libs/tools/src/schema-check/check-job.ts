import type { InputFault, Json, JsonObject, SchemaFindings, SchemaPlace } from "@bulkhead/core";
import { FAULTS_MAX, WARNINGS_MAX } from "./bounds.ts";
import { checkAgainstDraft, type CompiledSchema, compileSchema, unfitDefaults } from "./compile-schema.ts";
import { buildFault } from "./fault.ts";
import type { Inspection } from "./inspect-keyword.ts";
import { LRUCache } from "lru-cache";
import { compilePattern } from "./pattern.ts";
import { TooManyWays } from "./read-meaning.ts";

/** One check, complete in itself, so that any thread can do it. */
export type CheckJob =
  | { kind: "schema"; place: SchemaPlace; schema: JsonObject; inspection: Inspection }
  | {
      kind: "value";
      /** The first step of its paths. */
      root: ValueRoot;
      key: string;
      schema: JsonObject;
      inspection: Inspection;
      value: Json;
      /** Estimated cost: values of the schema times those of the value. */
      steps: number;
    };

/** The values that are checked against a tool's schemas. */
export type ValueRoot = "arguments" | "result";

/** Does the admitted checks, on any thread, and caches compiled schemas. */
export class JobChecker {
  readonly #compiled: LRUCache<string, CompiledSchema>;

  /** `compiledMax` is how many schemas are kept compiled. */
  constructor(compiledMax: number) {
    this.#compiled = new LRUCache({ max: compiledMax });
  }

  /** The findings. A check that overflows the stack (a reference to itself) ends in a fault too. */
  check(job: CheckJob): SchemaFindings {
    try {
      return job.kind === "schema" ? checkSchema(job) : { faults: this.#checkValue(job), warnings: [] };
    } catch (error) {
      if (error instanceof RangeError)
        return onlyFault(
          buildFault(rootOf(job), "can't be checked: the schema refers to itself without end"),
        );
      if (error instanceof TooManyWays)
        return onlyFault(
          buildFault(
            rootOf(job),
            "can't be checked: the schema is too large once its references are followed",
          ),
        );
      if (error instanceof UnusableSchema) return onlyFault(error.fault);
      throw error;
    }
  }

  #checkValue({ root, key, schema, inspection, value, steps }: CheckJob & { kind: "value" }): InputFault[] {
    let compiled = this.#compiled.get(key);
    if (!compiled) {
      compiled = compile(schema, inspection, root);
      this.#compiled.set(key, compiled);
    }
    return compiled.check(value, steps);
  }
}

/** The first step of the paths of a job's faults. */
export function rootOf(job: CheckJob): SchemaPlace | ValueRoot {
  return job.kind === "schema" ? job.place : job.root;
}

/** Findings with one fault and nothing else. */
export const onlyFault = (fault: InputFault): SchemaFindings => ({ faults: [fault], warnings: [] });

function checkSchema({ schema, place, inspection }: CheckJob & { kind: "schema" }): SchemaFindings {
  const faults: InputFault[] = [];
  const warnings: InputFault[] = [];
  for (const { path, text, ofNames } of inspection.patterns) {
    const pattern = compilePattern(text);
    if (pattern.outcome === "compiled") continue;
    const isFault = pattern.outcome === "refused" || ofNames === true;
    if (isFault) faults.push(buildFault(path, pattern.message));
    else warnings.push(buildFault(path, `is not checked: it ${pattern.message}`));
  }
  faults.push(...checkAgainstDraft(schema, inspection.dialect, place));
  // No value is checked, so the names of its faults don't matter.
  if (faults.length === 0) {
    compile(schema, inspection, "arguments", place);
    warnings.push(...unfitDefaults(schema, inspection.dialect, place));
  }
  return { faults: faults.slice(0, FAULTS_MAX), warnings: warnings.slice(0, WARNINGS_MAX) };
}

class UnusableSchema extends Error {
  readonly fault: InputFault;
  constructor(fault: InputFault, cause: unknown) {
    super(fault.message, { cause });
    this.fault = fault;
  }
}

function compile(
  schema: JsonObject,
  { dialect }: Inspection,
  root: ValueRoot,
  place: SchemaPlace = root === "arguments" ? "parameters" : "outputSchema",
): CompiledSchema {
  try {
    return compileSchema(schema, dialect, root);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooManyWays || !(error instanceof Error)) throw error;
    throw new UnusableSchema(buildFault(place, "is no schema that can be checked by"), error);
  }
}
