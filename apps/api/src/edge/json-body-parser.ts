import type { FastifyInstance } from "fastify";
import { checkBodyCoding } from "./body-coding.ts";
import type { InexactCalls } from "./inexact-body.ts";
import { parseJsonBody } from "./json-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The calls of a batch whose arguments have a number that would be rounded; null without a body. */
    inexactCalls: InexactCalls | null;
  }
}

/** Takes bodies in JSON and in nothing else. */
export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("inexactCalls", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, sent, done) => {
    try {
      checkBodyCoding(request.headers);
      const { body, inexactCalls } = parseJsonBody(sent as Buffer);
      request.inexactCalls = inexactCalls;
      done(null, body);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
