import {
  AcceptedBatch,
  AcceptedExecution,
  ConfigEntries,
  ConfigEntry,
  ConfigService,
  CreatedAccessToken,
  CreatedLoginCode,
  CreatedPairingCode,
  DataDocument,
  DeletingTenant,
  ExportAnswer,
  PairedDevice,
  PolicyDocument,
  PutFile,
  PutPolicy,
  PutToolAnswer,
  Tool,
  ToolResult,
} from "@bulkhead/contracts";
import type { z } from "zod";

/** Every header that answers of the API carry beside those of HTTP itself, as the reference tells it. */
const HEADERS = {
  Location: { type: "string", description: "Where what was made, or goes on, is read." },
  ETag: {
    type: "string",
    description: "Another after every change: for `If-Match`, and `If-None-Match` where a tool is read.",
  },
  "Content-Range": {
    type: "string",
    description: "Which bytes these are, and of how many: `bytes 0-99/1234`; with 416 `bytes */1234`.",
  },
  Link: { type: "string", description: '`rel="next"` names the next part; absent on the last.' },
  "Idempotent-Replayed": {
    type: "string",
    description:
      "`true` where a call with the same `Idempotency-Key` was there before, whose answer this is.",
  },
  "Server-Timing": { type: "string", description: "Where the time went." },
  RateLimit: {
    type: "string",
    description: "What is left: of each bound its name, `r` (how many) and `t` (seconds until more is).",
  },
  "RateLimit-Policy": {
    type: "string",
    description: "What is bounded: of each bound its name, `q` (how many) and `w` (in how many seconds).",
  },
  "Retry-After": { type: "integer", description: "With 429 and 503: seconds after which to try again." },
  "WWW-Authenticate": { type: "string", description: "With 401: `Bearer`." },
} as const;

export type HeaderName = keyof typeof HEADERS;
export const HEADER_NAMES = Object.keys(HEADERS);
type Headers = Partial<Record<HeaderName, (typeof HEADERS)[HeaderName]>>;

/** The headers of an answer with this data, whichever route gives it. */
const BY_DATA = new Map<z.ZodType, readonly HeaderName[]>([
  [Tool, ["ETag"]],
  [PutToolAnswer, ["ETag"]],
  [ConfigService, ["ETag"]],
  [ConfigEntry, ["ETag"]],
  [ConfigEntries, ["ETag"]],
  [PolicyDocument, ["ETag"]],
  [PutPolicy, ["ETag"]],
  [DataDocument, ["ETag"]],
  [PutFile, ["ETag"]],
  [DeletingTenant, ["Location"]],
  [AcceptedExecution, ["Location", "Idempotent-Replayed"]],
  [AcceptedBatch, ["Idempotent-Replayed"]],
  [ExportAnswer, ["Link"]],
  [ToolResult, ["Server-Timing", "Idempotent-Replayed"]],
]);

/** What is told this once: no address reads it again. */
const TOLD_ONCE: ReadonlySet<z.ZodType | undefined> = new Set<z.ZodType | undefined>([
  CreatedAccessToken,
  CreatedLoginCode,
  CreatedPairingCode,
  PairedDevice,
]);

/** On every answer to a tenant whose requests are counted. */
const QUOTAS: readonly HeaderName[] = ["RateLimit", "RateLimit-Policy"];

export const headersOf = (names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, HEADERS[name]]));

export const headersOfAnswer = (status: string, data: z.ZodType | undefined): Headers =>
  headersOf([
    ...(status === "201" && !TOLD_ONCE.has(data) ? (["Location"] as const) : []),
    ...((data && BY_DATA.get(data)) ?? []),
    ...QUOTAS,
  ]);

export const headersOfProblem = (...more: HeaderName[]): Headers => headersOf([...more, ...QUOTAS]);

interface Answer {
  headers?: Record<string, unknown>;
}
interface Document {
  paths?: Record<string, Record<string, { responses?: Record<string, Answer> }>>;
  components?: object;
}

/** The document with each header described once, and referred to by the answers that carry it. */
export function nameHeaders<D extends object>(document: D): D {
  const { paths = {}, components } = document as Document;
  const headers: Record<string, unknown> = {};
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const answer of operations.flatMap(({ responses = {} }) => Object.values(responses))) {
    for (const [name, told] of Object.entries(answer.headers ?? {})) {
      headers[name] = told;
      (answer.headers ??= {})[name] = { $ref: `#/components/headers/${name}` };
    }
  }
  return { ...document, components: { ...components, headers } };
}

/** The answers as they were written, with the headers that went missing on the way to a plain schema. */
export function keepHeaders(written: unknown, asked: unknown): Record<string, object> {
  const told = asked as Record<string, { headers?: Headers } | undefined>;
  return Object.fromEntries(
    Object.entries(written as Record<string, object>).map(([status, answer]) => {
      const headers = told[status]?.headers;
      return [status, headers ? { ...answer, headers } : answer];
    }),
  );
}
