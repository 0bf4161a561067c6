import type { FastifyInstance } from "fastify";
import { checkBodyCoding } from "./body-coding.ts";
import type { InexactCalls } from "./inexact-body.ts";
import { parseJsonBody } from "./json-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The calls of a batch whose arguments have a number that would be rounded; null without a body. */
    inexactCalls: InexactCalls | null;
    /** Names, objects and lists of the body. */
    bodyParts: number;
  }
}

/** Takes bodies in JSON and in nothing else. */
export function useJsonBodies(app: FastifyInstance): void {
  app.decorateRequest("inexactCalls", null);
  app.decorateRequest("bodyParts", 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, sent, done) => {
    try {
      checkBodyCoding(request.headers);
      const { body, inexactCalls, parts } = parseJsonBody(sent as Buffer);
      Object.assign(request, { inexactCalls, bodyParts: parts });
      done(null, body);
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}
