import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";

/** Bytes of one request, as the API bounds them. */
const RANGE_BYTES = 1_048_576;
const FIRST_BYTES = 32_768;

interface Range {
  bytes: Uint8Array;
  /** Of the whole text. */
  total: number;
}

async function readRange(id: string, from: number, count: number, signal: AbortSignal): Promise<Range> {
  let total = 0;
  const onResponse = ({ headers }: Pick<Response, "headers">): void => {
    total = Number(headers.get("content-range")?.split("/")[1] ?? 0);
  };
  const bytes = await api.executions.resultBytes(id, { from, to: from + count - 1 }, { signal, onResponse });
  return { bytes, total: Math.max(total, from + bytes.length) };
}

// A result never changes: it stands under a key that no event of executions makes old.

/** The beginning of a result's JSON text, and how many bytes all of it has. */
export const useResultStart = (executionId: string) =>
  useQuery({
    queryKey: ["result", "start", executionId],
    queryFn: async ({ signal }) => {
      const { bytes, total } = await readRange(executionId, 0, FIRST_BYTES, signal);
      return { text: new TextDecoder().decode(bytes), total, isWhole: bytes.length >= total };
    },
  });

/** All of a result, fetched range by range once it is asked for. */
export const useWholeResult = (executionId: string, isAsked: boolean) =>
  useQuery({
    queryKey: ["result", "whole", executionId],
    enabled: isAsked,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<{ value: unknown }> => {
      const decoder = new TextDecoder();
      let text = "";
      let from = 0;
      let total: number;
      do {
        const range = await readRange(executionId, from, RANGE_BYTES, signal);
        text += decoder.decode(range.bytes, { stream: true });
        from += range.bytes.length;
        total = range.bytes.length === 0 ? from : range.total;
      } while (from < total);
      return { value: JSON.parse(text) as unknown };
    },
  });
