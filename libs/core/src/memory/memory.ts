import type { Workspace } from "../file/workspace.ts";

/** Bytes of a document that is indexed; a search says how many longer ones it left out. */
export const MEMORY_DOCUMENT_BYTES_MAX = 1024 * 1024;
/** Documents that one search looks at, and their chunks together: the newest ones of more. */
export const MEMORY_DOCUMENTS_MAX = 10_000;
export const MEMORY_CHUNKS_MAX = 50_000;
/** Characters of a query, and results of a search. */
export const MEMORY_QUERY_CHARS_MAX = 1_000;
export const MEMORY_RESULTS_DEFAULT = 10;
export const MEMORY_RESULTS_MAX = 50;
/** Of chunks and their weights as they are stored; with another one all that is stored is made anew. */
export const MEMORY_FORMAT = 1;

/** A document of the memory: a file whose bytes may be indexed. */
export interface MemoryDocument {
  workspace: Workspace;
  path: string;
  fileId: string;
  version: number;
  size: number;
  /** SHA-256 of its bytes in hex: what is indexed, once for a tenant. */
  hash: string;
  /** Null: it is not indexed yet. */
  index: {
    /** None: it has no words, or is no text. */
    chunks: number;
    isText: boolean;
    /** The model of its vectors; null: it has none yet. */
    model: string | null;
  } | null;
}

/** Some lines of a document. */
export interface MemoryChunk {
  /** From 1 on, inclusive. */
  startLine: number;
  endLine: number;
  text: string;
}

/** Numbers of a document's chunks, in their order. */
export interface MemoryVectors {
  model: string;
  dimensions: number;
  /** Of each chunk `dimensions` signed bytes, whose direction alone counts. */
  values: Uint8Array;
}

/** What a search weighs of a document: how often which words stand in each chunk, and vectors where there are some. */
export interface MemoryWeights {
  hash: string;
  words: Uint8Array;
  vectors: MemoryVectors | null;
}

/** A document's content as it is indexed; `chunks` is null for what is no text. */
export interface MemoryContent extends Omit<MemoryWeights, "hash"> {
  chunks: readonly MemoryChunk[] | null;
}

/** The chunk at this place of a document. */
export interface MemoryChunkRef {
  hash: string;
  at: number;
}

/** Contents of one tenant whose vectors are due, held for a while. */
export interface DueVectors {
  tenantId: string;
  hashes: string[];
}

/**
 * The index of memory documents, by tenant and content. It is derived of files: which documents there are is always asked of
 * those, so that what is deleted, moved or denied is in no result from then on.
 */
export interface MemoryIndex {
  /** The documents of the first of these places that has one of a path, newest first, up to so many. */
  list(places: readonly Workspace[], limit: number): Promise<MemoryDocument[]>;
  /** Stores a content where it is not there yet. */
  add(tenantId: string, hash: string, content: MemoryContent): Promise<void>;
  /** Of these contents those that are there. */
  weights(tenantId: string, hashes: readonly string[]): Promise<MemoryWeights[]>;
  /** In the order of `asked`; null: it is not there any more. */
  chunks(tenantId: string, asked: readonly MemoryChunkRef[]): Promise<(MemoryChunk | null)[]>;
  /**
   * Looks at so many documents of all tenants behind this file's id (null: from the first on): those that are not indexed, and
   * where the next look begins. Vectors of other models than this one are due again.
   */
  unindexed(
    model: string,
    after: string | null,
    lookAt: number,
  ): Promise<{ documents: MemoryDocument[]; next: string | null }>;
  /** Holds some contents that lack vectors, of the first tenant behind this one that has some; null: no tenant behind it has. */
  claimVectors(after: string | null, limit: number): Promise<DueVectors | null>;
  /** The texts of all chunks of a content. */
  texts(tenantId: string, hash: string): Promise<string[]>;
  setVectors(tenantId: string, hash: string, vectors: MemoryVectors): Promise<void>;
  /** Drops contents that no document has had for an hour, of so many that are looked at; where the next look begins. */
  sweep(after: MemoryPlace | null, lookAt: number): Promise<MemoryPlace | null>;
}

interface MemoryPlace {
  tenantId: string;
  hash: string;
}
