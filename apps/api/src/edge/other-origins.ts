import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import { HEADER_NAMES } from "./answer-headers.ts";

/** What pages call; the endpoint of MCP refuses other origins by a rule of its own. */
const API = /^\/api\/v1\//;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** For how long a browser may remember what it was allowed, which Chromium takes no longer; seconds. */
const REMEMBERED_SECONDS = 7_200;

/** Stands for every origin. */
export const ANY_ORIGIN = "*";

/**
 * Lets pages of these origins call the API and read its answers (CORS), with the key or token that they hold. Cookies are of no
 * use to them: a session is for the pages of the API's own host. Put it before what may refuse a request.
 */
export function letPagesCall(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const isAny = origins.includes(ANY_ORIGIN);
  const isLet = ({ url = "", headers: { origin } }: IncomingMessage): boolean =>
    origin !== undefined && API.test(url) && (isAny || origins.includes(origin));
  // On every answer, also those that no hook sees, such as streams; before the framework, which may answer at once.
  app.server.prependListener("request", (request, response) => {
    if (!isAny) response.setHeader("vary", "origin");
    if (!isLet(request)) return;
    response.setHeader("access-control-allow-origin", isAny ? ANY_ORIGIN : (request.headers.origin ?? ""));
    response.setHeader("access-control-expose-headers", HEADER_NAMES.join(", "));
  });
  // A browser asks first, without the key.
  app.addHook("onRequest", (request, reply, done) => {
    if (request.method !== "OPTIONS" || !isLet(request.raw)) return done();
    void reply
      .code(204)
      .header("access-control-allow-methods", METHODS)
      .header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "")
      .header("access-control-max-age", REMEMBERED_SECONDS)
      .send();
  });
}
