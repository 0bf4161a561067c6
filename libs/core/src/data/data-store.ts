import type { Json } from "../json/json.ts";
import { Fault } from "../fault/fault.ts";
import type { DataCondition, DataOrder } from "./data-query.ts";
import type { DataCollection, DataDocument, DataPlace, DataUsage } from "./document.ts";

/** What becomes of a document. */
export type DataDecision =
  /** `bytes` is its length as JSON; `expiresAt` null: it stays. */
  { kind: "put"; value: Json; bytes: number; expiresAt: Date | null } | { kind: "remove" };

/** The document as it is; null: there is none, or its time is over. What it throws is thrown, and nothing has changed. */
type DataDecide = (former: DataDocument | null, now: Date) => DataDecision;

export interface DataWriter {
  by: string;
  bounds: DataUsage;
}

export interface DataChanged {
  /** As it is then; null: there is none. */
  document: DataDocument | null;
  /** There was none before. */
  created: boolean;
  /** There was one, and it is gone. */
  removed: boolean;
}

/** Where a page goes on: behind the document with these values, as `orderBy` has them. */
export interface DataMark {
  /** By the kind of value: 0 truth values, 1 numbers, 2 texts, 3 all else. */
  rank: number;
  /** A number in decimal digits. */
  number: string;
  text: string;
  id: string;
}

export interface DataAsked {
  where: readonly DataCondition[];
  orderBy: DataOrder;
  after: DataMark | null;
  limit: number;
  /** As JSON; one document comes in any case. */
  bytesMax: number;
}

/** Which collections of a tenant are asked for; an agent or a user that is unset: of any. */
export interface CollectionsAsked {
  agentId?: string | null;
  userId?: string | null;
  after: Pick<DataCollection, "workspace" | "collection"> | null;
  limit: number;
}

/** Custom data. Every question names the tenant: another tenant's documents do not exist. */
export interface DataStore {
  /** Null: there is none, or its time is over. */
  find(place: DataPlace, id: string): Promise<DataDocument | null>;
  /**
   * Decides with the document held, so that of all who change it at once one comes after the other. Throws
   * `data.quota_exceeded`.
   */
  change(place: DataPlace, id: string, decide: DataDecide, writer: DataWriter): Promise<DataChanged>;
  /** `next`: where it goes on; null: that was all. Throws `data.query_too_slow`. */
  query(place: DataPlace, asked: DataAsked): Promise<{ documents: DataDocument[]; next: DataMark | null }>;
  /** Throws `data.query_too_slow`. */
  count(place: DataPlace, where: readonly DataCondition[]): Promise<number>;
  /** By agent, user and name; those without a document are not among them. */
  collections(tenantId: string, asked: CollectionsAsked): Promise<DataCollection[]>;
  usage(tenantId: string): Promise<DataUsage>;
  /**
   * Deletes so many documents whose time is over, and collections without a document; how many both were, 0: nothing is due.
   * With a tenant its own alone.
   */
  sweep(atOnce: number, tenantId?: string): Promise<number>;
}

const BOUNDS: Readonly<Record<keyof DataUsage, { name: string; limit: string; meaning: string }>> = {
  collections: { name: "collections", limit: "maxCollections", meaning: "collections" },
  documents: { name: "documents", limit: "maxDocuments", meaning: "documents" },
  bytes: { name: "document-bytes", limit: "maxAllDocumentBytes", meaning: "bytes in its documents" },
};

export const dataQuotaExceeded = (bound: keyof DataUsage, limit: number): Fault =>
  new Fault("data.quota_exceeded", {
    detail: `The tenant may have ${limit} ${BOUNDS[bound].meaning} (its limit ${BOUNDS[bound].limit}); remove some first.`,
    quotas: [{ name: BOUNDS[bound].name, limit, remaining: 0 }],
  });
