import type { DatabaseServer, EffectRefusal } from "@bulkhead/core";
import { DatabaseError } from "pg";
import { failureReason } from "../describe-failure.ts";
import { Refusal } from "../refusal.ts";
import { OutsideRefusal } from "./outside-refusal.ts";

/** Refusals by the server's code (PostgreSQL, appendix A), or the class that it begins with; the others are the statement's. */
const CODES: Readonly<Record<string, EffectRefusal>> = {
  "57014": "timeout",
  "25P03": "timeout",
  "25006": "capability_denied",
  "42501": "capability_denied",
  "23": "conflict",
  "40": "conflict",
  "53": "failed",
  "57": "failed",
  "58": "failed",
  XX: "failed",
};

/** A failure as a tool is told of it: the server's own words about the statement, and none that name who asked where. */
export function describeQueryFailure(error: unknown, server: DatabaseServer): Refusal | OutsideRefusal {
  if (error instanceof Refusal || error instanceof OutsideRefusal) return error;
  if (error instanceof DatabaseError) {
    const { code = "XX000", message, position, hint } = error;
    const place = position === undefined ? "" : `, at character ${position}`;
    const more = hint === undefined ? "" : ` (${hint})`;
    const known = CODES[code] ?? CODES[code.slice(0, 2)] ?? "invalid_request";
    return new OutsideRefusal(known, `${message}${more} (SQLSTATE ${code}${place})`, error);
  }
  return new OutsideRefusal("failed", `the database could not be asked: ${reasonFor(error, server)}`, error);
}

/** The same before a statement was sent: the server's words may name the role, the database and the host that it sees. */
export function describeSignIn(error: unknown, server: DatabaseServer): Refusal | OutsideRefusal {
  if (!(error instanceof DatabaseError)) return describeQueryFailure(error, server);
  const { code = "XX000" } = error;
  return new OutsideRefusal("failed", `${signInFault(code)} (SQLSTATE ${code})`, error);
}

function signInFault(code: string): string {
  if (code.startsWith("28"))
    return "the database refused the sign-in: a person looks at the service's user and password";
  if (code === "3D000") return "the server has no such database";
  if (code === "53300") return "the database takes no more connections now";
  return "the database refused the connection";
}

function reasonFor(error: unknown, { tls }: DatabaseServer): string {
  const message = error instanceof Error ? error.message : "";
  if (tls && message.includes("SSL connection"))
    return "it does not speak TLS; a person can set ssl of the service to off where an operator allows the host";
  if (/SASL|SCRAM|Password/i.test(message)) return "it asks for a sign-in that is not given";
  return failureReason(error);
}
