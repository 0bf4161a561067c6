import { Fault, type CatalogueQuery, type PageMark } from "@bulkhead/core";

type Sorting = Pick<CatalogueQuery, "sort" | "order">;

/** The cursor of the next page: opaque to callers, and good for this order only. */
export const writeCursor = ({ sort, order }: Sorting, mark: PageMark | null): string | null =>
  mark && Buffer.from(JSON.stringify([sort, order, mark.value, mark.id])).toString("base64url");

/** Throws `request.invalid` for anything that `writeCursor` didn't make for this order. */
export function readCursor({ sort, order }: Sorting, cursor: string): PageMark {
  const read = decode(cursor);
  if (read !== null && read[0] === sort && read[1] === order && isMark(sort, read[2], read[3]))
    return { value: read[2] as PageMark["value"], id: read[3] as string };
  throw invalidField("cursor", "must be the nextCursor of the page before, with the same sort and order");
}

/** The `request.invalid` of one field. */
export const invalidField = (path: string, message: string): Fault =>
  new Fault("request.invalid", { detail: `${path} ${message}.`, errors: [{ path, message }] });

function decode(cursor: string): unknown[] | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(read) && read.length === 4 ? read : null;
  } catch {
    return null;
  }
}

/** Characters of a moment, a name or an id. */
const PART_CHARS_MAX = 64;

function isMark(sort: CatalogueQuery["sort"], value: unknown, id: unknown): boolean {
  if (!isShortText(id)) return false;
  if (sort === "usageCount") return Number.isSafeInteger(value) && (value as number) >= 0;
  if (sort === "name") return isShortText(value);
  return isShortText(value) && isMoment(value);
}

const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

const isShortText = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= PART_CHARS_MAX &&
  value.isWellFormed() &&
  !value.includes("\0");
