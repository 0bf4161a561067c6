import {
  isDenied,
  MEMORY_CHUNKS_MAX,
  MEMORY_DOCUMENT_BYTES_MAX,
  MEMORY_DOCUMENTS_MAX,
  memoryPlaces,
  MEMORY_RESULTS_DEFAULT,
  MEMORY_RESULTS_MAX,
  type MemoryDocument,
  type MemoryChunkRef,
} from "@bulkhead/core";
import { termsOf, type FileAsker } from "../files/file-access.ts";
import { indexDocument } from "./index-document.ts";
import type { MemoryDeps } from "./memory-engine.ts";
import { rankChunks } from "./rank-chunks.ts";
import { queryVector, readContents } from "./read-contents.ts";
import { hashOf, wordsOf } from "./words.ts";

/** What one search indexes itself of what was written just now: so many documents, and bytes of them but of the first. */
const INDEXED_DOCUMENTS_MAX = 32;
const INDEXED_BYTES_MAX = 256 * 1024;
/** For how long; milliseconds. */
const INDEXING_MS_MAX = 3_000;
/** Words of a query that are looked for. */
const QUERY_WORDS_MAX = 64;

interface Searching {
  query: string;
  /** Unset: `MEMORY_RESULTS_DEFAULT`. */
  limit?: number;
  /** Results below are left out; unset: none is. */
  minScore?: number;
  signal?: AbortSignal;
}

export interface MemoryResult {
  path: string;
  startLine: number;
  endLine: number;
  text: string;
  /** From 0 to 1: first by words and by vectors. */
  score: number;
  /** Whose document it is: the user's own, or the agent's or the tenant's. */
  scope: "user" | "global";
}

interface MemoryAnswer {
  /** The best one first. A content that several documents have is told once. */
  results: MemoryResult[];
  /** By words alone where no vector of the query could be had; `note` says why. */
  mode: "hybrid" | "words";
  note: string | null;
  /** Documents that could not be found, by why: not indexed yet, longer than what is indexed, no text. */
  notSearched: { pending: number; tooLarge: number; notText: number };
  /** There are more documents than one search looks at: the oldest ones are left out. */
  cut: boolean;
}

/** Finds lines of the asker's memory by words and by meaning; what was written before the call is found, within the bounds above. */
export async function searchMemory(
  deps: MemoryDeps,
  asker: FileAsker,
  { query, limit = MEMORY_RESULTS_DEFAULT, minScore = 0, signal = new AbortController().signal }: Searching,
): Promise<MemoryAnswer> {
  const { tenantId } = asker.workspace;
  const { denied } = await termsOf(deps, asker);
  const listed = await deps.memory.list(memoryPlaces(asker.workspace), MEMORY_DOCUMENTS_MAX + 1);
  const seen = listed.slice(0, MEMORY_DOCUMENTS_MAX).filter(({ path }) => !isDenied(denied, path));
  const { found, notSearched } = await indexNew(deps, seen, signal);
  const { documents, isCut } = withinChunks(distinct(found));
  const answer = { notSearched, cut: isCut || listed.length > MEMORY_DOCUMENTS_MAX };
  if (documents.length === 0) return { results: [], mode: "hybrid", note: null, ...answer };
  const [contents, vector] = await Promise.all([
    readContents(deps, tenantId, documents),
    queryVector(deps, tenantId, query, signal),
  ]);
  // What went from the index since it was listed comes back with the next search.
  notSearched.pending += documents.length - contents.length;
  const ranked = await rankChunks(contents, {
    words: [
      ...new Set(
        wordsOf(query)
          .slice(0, QUERY_WORDS_MAX)
          .map((word) => hashOf(word)),
      ),
    ],
    vector: vector.found,
    leastCosine: deps.embeddings.leastCosine,
  });
  const best = ranked
    .filter(({ score }) => score >= minScore)
    .slice(0, Math.min(limit, MEMORY_RESULTS_MAX))
    .map(({ of, at, score }) => ({ hash: contents[of]?.hash ?? "", at, score }));
  const results = await readResults(deps, tenantId, documents, best);
  return { results, mode: vector.found === null ? "words" : "hybrid", note: vector.note, ...answer };
}

/** Of the documents those that are indexed, the newest ones of the others by this call; and how many are not. */
async function indexNew(deps: MemoryDeps, documents: readonly MemoryDocument[], signal: AbortSignal) {
  const found: MemoryDocument[] = [];
  const notSearched = { pending: 0, tooLarge: 0, notText: 0 };
  const until = performance.now() + INDEXING_MS_MAX;
  const left = { documents: INDEXED_DOCUMENTS_MAX, bytes: INDEXED_BYTES_MAX };
  const mayIndex = (size: number): boolean =>
    !signal.aborted &&
    performance.now() < until &&
    left.documents > 0 &&
    (left.documents === INDEXED_DOCUMENTS_MAX || size <= left.bytes);
  for (const document of documents) {
    let { index } = document;
    if (document.size > MEMORY_DOCUMENT_BYTES_MAX) {
      notSearched.tooLarge += 1;
      continue;
    }
    if (index === null && mayIndex(document.size)) {
      index = await indexDocument(deps, document);
      left.documents -= 1;
      left.bytes -= document.size;
    }
    if (index === null) notSearched.pending += 1;
    else if (!index.isText) notSearched.notText += 1;
    else if (index.chunks > 0) found.push({ ...document, index });
  }
  return { found, notSearched };
}

/** Of each content one document: the user's own before others, then by path. */
function distinct(documents: readonly MemoryDocument[]): MemoryDocument[] {
  const byHash = new Map<string, MemoryDocument>();
  for (const document of documents) {
    const former = byHash.get(document.hash);
    if (!former || isBefore(document, former)) byHash.set(document.hash, document);
  }
  return [...byHash.values()];
}

const isBefore = (one: MemoryDocument, other: MemoryDocument): boolean =>
  scopeOf(one) === scopeOf(other) ? one.path < other.path : scopeOf(one) === "user";

export const scopeOf = ({
  workspace: { userId },
}: Pick<MemoryDocument, "workspace">): MemoryResult["scope"] => (userId === null ? "global" : "user");

/** The newest ones, as far as their chunks together stay within the bound. */
function withinChunks(documents: readonly MemoryDocument[]): { documents: MemoryDocument[]; isCut: boolean } {
  let chunks = 0;
  const end = documents.findIndex(({ index }) => (chunks += index?.chunks ?? 0) > MEMORY_CHUNKS_MAX);
  return { documents: end === -1 ? [...documents] : documents.slice(0, end), isCut: end !== -1 };
}

async function readResults(
  { memory }: Pick<MemoryDeps, "memory">,
  tenantId: string,
  documents: readonly MemoryDocument[],
  best: readonly (MemoryChunkRef & { score: number })[],
): Promise<MemoryResult[]> {
  const byHash = new Map(documents.map((document) => [document.hash, document]));
  const chunks = await memory.chunks(tenantId, best);
  return best.flatMap(({ hash, score }, n): MemoryResult[] => {
    const document = byHash.get(hash);
    const chunk = chunks[n];
    if (!document || !chunk) return [];
    const { path } = document;
    return [{ path, ...chunk, score: Math.round(score * 10_000) / 10_000, scope: scopeOf(document) }];
  });
}
