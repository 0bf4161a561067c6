import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import { z } from "zod";
import { invalidField } from "./validate.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A request without a body is refused, although all fields of the body have defaults. */
    needsBody?: boolean;
  }
}

/** A route that takes no body takes nothing, or `{}`. */
const NoBody = z.strictObject({});
const NoQuery = z.strictObject({});

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * A route of this scope refuses what it doesn't take: a body where it names none, and fields of a query where it only reads.
 * Their sender counts on something that would not happen. Put it before the routes.
 */
export function refuseUnaskedInput(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    const changes = [route.method].flat().some((method) => CHANGING.has(method));
    const { body, querystring } = route.schema ?? {};
    if (changes) route.schema = { ...route.schema, body: body ?? NoBody };
    else route.schema = { ...route.schema, querystring: querystring ?? NoQuery };
    if (route.config?.needsBody) refuseMissingBody(route);
  });
}

function refuseMissingBody(route: RouteOptions): void {
  const before = [route.preValidation ?? []].flat();
  route.preValidation = [
    ...before,
    async ({ body }) => {
      if (body !== undefined && body !== null) return;
      const message = "must be an object; {} leaves every field at its default";
      throw invalidField("", message, "The body");
    },
  ];
}

/** A route's schema as the reference tells it: that nothing is taken goes without saying. */
export function documentedSchema(schema: FastifySchema): FastifySchema {
  const { body, ...rest } = schema;
  return body === NoBody ? rest : schema;
}
