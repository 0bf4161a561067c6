import type { ExecutionKey, LogStore } from "@bulkhead/core";
import { unpackPiece } from "./pack-log.ts";
import { eventsBehind, type LogPage } from "./read-log.ts";

/** One page of a log that outlived its stream, from behind `cursor`; empty at its end. Rejects when the database is away. */
export async function readKept(
  logs: Pick<LogStore, "readPiece">,
  key: ExecutionKey,
  cursor: string,
): Promise<LogPage> {
  const piece = await logs.readPiece(key, cursor);
  if (piece === null) return { holdsCursor: false, events: [], more: false, cut: null };
  const { packed, holdsCursor, cut } = piece;
  const events = packed === null ? [] : eventsBehind(cursor, [await unpackPiece(packed)]);
  return { holdsCursor, events, more: packed !== null, cut };
}
