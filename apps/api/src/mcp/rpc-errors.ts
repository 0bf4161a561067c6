import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Fault } from "@bulkhead/core";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { asFault, tellFault } from "../edge/problems.ts";

/** JSON-RPC leaves this code to servers; what is wrong stands in `data.code`. */
const SERVER_ERROR = -32_000;
/** The code that clients know for a session that is gone. */
const SESSION_NOT_FOUND = -32_001;

const CODES: Readonly<Record<string, number>> = {
  "request.malformed_json": ProtocolErrorCode.ParseError,
  "request.invalid": ProtocolErrorCode.InvalidRequest,
  "mcp.session_not_found": SESSION_NOT_FOUND,
};

/** A fault as an error of JSON-RPC: `data` has its permanent code, and when a repeat may succeed. */
const rpcErrorOf = (fault: Fault) => ({
  code: CODES[fault.code] ?? (fault.status === 500 ? ProtocolErrorCode.InternalError : SERVER_ERROR),
  message: fault.detail,
  data: {
    code: fault.code,
    retryable: fault.retryable,
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
    ...(fault.errors.length === 0 ? {} : { errors: fault.errors }),
  },
});

/** A fault thrown in a handler, as the protocol's own error. */
export function protocolErrorOf(fault: Fault): ProtocolError {
  const { code, message, data } = rpcErrorOf(fault);
  return new ProtocolError(code, message, data);
}

/** Answers a request that reached no handler; the status is the one that REST gives the same fault. */
export function sendRpcError(
  error: FastifyError | Fault,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const fault = asFault(error);
  tellFault(fault, request, reply);
  return reply
    .status(fault.status)
    .type("application/json")
    .send({ jsonrpc: "2.0", id: idOf(request.body), error: rpcErrorOf(fault) });
}

/** The id of the request that a body holds, where it holds one. */
export function idOf(body: unknown): string | number | null {
  const { method, id } = asRecord(body);
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : null;
}

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
