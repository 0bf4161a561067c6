import {
  multiplesOf,
  pointerOf,
  SchemaReferences,
  type Dialect,
  type InputFault,
  type Json,
  type JsonObject,
  type SchemaPlace,
} from "@bulkhead/core";
import { Ajv, type KeywordDefinition, type Options, str } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ALL_FAULTS_STEPS_MAX, DEFAULT_CHARS_MAX, DEFAULTS_CHECKED_MAX } from "./bounds.ts";
import { describeErrors } from "./describe-errors.ts";
import { buildFault } from "./fault.ts";
import { buildFormats } from "./formats.ts";
import { compilePattern } from "./pattern.ts";
import { readMeaning } from "./read-meaning.ts";
import { toReadSteps, toWrittenSteps } from "./schema-steps.ts";
import { compileCounting, type Check } from "./unevaluated.ts";
import { withoutOtherKinds } from "./union-errors.ts";

/** A schema ready to check values; `steps` estimates the cost, and the more there are the fewer faults are named. */
export interface CompiledSchema {
  check(value: Json, steps: number): InputFault[];
}

const OPTIONS: Options = {
  // Unknown keywords and formats are annotations; the log is not the caller's.
  strict: false,
  // 1e400 is read as a number that JSON can't say again.
  strictNumbers: true,
  logger: false,
  // `constructor` and similar names are names like any other, not inherited properties.
  ownProperties: true,
  // Copying the target into every place of a reference would let a small schema make megabytes of code.
  inlineRefs: false,
  formats: buildFormats(),
  code: { regExp: Object.assign(matchLinear, { code: "compilePattern" }) },
};

function matchLinear(source: string): { test: (text: string) => boolean } {
  const compiled = compilePattern(source);
  if (compiled.outcome === "refused") throw new Error(`the pattern ${compiled.message}`);
  // It is an annotation; the warning came when the schema was stored.
  return compiled.outcome === "unchecked" ? { test: () => true } : compiled;
}

/**
 * Compiles a schema that was inspected and matches its draft; `root` is the first step of its faults' paths. Throws the
 * compiler's errors, such as a stack overflow. Each schema gets a compiler of its own: a shared one keeps parts of every
 * schema for ever.
 */
export function compileSchema(schema: JsonObject, dialect: Dialect, root: string): CompiledSchema {
  const { whole } = readMeaning(schema, dialect);
  const checkFast = wholeOf(openCheck(whole, dialect, false));
  let checkAll: Check | undefined;
  return {
    check(value, steps) {
      const first = checkFast(value);
      if (first.length === 0) return [];
      if (steps > ALL_FAULTS_STEPS_MAX) return describeErrors(first, root);
      checkAll ??= wholeOf(openCheck(whole, dialect, true));
      const all = checkAll(value);
      return describeErrors(withoutOtherKinds(all.length > 0 ? all : first, whole), root);
    },
  };
}

/** Ajv's own divides binary fractions, and so refuses 0.07 as a multiple of 0.01. */
const MULTIPLE_OF: KeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  compile: (step: number) => {
    // A part that only a reference reaches was not held against its draft.
    if (!(step > 0 && Number.isFinite(step))) throw new Error("multipleOf must be above 0");
    return multiplesOf(step);
  },
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
};

/** Keywords beside a reference are ignored in draft 7; since 2019-09 they hold. */
function newCompiler(dialect: Dialect, options: Options): Ajv {
  if (dialect === "draft-07") return new Ajv({ ...options, ignoreKeywordsWithRef: true });
  return dialect === "2019-09" ? new Ajv2019(options) : new Ajv2020(options);
}

function wholeOf(checkOf: ReturnType<typeof openCheck>): Check {
  const check = checkOf("");
  if (!check) throw new Error("the compiler does not know the schema");
  return check;
}

function openCheck(whole: JsonObject, dialect: Dialect, allErrors: boolean) {
  // To tell all, their schemas are asked about.
  const options: Options = { ...OPTIONS, allErrors, verbose: allErrors, meta: false, validateSchema: false };
  const compiler = newCompiler(dialect, options).removeKeyword("multipleOf").addKeyword(MULTIPLE_OF);
  return compileCounting(compiler, whole, dialect);
}

/**
 * The defaults that their own schema refuses: they would be filled in, and the call refused. Looks at the first
 * `DEFAULTS_CHECKED_MAX` that are no longer than `DEFAULT_CHARS_MAX` and stand where the schema is read; null is none.
 */
export function unfitDefaults(schema: JsonObject, dialect: Dialect, place: SchemaPlace): InputFault[] {
  const given = [...new SchemaReferences(schema, dialect).nodes].flatMap((node) => {
    const value = typeof node.schema === "boolean" ? undefined : node.schema["default"];
    const steps = value === undefined || value === null ? null : toReadSteps(node, dialect);
    if (value === undefined || steps === null || JSON.stringify(value).length > DEFAULT_CHARS_MAX) return [];
    return [{ value, pointer: pointerOf(steps), path: [place, ...node.steps, "default"].join(".") }];
  });
  if (given.length === 0) return [];
  const checkOf = openCheck(readMeaning(schema, dialect).whole, dialect, false);
  return given.slice(0, DEFAULTS_CHECKED_MAX).flatMap(({ value, pointer, path }) => {
    const errors = checkOf(pointer.split("/").map(encodeURIComponent).join("/"))?.(value) ?? [];
    const [fault] = describeErrors(errors, "it");
    return fault ? [buildFault(path, `is refused by its own schema: ${fault.path} ${fault.message}`)] : [];
  });
}

const metaCheckers = new Map<Dialect, Ajv>();

/** The faults of a schema against its draft's own; a schema that only references lead to is checked by itself. */
export function checkAgainstDraft(schema: JsonObject, dialect: Dialect, place: SchemaPlace): InputFault[] {
  const options: Options = { ...OPTIONS, allErrors: true };
  const checker = metaCheckers.get(dialect) ?? newCompiler(dialect, options);
  metaCheckers.set(dialect, checker);
  return readMeaning(schema, dialect).parts.flatMap(({ steps, written, read }) => {
    if (checker.validateSchema(read) === true) return [];
    return describeErrors(checker.errors ?? [], [place, ...steps].join("."), (inner) =>
      toWrittenSteps(inner, written, dialect),
    );
  });
}
