import { forms, multipart } from "./body-modules.ts";
import { chunkBytes, chunkText, type Chunk } from "./chunk.ts";
import { URLSearchParams } from "./url-search-params.ts";

/** A form of either of its two types; a body of any other is not read. Rejects with a TypeError for that. */
export async function readForm(type: string, read: () => Promise<Chunk>): Promise<unknown> {
  const essence = type.split(";")[0]?.trim().toLowerCase();
  if (essence === "multipart/form-data") {
    const { readMultipart } = multipart();
    return readMultipart(chunkBytes(await read()), type);
  }
  if (essence !== "application/x-www-form-urlencoded") throw new TypeError("the body is not a form");
  const form = new (forms().FormData)();
  for (const [name, value] of new URLSearchParams(chunkText(await read()))) form.append(name, value);
  return form;
}
