import {
  BY_DOCUMENT_ID,
  DataQueryError,
  Fault,
  parseDataOrder,
  parseDataWhere,
  whyNoDocumentId,
  type DataCollection,
  type DataCondition,
  type DataDocument,
  type DataMark,
  type DataPlace,
  type DataUsage,
  type JsonObject,
} from "@bulkhead/core";
import { placeToRead, termsOf, type DataAsker, type DataDeps } from "./data-access.ts";

/** Documents of one page, as JSON; one comes in any case. */
export const DATA_PAGE_BYTES_MAX = 1_024 * 1_024;
/** Characters of a cursor. */
export const DATA_CURSOR_CHARS_MAX = 10_000;
/** Digits of a number in a cursor: of the least number of all. */
const NUMBER = /^-?\d{1,400}(\.\d{1,1100})?$/;

interface Query {
  where?: JsonObject;
  /** Such as `age` or `-age`; unset: by id. */
  orderBy?: string;
  limit: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

/** Throws `data.query_invalid`, which names the field. */
export async function queryDocuments(
  deps: DataDeps,
  asker: DataAsker,
  { collection, ...query }: Query & { collection: string },
): Promise<DocumentPage> {
  const terms = await termsOf(deps, asker);
  return queryPlace(deps, placeToRead(asker, terms, collection), query);
}

interface DocumentPage {
  documents: DataDocument[];
  nextCursor: string | null;
}

/** The same of a place that is known. */
export async function queryPlace(
  { data }: Pick<DataDeps, "data">,
  place: DataPlace,
  { where = {}, orderBy = "", limit, cursor }: Query,
): Promise<DocumentPage> {
  const asked = {
    where: readWhere(where),
    orderBy: orderBy === "" ? BY_DOCUMENT_ID : reading(() => parseDataOrder(orderBy)),
    after: cursor === undefined ? null : readCursor(cursor, orderBy),
    limit,
    bytesMax: DATA_PAGE_BYTES_MAX,
  };
  const { documents, next } = await data.query(place, asked);
  return { documents, nextCursor: next && writeCursor(next, orderBy) };
}

/** How many documents there are. Throws `data.query_invalid`. */
export async function countDocuments(
  deps: DataDeps,
  asker: DataAsker,
  { collection, where = {} }: Pick<Query, "where"> & { collection: string },
): Promise<number> {
  const conditions = readWhere(where);
  const terms = await termsOf(deps, asker);
  return deps.data.count(placeToRead(asker, terms, collection), conditions);
}

/** The asker's collections, or `everywhere` those of all agents and users whom the asker may name. */
export async function listCollections(
  deps: DataDeps,
  { workspace, seesAll }: DataAsker,
  { everywhere, limit, cursor }: { everywhere: boolean; limit: number; cursor?: string },
): Promise<{ collections: DataCollection[]; nextCursor: string | null; usage: DataUsage | null }> {
  const { tenantId, agentId, userId } = workspace;
  const whose = everywhere ? (seesAll ? {} : { agentId }) : { agentId, userId };
  const after = cursor === undefined ? null : readPlace(cursor, tenantId);
  const [found, usage] = await Promise.all([
    deps.data.collections(tenantId, { ...whose, after, limit: limit + 1 }),
    // What others have is no agent's to know.
    seesAll ? deps.data.usage(tenantId) : null,
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = found.length > limit && last ? writePlace(last) : null;
  return { collections: page, nextCursor, usage };
}

const readWhere = (where: JsonObject): DataCondition[] => reading(() => parseDataWhere(where));

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw queryFault(error);
  }
}

/** A wrong query as its asker meets it; any other error as it is. */
export function queryFault(error: unknown): unknown {
  if (!(error instanceof DataQueryError)) return error;
  const { path, message } = error;
  return new Fault("data.query_invalid", {
    detail: `The query is not valid: ${path} ${message}.`,
    errors: [{ path, message }],
  });
}

const packed = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString("base64url");

/** Null for what no page has told. */
function unpacked(cursor: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) && packed(parts) === cursor ? parts : null;
  } catch {
    return null;
  }
}

/** The order goes along, so that a page of another order is not taken for the next one of this. */
const writeCursor = ({ rank, number, text, id }: DataMark, orderBy: string): string =>
  packed([orderBy, rank, number, text, id]);

function readCursor(cursor: string, orderBy: string): DataMark {
  const [order, rank, number, text, id, ...more] = unpacked(cursor) ?? [];
  const isOne =
    order === orderBy &&
    more.length === 0 &&
    (rank === 0 || rank === 1 || rank === 2 || rank === 3) &&
    typeof number === "string" &&
    NUMBER.test(number) &&
    typeof text === "string" &&
    isText(text) &&
    typeof id === "string" &&
    whyNoDocumentId(id) === null;
  if (!isOne) throw noCursor("must be the nextCursor of the page before, with the same orderBy");
  return { rank, number, text, id };
}

const writePlace = ({ workspace: { agentId, userId }, collection }: DataCollection): string =>
  packed([agentId, userId, collection]);

function readPlace(cursor: string, tenantId: string): Pick<DataCollection, "workspace" | "collection"> {
  const [agentId, userId, collection, ...more] = unpacked(cursor) ?? [];
  const isOne =
    more.length === 0 &&
    isIdOrNull(agentId) &&
    isIdOrNull(userId) &&
    typeof collection === "string" &&
    isText(collection);
  if (!isOne) throw noCursor("must be the nextCursor of the page before");
  return { workspace: { tenantId, agentId, userId }, collection };
}

const isText = (text: string): boolean => !text.includes("\0") && text.isWellFormed();
const isIdOrNull = (id: unknown): id is string | null =>
  id === null || (typeof id === "string" && isText(id));

const noCursor = (message: string): Fault =>
  new Fault("request.invalid", {
    detail: `The request is not valid: cursor ${message}.`,
    errors: [{ path: "cursor", message }],
  });
