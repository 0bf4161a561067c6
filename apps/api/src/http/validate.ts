import { Fault, type FaultDetail } from "@bulkhead/faults";
import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";

/** Checks a part of a request against its contract; a fault names every offending field, unknown ones included. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (input) => {
    const parsed = schema.safeParse(input ?? {});
    if (parsed.success) return { value: parsed.data };
    const errors = parsed.error.issues.flatMap(describe);
    const first = errors[0];
    const where = first?.path ? `${first.path}: ` : "";
    const detail = `The ${PARTS[httpPart ?? ""] ?? "request"} is not valid: ${where}${first?.message}.`;
    return { error: new Fault("request.invalid", { detail, errors: errors.slice(0, ERRORS_MAX) }) };
  };

const PARTS: Readonly<Record<string, string>> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "header",
};

/** More faults than this help nobody. */
const ERRORS_MAX = 50;

function describe(issue: z.core.$ZodIssue): FaultDetail[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "is not a known field" }));
  }
  return [{ path: path.join("."), message: issue.message }];
}
