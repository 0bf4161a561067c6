import { readJson, type BigNumbers } from "./exact-json.ts";
import { readText } from "./read-text.ts";
import type { Response } from "./response.ts";

/** A body: parsed where it is JSON, else its text, null where there is none. */
export interface ReadBody {
  value: unknown;
  /** Why a body that claims to be JSON is none; then the value is its text. */
  fault: unknown;
}

export async function readBody(response: Response, bigNumbers: BigNumbers = "number"): Promise<ReadBody> {
  const type = response.headers.get("content-type") ?? "";
  const text = await readText(response);
  if (text === "") return { value: null, fault: null };
  const isJson = /^[^;]*[/+]json\b/i.test(type);
  if (!isJson && !/^\s*[[{]/.test(text)) return { value: text, fault: null };
  try {
    return { value: readJson(text, bigNumbers), fault: null };
  } catch (error) {
    // A page of a proxy's, or text that begins with a bracket: the caller judges it.
    return { value: text, fault: isJson ? error : null };
  }
}
