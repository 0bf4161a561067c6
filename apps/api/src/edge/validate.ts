import { readInput } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";

/** Checks a part of a request against its contract; a fault names every offending field, unknown ones included. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (input) => {
    // Fastify hands over null where there is no body at all.
    const { value, faults: errors } = readInput(schema, input ?? {});
    if (errors === null) return { value };
    const first = errors[0];
    const where = first?.path ? `${first.path}: ` : "";
    const detail = `The ${PARTS[httpPart ?? ""] ?? "request"} is not valid: ${where}${first?.message}.`;
    return { error: new Fault("request.invalid", { detail, errors: errors.slice(0, ERRORS_MAX) }) };
  };

/** The `request.invalid` of one field, which its detail calls `named`. */
export const invalidField = (path: string, message: string, named = path): Fault =>
  new Fault("request.invalid", { detail: `${named} ${message}.`, errors: [{ path, message }] });

const PARTS: Readonly<Record<string, string>> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "header",
};

/** More faults than this help nobody. */
const ERRORS_MAX = 50;
