import { api } from "./api.ts";
import { saveFile } from "./files.ts";

export type PayloadKind = "arguments" | "result";

/** The server gives so many bytes at a time. */
const RANGE_BYTES = 1_048_576;

/** The whole JSON text as it is stored, fetched range by range. */
async function readPayload(id: string, kind: PayloadKind): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0, size = Infinity; from < size;) {
    const options = {
      onResponse: ({ headers }: Pick<Response, "headers">): void => {
        size = Number(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? 0);
      },
    };
    const range = { from, to: from + RANGE_BYTES - 1 };
    const bytes =
      kind === "result"
        ? await api.executions.resultBytes(id, range, options)
        : await api.executions.argumentsBytes(id, range, options);
    if (bytes.length === 0) break;
    parts.push(new Uint8Array(bytes));
    from += bytes.length;
  }
  return parts;
}

/** Gives the text to the person as a file. */
export async function downloadPayload(id: string, kind: PayloadKind): Promise<void> {
  saveFile(`${id}-${kind}.json`, "application/json", await readPayload(id, kind));
}
