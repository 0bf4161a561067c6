import type { ToolRecord } from "../folders/loaded-folder.ts";
import type { Sync, SyncRow } from "./open-sync.ts";
import { countParts, foresee, type Answered, type Sent } from "./theirs.ts";
import { type PushAction, type PushChoice, pushActionOf } from "./three-way.ts";

/** What a push does with one tool. */
export interface PushItem {
  row: SyncRow;
  action: PushAction;
  /** The fields that an update changes; undefined where nobody asked. */
  changed: readonly string[] | undefined;
  warnings: readonly string[];
  /** Why the server would refuse it. */
  refusal: { message: string; errors: readonly { path: string; message: string }[] } | null;
}

export interface PushPlan {
  /** Every tool that was meant, in the order of names. */
  items: PushItem[];
  /** Tools that both sides have alike, of which the state does not know it, or the server not where they are kept. */
  alike: SyncRow[];
}

/**
 * Decides for each row. What would be updated is tried on the server without storing it, and with `isThorough` also what would be
 * created, so that faults are told before anybody says yes.
 */
export async function planPush(
  sync: Sync,
  rows: readonly SyncRow[],
  choice: PushChoice,
  isThorough: boolean,
): Promise<PushPlan> {
  const decided = rows.map((row) => ({ row, action: pushActionOf(row.standing, row.sides, choice) }));
  const put = decided.filter(({ action }) => action === "create" || action === "update");
  const records = put.length > 0 ? await sync.mine.records() : new Map<string, ToolRecord>();
  // Of several parts none is sent before all are tried: each is whole by itself alone.
  const deletions = decided.filter(({ action }) => action === "delete").length;
  const isEach = isThorough || countParts(sentOf(rowsIn(put), records), deletions) > 1;
  const tried = put.filter(
    ({ row, action }) => row.foreseen === undefined && (isEach || action === "update"),
  );
  const foreseen = await foresee(sync.client, sentOf(rowsIn(tried), records));
  const items = decided.map(({ row, action }) => itemOf(row, action, row.foreseen ?? foreseen.get(row.key)));
  const alike = rows.filter(
    ({ key, standing, theirs, sides }) =>
      standing === "unchanged" &&
      (sync.known[key]?.theirs !== sides.theirs ||
        sync.known[key]?.mine !== sides.mine ||
        (sync.source !== null && theirs?.source === undefined)),
  );
  return { items, alike };
}

const rowsIn = (decided: readonly { row: SyncRow }[]): SyncRow[] => decided.map(({ row }) => row);

function itemOf(row: SyncRow, action: PushAction, answer: Answered | undefined): PushItem {
  const isSent = action === "create" || action === "update";
  const { changed, warnings = [], error } = answer ?? {};
  return {
    row,
    action,
    changed: action === "update" ? changed : undefined,
    warnings: isSent ? warnings : [],
    refusal: isSent && error !== undefined ? { message: error.message, errors: error.errors } : null,
  };
}

/** What is sent for the rows, each for the state in which it was found. */
export const sentOf = (rows: readonly SyncRow[], records: ReadonlyMap<string, ToolRecord>): Sent[] =>
  rows.flatMap(({ key, theirs }): Sent[] => {
    const record = records.get(key);
    return record === undefined ? [] : [{ key, record, theirs: theirs?.recordHash ?? null }];
  });

export const isChange = ({ action }: PushItem): boolean =>
  action === "create" || action === "update" || action === "delete";
