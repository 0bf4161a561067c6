import { childOf, pointerOf, type Dialect, type Json, type JsonObject } from "@bulkhead/core";
import type { Ajv, ErrorObject, KeywordDefinition } from "ajv";
import { Evaluation } from "./evaluation.ts";

/** The errors of a value; none when it is taken. */
export type Check = (value: Json) => readonly ErrorObject[];

/** The compiler's name for the whole schema. */
const WHOLE = "whole";

/**
 * Compiles a schema in which every reference is a pointer from its root; answers the check of a part of it, null where
 * the pointer leads to none. The keywords for unevaluated parts are ours: the
 * compiler's lose count behind `contains`, choices and an `if` without `then`.
 */
export function compileCounting(
  compiler: Ajv,
  whole: JsonObject,
  dialect: Dialect,
): (pointer: string) => Check | null {
  const evaluation = new Evaluation(whole, dialect, (pointer) => {
    const check = compiler.getSchema(`${WHOLE}#${pointer}`);
    if (!check) throw new Error(`the compiler does not know ${pointer}`);
    return check;
  });
  // The compiler would go on counting without these keywords.
  compiler.opts.unevaluated = false;
  // In draft 7 they are no keywords.
  for (const keyword of dialect === "draft-07" ? [] : ["unevaluatedProperties", "unevaluatedItems"])
    compiler
      .removeKeyword(keyword)
      .addKeyword(keywordBy(evaluation, keyword, compiler.opts.allErrors === true));
  compiler.addSchema(whole, WHOLE);
  return (pointer) => {
    const check = compiler.getSchema(pointer === "" ? WHOLE : `${WHOLE}#${pointer}`);
    if (!check) return null;
    return (value) => {
      evaluation.begin();
      return check(value) ? [] : (check.errors ?? []);
    };
  };
}

function keywordBy(evaluation: Evaluation, keyword: string, allErrors: boolean): KeywordDefinition {
  return {
    keyword,
    type: keyword === "unevaluatedItems" ? "array" : "object",
    schemaType: ["object", "boolean"],
    errors: "full",
    compile: (rest: JsonObject | boolean, schema: JsonObject) => {
      const validate = (value: JsonObject | Json[], context?: { instancePath: string }): boolean => {
        const seen = evaluation.seenBeside(keyword, schema, value);
        const errors: Partial<ErrorObject>[] = [];
        for (const name of Object.keys(value)) {
          if (seen.has(name)) continue;
          const instancePath = `${context?.instancePath ?? ""}${pointerOf([name])}`;
          if (rest === false) errors.push({ keyword, params: {}, instancePath });
          else if (rest !== true)
            errors.push(...evaluation.errorsOf(rest, childOf(value, name) ?? null, instancePath));
          if (errors.length > 0 && !allErrors) break;
        }
        Object.assign(validate, { errors });
        return errors.length === 0;
      };
      return validate;
    },
  };
}
