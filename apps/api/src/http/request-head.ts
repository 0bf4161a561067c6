import { Fault } from "@bulkhead/faults";
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";

/** For `fastify`: what `useHeadChecks` looks at, Node would answer by itself, without a body. */
export const UNCHECKED_HEADS = { requireHostHeader: false } as const;

/** Refuses what HTTP demands of a head and the request lacks, as the problem that it is. Needs `useProblems`. */
export function useHeadChecks(app: FastifyInstance): void {
  const { server } = app;
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
  app.addHook("onRequest", ({ raw }, _reply, done) => done(faultOf(raw)));
}

function faultOf({ headers, httpVersion }: IncomingMessage): Fault | undefined {
  const { host, expect } = headers;
  if (host === undefined && httpVersion === "1.1") return headFault("host", "must be there (RFC 9112, 3.2)");
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    return headFault("expect", "may be 100-continue and nothing else");
  return undefined;
}

const headFault = (path: string, message: string): Fault =>
  new Fault("request.invalid", { detail: `The header ${path} ${message}.`, errors: [{ path, message }] });
