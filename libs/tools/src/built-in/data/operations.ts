import {
  TTL_SECONDS_MAX,
  type CapabilityAnswer,
  type DataDocument,
  type Json,
  type JsonObject,
} from "@bulkhead/core";
import { z } from "zod";
import {
  ANY_DOCUMENT,
  countDocuments,
  DATA_CURSOR_CHARS_MAX,
  getDocument,
  incrementDocument,
  putDocument,
  queryDocuments,
  removeDocument,
  type DataAsker,
  type DataDeps,
  type DocumentCondition,
} from "../../data.ts";
import { readAsked } from "../read-asked.ts";
import {
  COLLECTION_CHARS_MAX,
  DOCUMENTS_DEFAULT,
  DOCUMENTS_MAX,
  ID_CHARS_MAX,
  ORDER_CHARS_MAX,
} from "./bounds.ts";

export type Operate = (deps: DataDeps, asker: DataAsker, said: unknown) => Promise<CapabilityAnswer>;

/** Reads arguments, does it, and answers a value; what the arguments lack or have too much is refused. */
export const operation =
  <T>(
    schema: z.ZodType<T>,
    work: (deps: DataDeps, asker: DataAsker, asked: T) => Promise<JsonObject>,
  ): Operate =>
  async (deps, asker, said) => {
    const read = readAsked(schema, said);
    return read.ok ? { ok: true, value: await work(deps, asker, read.asked) } : read;
  };

type Compact<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without what is undefined. */
const compact = <T extends object>(value: T): Compact<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Compact<T>;

const json: z.ZodType<Json> = z.any().refine((value) => value !== undefined, "must be a JSON value");
const jsonObject: z.ZodType<JsonObject> = z
  .any()
  .refine(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  );

const named = { collection: z.string().max(COLLECTION_CHARS_MAX), id: z.string().max(ID_CHARS_MAX) };
const ttlSeconds = z.int().min(1).max(TTL_SECONDS_MAX).optional();

const GET = z.strictObject(named);
const PUT = z.strictObject({ ...named, value: json, ifVersion: z.int().min(0).optional(), ttlSeconds });
const INCREMENT = z.strictObject({
  ...named,
  by: z.number(),
  path: z.string().min(1).max(ORDER_CHARS_MAX).optional(),
  ttlSeconds,
});
const REMOVE = z.strictObject({ ...named, ifVersion: z.int().min(1).optional() });
const COUNT = z.strictObject({ collection: named.collection, where: jsonObject.optional() });
const QUERY = z.strictObject({
  collection: named.collection,
  where: jsonObject.optional(),
  orderBy: z.string().min(1).max(ORDER_CHARS_MAX).optional(),
  limit: z.int().min(1).max(DOCUMENTS_MAX).default(DOCUMENTS_DEFAULT),
  cursor: z.string().max(DATA_CURSOR_CHARS_MAX).optional(),
});

function conditionOf(ifVersion: number | undefined): DocumentCondition {
  if (ifVersion === undefined) return ANY_DOCUMENT;
  return ifVersion === 0 ? { exists: false, versions: null } : { exists: null, versions: [ifVersion] };
}

const facts = ({ id, version, createdAt, updatedAt, expiresAt }: DataDocument) => ({
  id,
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
});
const told = (document: DataDocument): JsonObject => ({ value: document.value, ...facts(document) });

const get = operation(GET, async (deps, asker, asked) => {
  const document = await getDocument(deps, asker, asked);
  return { document: document && told(document) };
});

const put = operation(PUT, async (deps, asker, { ifVersion, ...asked }) => {
  const condition = conditionOf(ifVersion);
  const { document, created } = await putDocument(deps, asker, { ...compact(asked), condition });
  return { document: facts(document), created };
});

const increment = operation(INCREMENT, async (deps, asker, asked) => {
  const { document, created, sum } = await incrementDocument(deps, asker, compact(asked));
  return { value: sum, ...facts(document), created };
});

const remove = operation(REMOVE, async (deps, asker, { ifVersion, ...asked }) => {
  const condition = conditionOf(ifVersion);
  return { removed: await removeDocument(deps, asker, { ...asked, condition }) };
});

const query = operation(QUERY, async (deps, asker, asked) => {
  const { documents, nextCursor } = await queryDocuments(deps, asker, compact(asked));
  return { documents: documents.map(told), nextCursor };
});

const count = operation(COUNT, async (deps, asker, asked) => ({
  count: await countDocuments(deps, asker, compact(asked)),
}));

export const READING: Readonly<Record<string, Operate>> = { get, query, count };
export const WRITING: Readonly<Record<string, Operate>> = { put, increment, remove };
