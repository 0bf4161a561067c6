import type { FastifyContextConfig, FastifySchema } from "fastify";
import { z } from "zod";

/** Marks an operation, between its route and the whole document, as one whose body may be left out. */
const MARK = "x-body-optional";

/** The part of an operation that matters here. */
interface Operation {
  requestBody?: { required?: boolean };
  [MARK]?: true;
}

/** The mark of a route that takes a request without a body for one with `{}`. */
export function bodyMark(
  { body }: FastifySchema = {},
  { needsBody = false }: FastifyContextConfig = {},
): object {
  const isOptional = body instanceof z.ZodType && !needsBody && body.safeParse({}).success;
  return isOptional ? { [MARK]: true } : {};
}

/** The document with `required` only of bodies that have to be there: its writer says so of every one. */
export function tellOptionalBodies<D extends object>(document: D): D {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Operation>> };
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    if (!operation[MARK]) continue;
    delete operation[MARK];
    if (operation.requestBody) operation.requestBody.required = false;
  }
  return document;
}
