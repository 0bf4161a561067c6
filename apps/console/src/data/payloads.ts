import { useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { saveFile } from "./files.ts";

export type PayloadKind = "arguments" | "result";

/** Bytes of one request, as the API bounds them. */
const RANGE_BYTES = 1_048_576;
const FIRST_BYTES = 32_768;

interface Payload {
  id: string;
  kind: PayloadKind;
}

interface Range {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole text. */
  total: number;
}

async function readRange(
  { id, kind }: Payload,
  from: number,
  count: number,
  signal?: AbortSignal,
): Promise<Range> {
  let total = 0;
  const onResponse = ({ headers }: Pick<Response, "headers">): void => {
    total = Number(headers.get("content-range")?.split("/")[1] ?? 0);
  };
  const range = { from, to: from + count - 1 };
  const options = { signal, onResponse };
  const bytes = new Uint8Array(
    kind === "result"
      ? await api.executions.resultBytes(id, range, options)
      : await api.executions.argumentsBytes(id, range, options),
  );
  return { bytes, total: Math.max(total, from + bytes.length) };
}

/** The whole JSON text as it is stored, range by range. */
async function* rangesOf(payload: Payload, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0, total = Infinity; from < total;) {
    const range = await readRange(payload, from, RANGE_BYTES, signal);
    if (range.bytes.length === 0) return;
    yield range.bytes;
    from += range.bytes.length;
    total = range.total;
  }
}

// A result never changes: it stands under a key that no event of executions makes old.

/** The beginning of a result's JSON text, and how many bytes all of it has. */
export const useResultStart = (executionId: string) =>
  useQuery({
    queryKey: ["result", "start", executionId],
    queryFn: async ({ signal }) => {
      const result = { id: executionId, kind: "result" } as const;
      const { bytes, total } = await readRange(result, 0, FIRST_BYTES, signal);
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
      for await (const bytes of rangesOf({ id: executionId, kind: "result" }, signal))
        text += decoder.decode(bytes, { stream: true });
      return { value: JSON.parse(text) as unknown };
    },
  });

/** Gives the whole text to the person as a file. */
export async function downloadPayload(id: string, kind: PayloadKind): Promise<void> {
  saveFile(`${id}-${kind}.json`, "application/json", await Array.fromAsync(rangesOf({ id, kind })));
}
