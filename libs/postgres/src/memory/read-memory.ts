import {
  MEMORY_FORMAT,
  type MemoryChunk,
  type MemoryDocument,
  type MemoryIndex,
  type MemoryWeights,
} from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";
import { DOCUMENT_COLUMNS, toDocument, type DocumentRow } from "./memory-row.ts";

type Asked<Name extends keyof MemoryIndex> = Parameters<MemoryIndex[Name]>;

// In SQL: ranges of paths in several workspaces at once.

export async function listDocuments(ask: Ask, ...[places, limit]: Asked<"list">): Promise<MemoryDocument[]> {
  const [first] = places;
  if (!first) return [];
  const rows = await ask<DocumentRow>(
    `/* memory.list */ SELECT ${DOCUMENT_COLUMNS} FROM (
      SELECT DISTINCT ON (f.path) f.*
      FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (agent_id, user_id, n)
      CROSS JOIN LATERAL (
        SELECT f.* FROM files AS f WHERE f.tenant_id = $1 AND f.agent_id = w.agent_id AND f.user_id = w.user_id
          AND f.path = ANY('{MEMORY.md,memory.md}'::text[])
        UNION ALL
        SELECT f.* FROM files AS f WHERE f.tenant_id = $1 AND f.agent_id = w.agent_id AND f.user_id = w.user_id
          AND f.path > 'memory/' AND f.path < 'memory0' AND lower(right(f.path, 3)) = '.md'
      ) AS f ORDER BY f.path, w.n
    ) AS f
    LEFT JOIN memory_documents AS d ON d.tenant_id = f.tenant_id AND d.hash = f.hash AND d.format = $4::int
    ORDER BY f.written_at DESC, f.path LIMIT $5::int`,
    [
      first.tenantId,
      places.map(({ agentId }) => agentId ?? ""),
      places.map(({ userId }) => userId ?? ""),
      MEMORY_FORMAT,
      limit,
    ],
  );
  return rows.map(toDocument);
}

interface WeightsRow {
  hash: string;
  words: Buffer;
  model: string | null;
  dimensions: number | null;
  vectors: Buffer | null;
}

export async function readWeights(
  ask: Ask,
  ...[tenantId, hashes]: Asked<"weights">
): Promise<MemoryWeights[]> {
  const rows = await ask<WeightsRow>(
    `/* memory.weights */ SELECT d.hash, d.words, d.model, d.dimensions, d.vectors FROM memory_documents AS d
    WHERE d.tenant_id = $1 AND d.hash = ANY($2::text[]) AND d.format = $3::int`,
    [tenantId, hashes, MEMORY_FORMAT],
  );
  return rows.map(({ hash, words, model, dimensions, vectors: values }) => ({
    hash,
    words,
    vectors: model === null || dimensions === null || values === null ? null : { model, dimensions, values },
  }));
}

interface ChunkRow {
  place: number;
  start_line: number;
  end_line: number;
  text: string;
}

export async function readChunks(
  ask: Ask,
  ...[tenantId, asked]: Asked<"chunks">
): Promise<(MemoryChunk | null)[]> {
  const rows = await ask<ChunkRow>(
    `/* memory.chunks */ SELECT w.place::int AS place, c.start_line, c.end_line, c.text
    FROM unnest($2::text[], $3::int[]) WITH ORDINALITY AS w (hash, n, place)
    JOIN memory_chunks AS c ON c.tenant_id = $1 AND c.hash = w.hash AND c.n = w.n`,
    [tenantId, asked.map(({ hash }) => hash), asked.map(({ at }) => at)],
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return asked.map((_one, at) => {
    const row = found.get(at + 1);
    return row ? { startLine: row.start_line, endLine: row.end_line, text: row.text } : null;
  });
}

export async function readTexts(ask: Ask, ...[tenantId, hash]: Asked<"texts">): Promise<string[]> {
  const rows = await ask<{ text: string }>(
    "/* memory.texts */ SELECT c.text FROM memory_chunks AS c WHERE c.tenant_id = $1 AND c.hash = $2 ORDER BY c.n",
    [tenantId, hash],
  );
  return rows.map(({ text }) => text);
}
