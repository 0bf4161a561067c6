import { Fault, type FaultCode } from "@bulkhead/core";
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

function faultOf({ headers, rawHeaders, httpVersion }: IncomingMessage): Fault | undefined {
  const { host, expect, "transfer-encoding": coding } = headers;
  // Node keeps the first one alone; whoever stands before it may have gone by the second one.
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length > 1)
    return headFault("host", "must be there once (RFC 9112, 3.2)");
  if (host === undefined && httpVersion === "1.1") return headFault("host", "must be there (RFC 9112, 3.2)");
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    return headFault("expect", "may be 100-continue and nothing else", "request.expectation_failed");
  // Node takes the chunks apart and leaves the other coding in the body.
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") {
    const message = "may be chunked and nothing else; send the body as it is";
    return headFault("transfer-encoding", message, "request.transfer_coding_unknown");
  }
  return undefined;
}

const headFault = (path: string, message: string, code: FaultCode = "request.invalid"): Fault =>
  new Fault(code, { detail: `The header ${path} ${message}.`, errors: [{ path, message }] });
