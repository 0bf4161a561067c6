import { compareEventIds, EVENT_ID, type McpCall } from "@bulkhead/core";
import type { ProgressToken, RequestId } from "@modelcontextprotocol/server";

/** Before the first event of an execution. */
const BEGINNING = "0-0";
/** A client's event id is no longer than this. */
const CHARS_MAX = 1_000;

/** A place in the answer to one call, complete in itself: any API process goes on from it. */
export interface CallPlace {
  requestId: RequestId;
  progressToken: ProgressToken | null;
  executionId: string;
  /** The execution's event that was told last; null: none yet. */
  after: string | null;
}

/** A place in the stream of changes: the mark of the list of tools that the client was told of last. */
export interface ListPlace {
  mark: string;
}

const LIST = "tools";
const CALL = "call";

/** The call as its session knows it while it goes on. */
export const callOf = ({
  requestId,
  executionId,
}: Pick<CallPlace, "requestId" | "executionId">): McpCall => ({
  requestId: requestKey(requestId),
  executionId,
});

export const requestKey = (requestId: RequestId): string => JSON.stringify(requestId);

const pack = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export const listEventId = ({ mark }: ListPlace): string => `${LIST}.${mark}`;

export const callEventId = ({ requestId, progressToken, executionId, after }: CallPlace): string =>
  [CALL, executionId, after ?? BEGINNING, pack([requestId, progressToken])].join(".");

/** Reads what `Last-Event-ID` says; null for what this endpoint never said. */
export function readEventId(said: string): CallPlace | ListPlace | null {
  if (said.length > CHARS_MAX) return null;
  const [kind, first = "", after = "", packed = "", ...more] = said.split(".");
  if (kind === LIST && after === "" && packed === "") return { mark: first };
  if (kind !== CALL || more.length > 0 || !EVENT_ID.test(after)) return null;
  const read = unpack(packed);
  if (!Array.isArray(read) || read.length !== 2) return null;
  const [requestId, progressToken] = read as unknown[];
  if (!isId(requestId) || !(progressToken === null || isId(progressToken))) return null;
  const isBeginning = compareEventIds(after, BEGINNING) === 0;
  return { requestId, progressToken, executionId: first, after: isBeginning ? null : after };
}

function unpack(packed: string): unknown {
  try {
    return JSON.parse(Buffer.from(packed, "base64url").toString());
  } catch {
    return null;
  }
}

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value));
