import {
  Fault,
  parseDataField,
  whyNotKept,
  type DataChanged,
  type DataDecision,
  type DataDocument,
  type DataPlace,
  type Json,
  type JsonObject,
} from "@bulkhead/core";
import {
  documentId,
  placeToRead,
  placeToWrite,
  termsOf,
  type DataAsker,
  type DataDeps,
  type DataTerms,
} from "./data-access.ts";
import { queryFault } from "./query.ts";

/** What a writer expects to find. */
export interface DocumentCondition {
  /** Null: either. */
  exists: boolean | null;
  /** One of these has to be its version; null: any. */
  versions: readonly number[] | null;
}

export const ANY_DOCUMENT: DocumentCondition = { exists: null, versions: null };

/** Documents that one sweep takes where a tenant's room is used up. */
const SWEPT_AT_ONCE = 1_000;

interface Named {
  collection: string;
  id: string;
}

/** Null: there is none. */
export async function getDocument(
  deps: DataDeps,
  asker: DataAsker,
  { collection, id }: Named,
): Promise<DataDocument | null> {
  const terms = await termsOf(deps, asker);
  return deps.data.find(placeToRead(asker, terms, collection), documentId(id));
}

/** Writes a document as a whole; without `ttlSeconds` it stays. */
export async function putDocument(
  deps: DataDeps,
  asker: DataAsker,
  {
    collection,
    id,
    value,
    ttlSeconds,
    condition = ANY_DOCUMENT,
  }: Named & { value: Json; ttlSeconds?: number; condition?: DocumentCondition },
): Promise<DataChanged & { document: DataDocument }> {
  const terms = await termsOf(deps, asker);
  const place = placeToWrite(asker, terms, collection);
  const put = checked(value, terms);
  return written(
    await changeIn(deps, asker, terms, place, documentId(id), (former, now) => {
      requireMet(former, condition, id);
      return { ...put, expiresAt: after(now, ttlSeconds) };
    }),
  );
}

/**
 * Adds to the number that the document is, or has in the field; one that isn't there begins at 0, and is kept so long as
 * `ttlSeconds` says. One that is there ends when it would.
 */
export async function incrementDocument(
  deps: DataDeps,
  asker: DataAsker,
  { collection, id, by, path, ttlSeconds }: Named & { by: number; path?: string; ttlSeconds?: number },
): Promise<DataChanged & { document: DataDocument; sum: number }> {
  const terms = await termsOf(deps, asker);
  const place = placeToWrite(asker, terms, collection);
  const names = path === undefined ? [] : fieldNames(path);
  let sum = by;
  const changed = await changeIn(deps, asker, terms, place, documentId(id), (former, now) => {
    const value = changedAt(
      former?.value,
      names,
      (number) => (sum = added(number, by, path ?? id)),
      path ?? id,
    );
    return { ...checked(value, terms), expiresAt: former ? former.expiresAt : after(now, ttlSeconds) };
  });
  return { ...written(changed), sum };
}

/** Whether there was one. */
export async function removeDocument(
  deps: DataDeps,
  asker: DataAsker,
  { collection, id, condition = ANY_DOCUMENT }: Named & { condition?: DocumentCondition },
): Promise<boolean> {
  const terms = await termsOf(deps, asker);
  const place = placeToWrite(asker, terms, collection);
  const { removed } = await changeIn(deps, asker, terms, place, documentId(id), (former) => {
    requireMet(former, condition, id);
    return { kind: "remove" };
  });
  return removed;
}

/** Where the tenant's room is used up, what has ended by itself goes first. */
export async function changeIn(
  { data }: Pick<DataDeps, "data">,
  { by, workspace: { tenantId } }: DataAsker,
  { bounds }: DataTerms,
  place: DataPlace,
  id: string,
  decide: (former: DataDocument | null, now: Date) => DataDecision,
): Promise<DataChanged> {
  const change = (): Promise<DataChanged> => data.change(place, id, decide, { by, bounds });
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "data.quota_exceeded") throw error;
    if ((await data.sweep(SWEPT_AT_ONCE, tenantId)) === 0) throw error;
    return change();
  }
}

export function written(changed: DataChanged): DataChanged & { document: DataDocument } {
  const { document } = changed;
  if (document === null) throw new Error("a document that was put is not there");
  return { ...changed, document };
}

/** Throws `data.precondition_failed`. */
function requireMet(former: DataDocument | null, { exists, versions }: DocumentCondition, id: string): void {
  const isMet =
    (exists === null || exists === (former !== null)) &&
    (versions === null || (former !== null && versions.includes(former.version)));
  if (isMet) return;
  const is = former ? `has version ${former.version}` : "is not there";
  throw new Fault("data.precondition_failed", {
    detail: `The document ${JSON.stringify(id)} ${is}, and not as the request expects it; read it again.`,
  });
}

/** Throws `data.value_invalid` and `data.too_large`. */
export function checked(
  value: Json,
  { documentBytes }: Pick<DataTerms, "documentBytes">,
): { kind: "put"; value: Json; bytes: number } {
  const message = whyNotKept(value);
  if (message !== null)
    throw new Fault("data.value_invalid", {
      detail: `The request is not valid: value ${message}.`,
      errors: [{ path: "value", message }],
    });
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= documentBytes) return { kind: "put", value, bytes };
  throw new Fault("data.too_large", {
    detail: `A document of this tenant may have ${documentBytes} bytes at most as JSON (its limit maxDocumentBytes).`,
    errors: [{ path: "value", message: `must have ${documentBytes} bytes at most as JSON` }],
  });
}

const after = (now: Date, ttlSeconds: number | undefined): Date | null =>
  ttlSeconds === undefined ? null : new Date(now.getTime() + ttlSeconds * 1_000);

function fieldNames(path: string): readonly string[] {
  try {
    const field = parseDataField(path, "path");
    if (field.kind === "value") return field.path;
  } catch (error) {
    throw queryFault(error);
  }
  const message = "must be a field of the value";
  throw new Fault("data.query_invalid", { detail: `path ${message}.`, errors: [{ path: "path", message }] });
}

const notANumber = (what: string, why: string): Fault =>
  new Fault("data.not_a_number", { detail: `${JSON.stringify(what)} ${why}.` });

function added(number: Json | undefined, by: number, what: string): number {
  if (number !== undefined && typeof number !== "number") throw notANumber(what, "is no number");
  const former = number ?? 0;
  const sum = former + by;
  const isExact = !Number.isInteger(former) || !Number.isInteger(by) || Number.isSafeInteger(sum);
  if (!Number.isFinite(sum) || !isExact) throw notANumber(what, "would be a number that is not kept exactly");
  return sum;
}

/** The value with what is at the names changed; objects on the way to it that aren't there are made. */
function changedAt(
  value: Json | undefined,
  [name, ...names]: readonly string[],
  change: (former: Json | undefined) => Json,
  what: string,
): Json {
  if (name === undefined) return change(value);
  if (value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value)))
    throw notANumber(what, "lies in what is no object");
  const former: JsonObject = value ?? {};
  const inner = Object.hasOwn(former, name) ? former[name] : undefined;
  // A name that is written like this is the object's own, whatever it is.
  return { ...former, [name]: changedAt(inner, names, change, what) };
}
