import type { Workspace } from "../file/workspace.ts";
import type { Json } from "../json/json.ts";

/** Bytes of a document's id, in UTF-8. */
export const DOCUMENT_ID_BYTES_MAX = 512;
/** How deep a document may nest. */
export const DOCUMENT_DEPTH_MAX = 64;
/** How long a document may be kept that ends by itself: ten years. */
export const TTL_SECONDS_MAX = 10 * 366 * 86_400;
export const COLLECTION_NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,63}$/;
/** Where goals are kept. No collection's name begins so; people can name it to look. */
export const GOALS_COLLECTION = "$goals";

/** A collection of an agent's, a user's of an agent, a user's, or with neither the tenant's own. */
export interface DataPlace {
  workspace: Workspace;
  collection: string;
}

export interface DataDocument {
  id: string;
  value: Json;
  /** Rises with every change, from 1 on. One that is made anew after it went begins at 1 again. */
  version: number;
  createdAt: Date;
  /** The id of the key or of the execution that made it. */
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
  /** From then on it is not there; null: it stays. */
  expiresAt: Date | null;
}

export interface DataCollection extends DataPlace {
  /** One that has ended counts until the sweep takes it. */
  documents: number;
  /** Of its documents as JSON. */
  bytes: number;
}

/** The bounds of a tenant, and how much of them is used. */
export interface DataUsage {
  collections: number;
  documents: number;
  bytes: number;
}

/** With whom a collection is shared: with all users of an agent, or with all agents and users of the tenant. */
export const DATA_SHARED_WITH = ["agent", "tenant"] as const;
type DataSharedWith = (typeof DATA_SHARED_WITH)[number];
/** Collections that the settings may name. */
export const DATA_SHARED_MAX = 100;

/** A tenant's decisions about custom data. */
export interface DataSettings {
  /** By the collection's name; any other is its caller's own. */
  shared: Readonly<Record<string, DataSharedWith>>;
}
export const DATA_SETTINGS_DEFAULT: DataSettings = { shared: {} };

/** Where a collection lies for agents and what runs for them. */
export function sharedPlace({ shared }: DataSettings, { workspace, collection }: DataPlace): DataPlace {
  const sharedWith = Object.hasOwn(shared, collection) ? shared[collection] : undefined;
  if (sharedWith === undefined) return { workspace, collection };
  const agentId = sharedWith === "tenant" ? null : workspace.agentId;
  return { workspace: { ...workspace, agentId, userId: null }, collection };
}

/** Why a text can't be a document's id; null: it can. */
export function whyNoDocumentId(id: string): string | null {
  if (id === "") return "must not be empty";
  if (Buffer.byteLength(id) > DOCUMENT_ID_BYTES_MAX)
    return `must have ${DOCUMENT_ID_BYTES_MAX} bytes at most`;
  if (id.includes("\0")) return "must not contain a NUL character";
  return id.isWellFormed() ? null : "must not contain lone surrogates";
}

/** Why a value can't be kept: by texts that PostgreSQL can't hold, numbers beyond all, or its depth; null: it can. */
export function whyNotKept(value: Json, depth = 1): string | null {
  if (typeof value === "string") {
    if (value.includes("\0")) return "must not contain a NUL character";
    return value.isWellFormed() ? null : "must not contain lone surrogates";
  }
  // As JSON it would be null.
  if (typeof value === "number") return Number.isFinite(value) ? null : "must be a number that JSON has";
  if (typeof value !== "object" || value === null) return null;
  if (depth > DOCUMENT_DEPTH_MAX) return `must not nest deeper than ${DOCUMENT_DEPTH_MAX} levels`;
  for (const [name, one] of Object.entries(value)) {
    const why = (Array.isArray(value) ? null : whyNotKept(name)) ?? whyNotKept(one, depth + 1);
    if (why !== null) return why;
  }
  return null;
}
