import { Fault, reasonOf } from "@bulkhead/core";
import type { BatchFailure } from "./group-commit.ts";
import { DatabaseError } from "pg";
import { Prisma } from "./generated/client.ts";

/** There was no connection to send a statement on, whatever the reason: a refusal, a certificate, no answer in time. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super(`there is no connection: ${reasonOf(cause)}`, { cause });
  }
}

/** Why a statement failed, as far as its callers need to know. */
type SqlTrouble = "unavailable" | "contention" | "data" | "internal";

/** The driver adapter puts it into `meta` of Prisma's errors. */
interface DriverCause {
  kind?: unknown;
  originalCode?: unknown;
  constraint?: { index?: unknown };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function driverCauseOf(error: unknown): DriverCause {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return {};
  const adapterError = error.meta?.["driverAdapterError"];
  if (!isObject(adapterError) || !("cause" in adapterError) || !isObject(adapterError.cause)) return {};
  return adapterError.cause;
}

/** The five characters of PostgreSQL's own code; undefined when the statement never got an answer. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof DatabaseError) return error.code;
  const { originalCode } = driverCauseOf(error);
  return typeof originalCode === "string" ? originalCode : undefined;
}

/** The unique index that the statement would have violated. */
export function violatedIndexOf(error: unknown): string | undefined {
  const { kind, constraint } = driverCauseOf(error);
  const index = kind === "UniqueConstraintViolation" ? constraint?.index : undefined;
  return typeof index === "string" ? index : undefined;
}

/** Kinds of the adapter for which there is no answer of the database to quote. */
const NO_ANSWER = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TlsConnectionError",
]);

/**
 * By SQLSTATE (PostgreSQL manual, appendix A): the class is the first two characters.
 * 25006 and 55P03: read-only since a failover; a lock that came too late. 28, 3D: the credentials or the database are
 * not there (yet). 40: deadlock, serialization.
 */
const TROUBLE_BY_STATE: readonly (readonly [RegExp, SqlTrouble])[] = [
  [/^40/, "contention"],
  [/^(08|28|3D|53|57|58|25006|55P03)/, "unavailable"],
  [/^(22|23|54)/, "data"],
];

/** pg's own errors have no code, only a text. */
const NO_CONNECTION =
  /^(Query read timeout|timeout expired|timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end)/;

/** Prisma's own, of a transaction that could not begin, or was not done, in time. */
const TRANSACTION_TOO_LATE = "P2028";
const isTooLate = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === TRANSACTION_TOO_LATE;

/** As in ENOENT, EHOSTUNREACH or EAI_AGAIN; Prisma's own are P and four digits, those of Node's JavaScript ERR_ and more. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z_]+$/;

/** Of several addresses that were tried in vain, each has its own. Prisma keeps of those it does not know the code alone. */
function isSystemError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isSystemError);
  if (error instanceof Prisma.PrismaClientKnownRequestError) return SYSTEM_CODE.test(error.code);
  return error instanceof Error && "syscall" in error && typeof error.syscall === "string";
}

function troubleOf(error: unknown): SqlTrouble {
  const state = sqlStateOf(error);
  if (state !== undefined)
    return TROUBLE_BY_STATE.find(([pattern]) => pattern.test(state))?.[1] ?? "internal";
  const { kind } = driverCauseOf(error);
  if (typeof kind === "string" && NO_ANSWER.has(kind)) return "unavailable";
  if (error instanceof NoConnection || error instanceof Prisma.PrismaClientInitializationError)
    return "unavailable";
  if (isSystemError(error) || isTooLate(error)) return "unavailable";
  if (error instanceof Error && NO_CONNECTION.test(error.message)) return "unavailable";
  // "Invalid string length": what was to be sent is larger than a string may be.
  if (error instanceof RangeError) return "data";
  return "internal";
}

/** Tells how a batch goes on whose flush has failed. */
export function batchFailureOf(error: unknown): BatchFailure {
  const trouble = troubleOf(error);
  if (trouble === "contention") return "contention";
  return trouble === "data" ? "item" : "all";
}

/**
 * Errors that the database has with a statement, with its data or with its own memory, disk and bounds. Others may be the
 * fault of the connection: its server became a replica (25006), a plan fits no longer (0A000), it is about to end (57P01).
 */
const NOT_OF_THE_CONNECTION = /^(22|23|40|42P01|53|54|55P03|57014)/;

/** Whether the connection on which this was met is as good as before. */
export const sparesConnection = (error: unknown): boolean =>
  error instanceof DatabaseError && NOT_OF_THE_CONNECTION.test(error.code ?? "");

/** PostgreSQL's text can't hold U+0000 (22021: raw, 22P05: escaped in JSON that is taken apart). */
const UNSTORABLE_TEXT = new Set(["22021", "22P05"]);

/** The statement was ended for its time (PostgreSQL manual, appendix A: query_canceled). */
export const QUERY_CANCELED = "57014";

/** Not migrated, or not far enough for this build. */
export const UNDEFINED_TABLE = "42P01";

/** Callers of a store meet Faults alone: never a code of Prisma or PostgreSQL. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const internal = `The database refused: ${reasonOf(error).trim()}`;
  if (sqlStateOf(error) === UNDEFINED_TABLE) {
    const behind = "The database is not up to date. Run: npm run migrate";
    return new Fault("service.unavailable", { internal: behind, cause: error });
  }
  const trouble = troubleOf(error);
  if (trouble === "unavailable" || trouble === "contention") {
    return new Fault("service.unavailable", { internal, cause: error });
  }
  if (UNSTORABLE_TEXT.has(sqlStateOf(error) ?? "")) {
    const detail = "Text must not contain the character U+0000.";
    return new Fault("request.invalid", { detail, internal, cause: error });
  }
  return new Fault("service.internal", { internal, cause: error });
}

/** Prisma's own, of a row that was to be changed or deleted and isn't there. */
const NO_SUCH_ROW = "P2025";

/** Null where the one row that is to be changed or deleted isn't there. */
export async function nullIfGone<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === NO_SUCH_ROW) return null;
    throw error;
  }
}

/** Runs a statement; what it throws is a Fault. */
export async function faulting<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    throw toFault(error);
  }
}
